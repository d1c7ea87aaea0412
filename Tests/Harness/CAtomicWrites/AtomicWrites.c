#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CAtomicWrites.h"

#include <string.h>

/* The processor traps before each instruction of a traced thread (the trap flag of EFLAGS; Intel SDM volume 3, 17.3.1).
   The signal's handler reads the next instruction: if it has a LOCK prefix, or is an XCHG with memory, which locks by
   itself (SDM volume 2), its operand's address is computed from the registers and counted. The handler itself is not
   traced, as the kernel clears the flag for it and restores it afterwards. The same signal, sent with pthread_sigqueue,
   turns the flag on or off, because a traced thread may block all other signals.

   A virtual machine takes up to 20 µs for a trap, so functions may run untraced: at its first instruction a function's
   return address is replaced by that of a breakpoint, whose handler resumes at the original one and traces again. */

#if defined(__linux__) && defined(__x86_64__)

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG 0x100ull

struct assay_atomic_writes {
  assay_atomic_write writes[4096];
  size_t count;
  bool is_full;
  atomic_bool is_traced;
};

/* The trace of this thread; null while it has none. */
static _Thread_local assay_atomic_writes *trace;
/* Where the function that runs untraced returns to. */
static _Thread_local uint64_t return_address;

static const uint64_t *untraced;
static size_t untraced_count;

void assay_leave_untraced(const uint64_t *functions, size_t count) {
  untraced = functions;
  untraced_count = count;
}

static const int register_index[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                       REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* An instruction as far as its operand in memory is concerned. */
typedef struct {
  const uint8_t *operand; /* The ModRM byte. */
  uint8_t rex;
  bool locks, uses_fs, uses_gs;
  uint8_t immediate; /* The number of bytes after the operand. */
} instruction;

static instruction decode(const uint8_t *code) {
  instruction result = {0};
  bool has_lock = false, is_wide = true;
  for (;; code++) {
    if (*code == 0xF0) has_lock = true;
    else if (*code == 0x64) result.uses_fs = true;
    else if (*code == 0x65) result.uses_gs = true;
    else if (*code == 0x66) is_wide = false;
    else if (*code != 0xF2 && *code != 0xF3 && *code != 0x2E && *code != 0x36 && *code != 0x3E && *code != 0x26) break;
  }
  if ((*code & 0xF0) == 0x40) result.rex = *code++;
  uint8_t opcode = *code++;
  const bool is_extended = opcode == 0x0F;
  if (is_extended) opcode = *code++;
  result.operand = code;
  const bool is_exchange = !is_extended && (opcode == 0x86 || opcode == 0x87) && *code >> 6 != 3;
  result.locks = has_lock || is_exchange;
  if (is_extended) result.immediate = opcode == 0xBA;
  else if (opcode == 0x80 || opcode == 0x83) result.immediate = 1;
  else if (opcode == 0x81) result.immediate = is_wide ? 4 : 2;
  return result;
}

static uint64_t segment_base(bool is_fs) {
  uint64_t base = 0;
  /* The first word of a thread's block is its own address (x86-64 ABI, thread-local storage). */
  if (is_fs) __asm__("mov %%fs:0, %0" : "=r"(base));
  return base;
}

/* The address of an operand in memory (SDM volume 2, 2.1.5 and 2.2.1). */
static uint64_t address_of(const instruction *one, const greg_t *registers) {
  const uint8_t *code = one->operand;
  const uint8_t modrm = *code++;
  const unsigned mode = modrm >> 6;
  unsigned base = modrm & 7;
  uint64_t address = one->uses_fs || one->uses_gs ? segment_base(one->uses_fs) : 0;
  bool has_base = true;
  if (base == 4) {
    const uint8_t sib = *code++;
    const unsigned index = (sib >> 3 & 7) | (one->rex & 2) << 2;
    if (index != 4) address += (uint64_t)registers[register_index[index]] << (sib >> 6);
    base = sib & 7;
    has_base = !(base == 5 && mode == 0);
  } else if (base == 5 && mode == 0) {
    int32_t offset;
    memcpy(&offset, code, sizeof offset);
    return address + (uint64_t)(uintptr_t)(code + sizeof offset + one->immediate) + (uint64_t)(int64_t)offset;
  }
  if (has_base) address += (uint64_t)registers[register_index[base | (one->rex & 1) << 3]];
  if (mode == 1) address += (uint64_t)(int64_t)(int8_t)*code;
  if (mode == 2 || !has_base) {
    int32_t offset;
    memcpy(&offset, code, sizeof offset);
    address += (uint64_t)(int64_t)offset;
  }
  return address;
}

static void count(uint64_t line, uint64_t code) {
  for (size_t i = 0; i < trace->count; i++) {
    assay_atomic_write *write = &trace->writes[i];
    if (write->line == line && write->instruction == code) {
      write->count++;
      return;
    }
  }
  if (trace->count == sizeof trace->writes / sizeof *trace->writes) {
    trace->is_full = true;
    return;
  }
  trace->writes[trace->count++] = (assay_atomic_write){.line = line, .instruction = code, .count = 1};
}

void assay_untraced_return(void);
__asm__(".text\n.globl assay_untraced_return\n.hidden assay_untraced_return\nassay_untraced_return:\n  int3\n");

/* Lets a function run untraced if it is at its first instruction, where the top of the stack is its return address. */
static bool skip(uint64_t code, greg_t *registers) {
  for (size_t i = 0; i < untraced_count; i++) {
    if (code != untraced[i]) continue;
    uint64_t *top = (uint64_t *)(uintptr_t)registers[REG_RSP];
    return_address = *top;
    *top = (uint64_t)(uintptr_t)assay_untraced_return;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return true;
  }
  return false;
}

/* Begins the trace that a signal names, or ends the thread's own. */
static void change(assay_atomic_writes *begun, greg_t *registers) {
  assay_atomic_writes *const former = trace;
  trace = begun;
  if (begun != NULL) {
    registers[REG_EFL] |= (greg_t)TRAP_FLAG;
    atomic_store(&begun->is_traced, true);
  } else {
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    if (former != NULL) atomic_store(&former->is_traced, false);
  }
}

static void step(int number, siginfo_t *information, void *context) {
  (void)number;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (information->si_code == SI_QUEUE) return change(information->si_value.sival_ptr, registers);
  /* The address after the breakpoint's one byte. */
  if ((uint64_t)registers[REG_RIP] == (uint64_t)(uintptr_t)assay_untraced_return + 1) {
    registers[REG_RIP] = (greg_t)return_address;
    registers[REG_EFL] |= (greg_t)TRAP_FLAG;
  }
  if (trace == NULL) {
    /* A thread that a traced one has started has inherited its flag. */
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return;
  }
  const uint64_t code = (uint64_t)registers[REG_RIP];
  if (skip(code, registers)) return;
  const instruction next = decode((const uint8_t *)(uintptr_t)code);
  if (next.locks) count(address_of(&next, registers) / assay_cache_line * assay_cache_line, code);
}

/* Sends a thread the signal until it has received it: a signal that comes while another is pending is lost. */
static bool send(pthread_t thread, assay_atomic_writes *begun, atomic_bool *is_traced, bool expected) {
  const union sigval value = {.sival_ptr = begun};
  while (atomic_load(is_traced) != expected) {
    if (pthread_sigqueue(thread, SIGTRAP, value) != 0) return false;
    for (int waits = 0; waits < 1000 && atomic_load(is_traced) != expected; waits++) usleep(100);
  }
  return true;
}

assay_atomic_writes *assay_begin_atomic_writes(pthread_t thread) {
  struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO | SA_RESTART};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGTRAP, &action, NULL) != 0) return NULL;
  assay_atomic_writes *begun = calloc(1, sizeof *begun);
  if (begun != NULL && !send(thread, begun, &begun->is_traced, true)) {
    free(begun);
    return NULL;
  }
  return begun;
}

bool assay_end_atomic_writes(assay_atomic_writes *begun, pthread_t thread) {
  return send(thread, NULL, &begun->is_traced, false) && !begun->is_full;
}

const assay_atomic_write *assay_recorded_atomic_writes(const assay_atomic_writes *ended, size_t *count) {
  *count = ended->count;
  return ended->writes;
}

void assay_find_instruction(uint64_t *address, const char **function, const char **file) {
  Dl_info found;
  if (dladdr((void *)(uintptr_t)*address, &found) == 0) return;
  *address -= (uint64_t)(uintptr_t)found.dli_fbase;
  *function = found.dli_sname;
  *file = found.dli_fname;
}

#endif
