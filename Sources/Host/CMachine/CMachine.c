#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMachine.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#endif
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#endif
#if defined(__x86_64__)
#include <cpuid.h>
#endif

void assay_share_one_arena(void) {
#if defined(__GLIBC__)
  (void)mallopt(M_ARENA_MAX, 1);
#endif
}

uint64_t assay_monotonic_nanoseconds(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void assay_sync_file_system(int descriptor) {
#if defined(__linux__)
  (void)syncfs(descriptor);
#else
  (void)descriptor;
  sync();
#endif
}

#if defined(__linux__)

static pthread_once_t allowed_once = PTHREAD_ONCE_INIT;
static cpu_set_t allowed;

static void read_allowed(void) {
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) CPU_ZERO(&allowed);
}

int assay_allowed_cpu_count(void) {
  pthread_once(&allowed_once, read_allowed);
  int count = CPU_COUNT(&allowed);
  return count < 1 ? 1 : count;
}

int assay_pin_thread(int position_from_last) {
  pthread_once(&allowed_once, read_allowed);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    if (position_from_last-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return sched_setaffinity(0, sizeof one, &one) == 0 ? cpu : -1;
  }
  return -1;
}

void assay_unpin_thread(void) {
  pthread_once(&allowed_once, read_allowed);
  if (CPU_COUNT(&allowed) > 0) (void)sched_setaffinity(0, sizeof allowed, &allowed);
}

int assay_may_use_cpu(int cpu) {
  pthread_once(&allowed_once, read_allowed);
  return cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, &allowed);
}

int assay_pin_thread_to(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return -1;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  return sched_setaffinity(0, sizeof one, &one);
}

int assay_keep_thread_off(const int *cpus, size_t count) {
  pthread_once(&allowed_once, read_allowed);
  cpu_set_t rest = allowed;
  for (size_t index = 0; index < count; index++) {
    if (cpus[index] >= 0 && cpus[index] < CPU_SETSIZE) CPU_CLR(cpus[index], &rest);
  }
  return CPU_COUNT(&rest) > 0 ? sched_setaffinity(0, sizeof rest, &rest) : -1;
}

/* On Linux, setpriority applies to the calling thread. With a nice value of 10, the scheduler too often lets it run
   until the next tick although another thread has become runnable, which delays requests. */
int assay_lower_thread_priority(void) { return setpriority(PRIO_PROCESS, 0, 19) == 0 ? 0 : -1; }

#else

int assay_may_use_cpu(int cpu) {
  (void)cpu;
  return 0;
}

int assay_pin_thread_to(int cpu) {
  (void)cpu;
  return -1;
}

int assay_keep_thread_off(const int *cpus, size_t count) {
  (void)cpus;
  (void)count;
  return -1;
}

int assay_lower_thread_priority(void) { return -1; }

int assay_allowed_cpu_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : (int)count;
}

int assay_pin_thread(int position_from_last) {
  (void)position_from_last;
  return -1;
}

void assay_unpin_thread(void) {}

#endif

void assay_cpu_brand(char *buffer, size_t capacity) {
  if (capacity == 0) return;
  buffer[0] = 0;
#if defined(__x86_64__)
  unsigned int words[12];
  if (__get_cpuid_max(0x80000000u, NULL) < 0x80000004u) return;
  for (unsigned int leaf = 0; leaf < 3; leaf++) {
    unsigned int *part = words + 4 * leaf;
    __cpuid(0x80000002u + leaf, part[0], part[1], part[2], part[3]);
  }
  char text[sizeof words + 1];
  memcpy(text, words, sizeof words);
  text[sizeof words] = 0;
  const char *start = text;
  while (*start == ' ') start++;
  size_t length = strlen(start);
  while (length > 0 && start[length - 1] == ' ') length--;
  /* Several generations give themselves one name, such as "AMD EPYC": this tells them apart. */
  unsigned int a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return;
  unsigned int family = a >> 8 & 15, model = a >> 4 & 15;
  if (family == 6 || family == 15) model |= a >> 12 & 0xF0;
  if (family == 15) family += a >> 20 & 0xFF;
  snprintf(buffer, capacity, "%.*s (family %u, model %u, stepping %u)", (int)length, start, family, model, a & 15);
#elif defined(__APPLE__)
  size_t length = capacity;
  if (sysctlbyname("machdep.cpu.brand_string", buffer, &length, NULL, 0) != 0) buffer[0] = 0;
#endif
}

static const char *const feature_names[] = {
    "aes", "pclmulqdq", "avx2", "bmi2", "adx", "sha", "avx512f", "avx512vl", "avx512dq", "avx512bw", "avx512ifma",
    "avx512vbmi", "avx512vbmi2", "vaes", "vpclmulqdq",
};

const char *assay_cpu_feature_name(int index) {
  if (index < 0 || (size_t)index >= sizeof feature_names / sizeof *feature_names) return NULL;
  return feature_names[index];
}

int assay_cpu_supports(const char *feature) {
#if defined(__x86_64__)
#define ASK(name)                                                                                                      \
  if (strcmp(feature, name) == 0) return __builtin_cpu_supports(name) ? 1 : 0
  __builtin_cpu_init();
  ASK("aes");
  ASK("avx2");
  ASK("bmi2");
  ASK("avx512f");
  ASK("avx512vl");
  ASK("avx512dq");
  ASK("avx512bw");
  ASK("avx512ifma");
  ASK("avx512vbmi");
  ASK("avx512vbmi2");
  ASK("vpclmulqdq");
#undef ASK
  /* Names that not every compiler version knows: CPUID leaves 1 and 7, registers by Intel SDM vol. 2A. */
  unsigned int a = 0, b = 0, c = 0, d = 0;
  if (strcmp(feature, "pclmulqdq") == 0) return __get_cpuid(1, &a, &b, &c, &d) && (c >> 1 & 1);
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  if (strcmp(feature, "adx") == 0) return b >> 19 & 1;
  if (strcmp(feature, "sha") == 0) return b >> 29 & 1;
  if (strcmp(feature, "vaes") == 0) return __builtin_cpu_supports("avx2") && (c >> 9 & 1);
#else
  (void)feature;
#endif
  return 0;
}

int assay_forbid_core_dumps(void) {
  struct rlimit none = {0, 0};
  int refused = setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
  /* This also denies other processes of the same user access to /proc/<pid>/mem and ptrace. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) refused = -1;
#endif
  return refused == 0 ? 0 : -1;
}

void assay_open_unusable(void) {
#if defined(O_PATH)
  (void)open("/", O_PATH);
#else
  (void)open("/", O_RDONLY);
#endif
}

int assay_is_terminal(int descriptor) { return isatty(descriptor) == 1; }

int assay_terminal_width(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

uint64_t assay_peak_resident_bytes(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss < 0) return 0;
#if defined(__APPLE__)
  return (uint64_t)usage.ru_maxrss;
#else
  return (uint64_t)usage.ru_maxrss * 1024u;
#endif
}

int assay_program_path(char *buffer, size_t capacity) {
#if defined(__linux__)
  ssize_t length = capacity > 0 ? readlink("/proc/self/exe", buffer, capacity) : -1;
  if (length < 0 || (size_t)length >= capacity) return -1;
  buffer[length] = 0;
  return (int)length;
#elif defined(__APPLE__)
  uint32_t size = (uint32_t)capacity;
  if (_NSGetExecutablePath(buffer, &size) != 0) return -1;
  return (int)strlen(buffer);
#else
  (void)buffer;
  (void)capacity;
  return -1;
#endif
}
