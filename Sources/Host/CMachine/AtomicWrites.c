#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMachine.h"

#include <string.h>

/* The processor traps before each instruction of a traced thread (the trap flag of EFLAGS; Intel SDM volume 3, 17.3.1).
   The signal's handler reads the next instruction: if it has a LOCK prefix, or is an XCHG with memory, which locks by
   itself (SDM volume 2), its operand's address is computed from the registers and counted. The handler itself is not
   traced, as the kernel clears the flag for it and restores it afterwards.

   A virtual machine takes up to 20 µs for a trap. So functions that are known to have no such instruction run untraced:
   where one begins, its return address is replaced by that of a breakpoint, whose handler returns to the old one and
   traces again. */

#if defined(__linux__) && defined(__x86_64__)

#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100ull

/* What a thread records; nil while it is not traced. */
static _Thread_local struct {
  assay_atomic_write *records;
  size_t capacity, count;
  const assay_untraced *untraced;
  uint64_t call, return_address;
  bool is_full;
} trace;

static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;
/* The program's own code, without its libraries'. */
static uint64_t code_start, code_end;

static int find_code(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) continue;
    code_start = info->dlpi_addr + header->p_vaddr;
    code_end = code_start + header->p_memsz;
    break;
  }
  return 1; /* The first object is the program. */
}

static const int register_index[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                       REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/* An instruction as far as its operand in memory is concerned. */
typedef struct {
  const uint8_t *operand; /* The ModRM byte. */
  uint8_t rex;
  bool locks, is_call, uses_fs, uses_gs;
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
  result.is_call = !is_extended && (opcode == 0xE8 || (opcode == 0xFF && (*code >> 3 & 7) == 2));
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
  for (size_t i = 0; i < trace.count; i++) {
    assay_atomic_write *record = &trace.records[i];
    if (record->line == line && record->instruction == code && record->call == trace.call) {
      record->count++;
      return;
    }
  }
  if (trace.count == trace.capacity) {
    trace.is_full = true;
    return;
  }
  trace.records[trace.count++] =
      (assay_atomic_write){.line = line, .instruction = code, .call = trace.call, .count = 1};
}

/* Where untraced functions return to. */
void assay_untraced_return(void);
__asm__(".text\n.globl assay_untraced_return\n.hidden assay_untraced_return\nassay_untraced_return:\n  int3\n");

/* Lets a function run untraced if it is at its first instruction, where the top of the stack is its return address. */
static bool skip(uint64_t code, greg_t *registers) {
  for (size_t i = 0; i < trace.untraced->count; i++) {
    if (code != trace.untraced->functions[i]) continue;
    uint64_t *top = (uint64_t *)(uintptr_t)registers[REG_RSP];
    trace.return_address = *top;
    *top = (uint64_t)(uintptr_t)assay_untraced_return;
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return true;
  }
  return false;
}

static void step(int number, siginfo_t *information, void *context) {
  (void)number;
  (void)information;
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  if (trace.records == NULL) {
    /* A thread that a traced one has started has inherited its flag. */
    registers[REG_EFL] &= ~(greg_t)TRAP_FLAG;
    return;
  }
  /* The address after the breakpoint's one byte. */
  if ((uint64_t)registers[REG_RIP] == (uint64_t)(uintptr_t)assay_untraced_return + 1) {
    registers[REG_RIP] = (greg_t)trace.return_address;
    registers[REG_EFL] |= (greg_t)TRAP_FLAG;
  }
  const uint64_t code = (uint64_t)registers[REG_RIP];
  if (skip(code, registers)) return;
  const instruction next = decode((const uint8_t *)(uintptr_t)code);
  if (next.is_call && code >= code_start && code < code_end) trace.call = code;
  if (next.locks) count(address_of(&next, registers) / assay_cache_line * assay_cache_line, code);
}

int assay_begin_atomic_writes(assay_atomic_write *records, size_t capacity, const assay_untraced *untraced) {
  pthread_mutex_lock(&installing);
  if (!is_installed) {
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    dl_iterate_phdr(find_code, NULL);
    is_installed = sigaction(SIGTRAP, &action, NULL) == 0;
  }
  const bool is_ready = is_installed;
  pthread_mutex_unlock(&installing);
  if (!is_ready) return -1;
  trace.records = records;
  trace.capacity = capacity;
  trace.count = 0;
  trace.untraced = untraced;
  trace.call = 0;
  trace.is_full = false;
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() | TRAP_FLAG);
  return 0;
}

ptrdiff_t assay_end_atomic_writes(void) {
  __builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() & ~TRAP_FLAG);
  const ptrdiff_t result = trace.is_full ? -1 : (ptrdiff_t)trace.count;
  trace.records = NULL;
  return result;
}

#else

int assay_begin_atomic_writes(assay_atomic_write *records, size_t capacity, const assay_untraced *untraced) {
  (void)records;
  (void)capacity;
  (void)untraced;
  return -1;
}

ptrdiff_t assay_end_atomic_writes(void) { return -1; }

#endif

#if defined(__linux__)

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of libswiftCore, if the program is linked with it. */
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *capacity, uint32_t flags)
    __attribute__((weak));

/* Copies a name as people read it, or its beginning. */
static void copy_name(const char *name, char *buffer, size_t capacity) {
  char *readable = swift_demangle == NULL ? NULL : swift_demangle(name, strlen(name), NULL, NULL, 0);
  strncpy(buffer, readable == NULL ? name : readable, capacity - 1);
  buffer[capacity - 1] = 0;
  free(readable);
}

/* Looks an address up in the symbol table of the program's file: the dynamic linker knows exported functions only. */
static void find_in_file(const char *path, uint64_t offset, char *buffer, size_t capacity) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return;
  if (fstat(file, &status) != 0) {
    close(file);
    return;
  }
  const size_t size = (size_t)status.st_size;
  const uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) return;
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const Elf64_Sym *symbols = (const Elf64_Sym *)(bytes + sections[i].sh_offset);
    const char *names = (const char *)bytes + sections[sections[i].sh_link].sh_offset;
    for (size_t j = 0; j < sections[i].sh_size / sizeof *symbols; j++) {
      if (ELF64_ST_TYPE(symbols[j].st_info) != STT_FUNC || offset < symbols[j].st_value ||
          offset >= symbols[j].st_value + symbols[j].st_size)
        continue;
      copy_name(names + symbols[j].st_name, buffer, capacity);
    }
  }
  munmap((void *)bytes, size);
}

void assay_function_name(uint64_t address, char *buffer, size_t capacity) {
  if (capacity == 0) return;
  buffer[0] = 0;
  Dl_info information;
  if (dladdr((void *)(uintptr_t)address, &information) == 0) return;
  if (information.dli_sname != NULL) return copy_name(information.dli_sname, buffer, capacity);
  Dl_info program;
  if (dladdr((void *)(uintptr_t)assay_function_name, &program) == 0) return;
  if (program.dli_fbase != information.dli_fbase) return;
  find_in_file("/proc/self/exe", address - (uint64_t)(uintptr_t)information.dli_fbase, buffer, capacity);
}

#else

void assay_function_name(uint64_t address, char *buffer, size_t capacity) {
  (void)address;
  if (capacity > 0) buffer[0] = 0;
}

#endif
