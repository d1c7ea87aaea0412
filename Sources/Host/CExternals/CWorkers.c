#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CWorkers.h"

#include "limits.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <execinfo.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#endif

void *assay_shared_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* The file that this process has locked. */
static int locked = -1;

#if defined(__GLIBC__)
/* The linker's symbols: the beginning of this program in memory, and the end of its code. */
extern const char __executable_start[], etext[];

/* Writes where this program crashed: the offset of the innermost address in its own code. Then the signal ends the
   process, as without this handler. Memory can be corrupt: after five seconds SIGALRM ends the process instead. */
static void note_crash(int number) {
  (void)alarm(5);
  void *frames[64];
  int count = backtrace(frames, 64);
  /* The first two are this function and the return from a signal. */
  for (int i = 2; i < count; i++) {
    uintptr_t address = (uintptr_t)frames[i], start = (uintptr_t)__executable_start;
    if (address < start || address >= (uintptr_t)etext) continue;
    /* A caller's address is that after its call, which can be the next function's. */
    uintptr_t offset = address - start - (i > 2 ? 1 : 0);
    char line[] = "\nassay-crash 0000000000000000\n";
    for (int digit = 28; digit > 12; digit--, offset >>= 4) line[digit] = "0123456789abcdef"[offset & 15];
    if (write(2, line, sizeof line - 1) < 0) break;
    break;
  }
  (void)raise(number);
}

static void note_crashes(void) {
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  if (sigaltstack(&other, NULL) != 0) return;
  /* The first call loads a library, which a crashed process cannot. */
  void *frame[1];
  (void)backtrace(frame, 1);
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_crash;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND;
  const int numbers[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
  for (int i = 0; i < 6; i++)
    /* A sanitizer or Swift's runtime may report crashes itself. */
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      (void)sigaction(numbers[i], &action, NULL);
}
#else
static void note_crashes(void) {}
#endif

static void become_worker(int error, pid_t parent, uint64_t address_space_bytes) {
#if defined(__linux__)
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(126);
#else
  (void)parent;
#endif
  (void)dup2(error, 1);
  (void)dup2(error, 2);
  close(error);
  /* A copy shares the lock. A copy that outlives a killed parent would keep the file locked. */
  if (locked >= 0) close(locked);
  assay_limit(RLIMIT_CORE, 0);
  assay_limit_address_space(address_space_bytes);
  /* The parent process handles a termination of the group; in the copy it would look like a crash. */
  (void)signal(SIGINT, SIG_IGN);
  (void)signal(SIGHUP, SIG_IGN);
  (void)signal(SIGTERM, SIG_IGN);
  (void)signal(SIGPIPE, SIG_DFL);
  note_crashes();
}

int assay_worker_fork(struct assay_worker *worker, uint64_t address_space_bytes) {
  int output[2], error[2];
  if (pipe(output) != 0) return -errno;
  if (pipe(error) != 0) {
    int failure = errno;
    close(output[0]);
    close(output[1]);
    return -failure;
  }
  pid_t parent = getpid();
  /* The copy must not receive a SIGTERM to the group before it ignores that signal. */
  sigset_t termination, mask;
  sigemptyset(&termination);
  sigaddset(&termination, SIGTERM);
  (void)sigprocmask(SIG_BLOCK, &termination, &mask);
  pid_t pid = fork();
  if (pid != 0) (void)sigprocmask(SIG_SETMASK, &mask, NULL);
  if (pid < 0) {
    int failure = errno;
    for (int i = 0; i < 2; i++) {
      close(output[i]);
      close(error[i]);
    }
    return -failure;
  }
  if (pid == 0) {
    close(output[0]);
    close(error[0]);
    become_worker(error[1], parent, address_space_bytes);
    (void)sigprocmask(SIG_SETMASK, &mask, NULL);
    worker->pid = getpid();
    worker->output = output[1];
    worker->error = -1;
    return 0;
  }
  close(output[1]);
  close(error[1]);
  (void)fcntl(output[0], F_SETFL, fcntl(output[0], F_GETFL) | O_NONBLOCK);
  (void)fcntl(error[0], F_SETFL, fcntl(error[0], F_GETFL) | O_NONBLOCK);
  (void)fcntl(output[0], F_SETFD, FD_CLOEXEC);
  (void)fcntl(error[0], F_SETFD, FD_CLOEXEC);
  worker->pid = pid;
  worker->output = output[0];
  worker->error = error[0];
  return 1;
}

int assay_worker_has_ended(pid_t pid, int *signal, int *code) {
  int status = 0;
  pid_t got;
  do got = waitpid(pid, &status, WNOHANG);
  while (got < 0 && errno == EINTR);
  if (got == 0) return 0;
  *signal = got > 0 && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  *code = got > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return 1;
}

void assay_worker_kill(pid_t pid) {
  (void)kill(pid, SIGKILL);
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

int64_t assay_worker_processor_time(pid_t pid) {
#ifdef __linux__
  clockid_t clock;
  struct timespec used;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return -1;
  return (int64_t)used.tv_sec * 1000000000 + used.tv_nsec;
#else
  (void)pid;
  return -1;
#endif
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) { interrupted = number; }

void assay_note_interrupts(void) {
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = note_interrupt;
  sigset_t wanted;
  sigemptyset(&wanted);
  const int numbers[] = {SIGINT, SIGHUP, SIGTERM};
  for (int i = 0; i < 3; i++)
    /* Signals that a shell ignores for background processes stay ignored. */
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
      (void)sigaction(numbers[i], &action, NULL);
      (void)sigaddset(&wanted, numbers[i]);
    }
  /* The signal mask is inherited, and the parent process may have blocked them. */
  (void)sigprocmask(SIG_UNBLOCK, &wanted, NULL);
}

int assay_interrupted(void) { return interrupted; }

int assay_lock_file(int descriptor) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno;
  locked = descriptor;
  return 0;
}
