/* Runs one batch of a kernel, and writes the vectors that it makes.

     observe logged INPUTS KERNELS.so NAME SIZE           kernels compiled with logging/immintrin.h: the result of each
                                                          instruction that has SIZE bytes
     observe moved INPUTS KERNELS.so NAME SIZE SITES      what each instruction of a file loads or stores, which has a
                                                          line with its offset in the library and its operand in
                                                          memory: displacement, base, index, scale, and 8 if it
                                                          repeats a word in all lanes, else 1

   The instructions are executed one by one under ptrace. Vectors are written as they lie in memory, each after the
   offset of its instruction, or 0. */

#define _GNU_SOURCE

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../sampling/inputs.h"

#define LARGEST 64

static size_t wanted_size;
static bool logs;

static void write_vector(uint64_t offset, const void *vector) {
  require(fwrite(&offset, sizeof offset, 1, stdout) == 1, "the vectors cannot be written");
  require(fwrite(vector, wanted_size, 1, stdout) == 1, "the vectors cannot be written");
}

__attribute__((visibility("default"))) void assay_logged(const void *vector, size_t size) {
  if (logs && size == wanted_size) write_vector(0, vector);
}

/* Fills all lanes once. Answers are vectors too: the compiler may store 32 bytes of one at once. */
static void answer_batch(const batch *work) {
  answers result;
  answer(work, work->kernel->lanes, &result);
  for (size_t i = 0; i < work->kernel->lanes; i++) assay_logged(result.secrets[i], sizeof result.secrets[i]);
}

/* An instruction that loads or stores a vector. Registers are numbered as in `register_of`, -1 for none. */
typedef struct {
  uint64_t offset;
  int64_t displacement;
  int base, index, scale, repeated;
} site;

/* The value of a register. The last number stands for the address at which the library is loaded. */
static uint64_t register_of(const struct user_regs_struct *all, uint64_t start, int number) {
  const uint64_t registers[] = {all->rax, all->rbx, all->rcx, all->rdx, all->rsi, all->rdi, all->rbp, all->rsp, all->r8,
                                all->r9,  all->r10, all->r11, all->r12, all->r13, all->r14, all->r15, start};
  return number < 0 ? 0 : registers[number];
}

static site *read_sites(const char *path, size_t *count) {
  FILE *file = fopen(path, "r");
  require(file != NULL, "the sites cannot be read");
  site *sites = NULL, one;
  *count = 0;
  while (fscanf(file, "%lu %ld %d %d %d %d", &one.offset, &one.displacement, &one.base, &one.index, &one.scale,
                &one.repeated) == 6) {
    sites = realloc(sites, (*count + 1) * sizeof *sites);
    require(sites != NULL && one.base < 17 && one.index < 16, "the sites cannot be read");
    sites[(*count)++] = one;
  }
  fclose(file);
  return sites;
}

static const site *site_at(const site *sites, size_t count, uint64_t offset) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (sites[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return low < count && sites[low].offset == offset ? sites + low : NULL;
}

static int step(pid_t child) {
  int status;
  require(ptrace(PTRACE_SINGLESTEP, child, 0, 0) == 0 && waitpid(child, &status, 0) == child, "no step");
  return status;
}

/* Writes the vector in the memory that an instruction has loaded or stored. */
static void read_vector(pid_t child, const site *here, const struct user_regs_struct *before, uint64_t start) {
  uint8_t vector[LARGEST];
  const uint64_t address = register_of(before, start, here->base) +
                           register_of(before, start, here->index) * (uint64_t)here->scale +
                           (uint64_t)here->displacement;
  const size_t size = here->repeated == 1 ? wanted_size : (size_t)here->repeated;
  struct iovec own = {vector, size}, other = {(void *)address, size};
  require(process_vm_readv(child, &own, 1, &other, 1, 0) == (ssize_t)size, "a vector cannot be read");
  for (size_t i = size; i < wanted_size; i += size) memcpy(vector + i, vector, size);
  write_vector(here->offset, vector);
}

static void observe(pid_t child, uint64_t start, const site *sites, size_t count) {
  for (;;) {
    struct user_regs_struct registers;
    require(ptrace(PTRACE_GETREGS, child, 0, &registers) == 0, "no registers");
    const site *here = site_at(sites, count, registers.rip - start);
    const int status = step(child);
    if (WIFEXITED(status)) exit(WEXITSTATUS(status));
    require(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP, "the kernel was stopped");
    if (here != NULL) read_vector(child, here, &registers, start);
  }
}

static void trace(const batch *work, const char *path) {
  size_t count;
  const site *sites = read_sites(path, &count);
  Dl_info info;
  require(dladdr((void *)work->kernel->verify, &info) != 0, "the kernels are not found in memory");
  const pid_t child = fork();
  require(child >= 0, "no process");
  if (child == 0) {
    require(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0, "no permission to trace");
    raise(SIGSTOP);
    answer_batch(work);
    _exit(0);
  }
  int status;
  require(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "no child");
  observe(child, (uint64_t)info.dli_fbase, sites, count);
}

int main(int count, char **words) {
  require(count >= 6, "logged | moved INPUTS KERNELS.so NAME SIZE [SITES]");
  wanted_size = strtoul(words[5], NULL, 10);
  require(wanted_size <= LARGEST, "no such size");
  const library kernels = open_library(words[3]);
  batch work;
  FILE *file = open_inputs(words[2], &kernels, words[4], &work);
  const size_t lanes = work.kernel->lanes;
  require(fread(work.inputs, sizeof *work.inputs, lanes, file) == lanes, "too few inputs");
  if (count == 7) trace(&work, words[6]);
  logs = true;
  if (count == 6) answer_batch(&work);
  return fflush(stdout);
}
