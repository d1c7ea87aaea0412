#ifndef ASSAY_CMACHINE_H
#define ASSAY_CMACHINE_H

#include <dirent.h>
#include <stddef.h>
#include <stdint.h>

/* System functions for measuring and for protecting secrets that Swift cannot call: GNU extensions, variadic functions,
   processor queries. Everything works on Linux on x86-64; elsewhere, a function without a counterpart returns a
   failure. */

/* Nanoseconds of a monotonic clock. */
uint64_t assay_monotonic_nanoseconds(void);

/* The number of CPUs that this process may run on, at least 1. */
int assay_allowed_cpu_count(void);

/* Pins the calling thread to one of the allowed CPUs, counted from the last one (0 is the last, since interrupts prefer
   the first). Returns the CPU's number, or -1 if the system cannot pin threads or refuses. */
int assay_pin_thread(int position_from_last);

/* Allows the calling thread to run on all CPUs again that were allowed before the first pin. */
void assay_unpin_thread(void);

/* Whether this process may run on the CPU of that number. */
int assay_may_use_cpu(int cpu);

/* Pins the calling thread to the CPU of that number. Returns 0, or -1 when the system refused. */
int assay_pin_thread_to(int cpu);

/* Keeps the calling thread off these CPUs, if there are others that it may run on. Returns 0, or -1 when the system
   refused or there are no others. */
int assay_keep_thread_off(const int *cpus, size_t count);

/* Lowers the priority of the calling thread to the lowest that gets a share of a contended CPU, about a seventieth.
   Returns 0, or -1 if threads have no priority of their own. */
int assay_lower_thread_priority(void);

/* From now on all threads allocate from one arena. Otherwise glibc reserves 64 MB of addresses for a thread, even if
   that leaves none for the next thread's stack. */
void assay_share_one_arena(void);

/* A hint to the processor that the caller is spinning. */
static inline void assay_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* The name of an entry, in place: the record may be shorter than the array type that Swift imports. */
static inline const char *assay_entry_name(const struct dirent *entry) { return entry->d_name; }

/* Waits until all that was written to the file system of a descriptor survives a loss of power. */
void assay_sync_file_system(int descriptor);

/* Writes the processor's name, NUL-terminated and truncated to `capacity`; an empty string if unknown. */
void assay_cpu_brand(char *buffer, size_t capacity);

/* Whether the processor and the system support an instruction set, by the names listed in CMachine.c; 0 for unknown
   names. */
int assay_cpu_supports(const char *feature);

/* The name of the instruction set at `index` of the list that assay_cpu_supports knows; NULL past the end. */
const char *assay_cpu_feature_name(int index);

/* Disables core dumps and attaching of debuggers, so that keys do not leave the process. Returns 0, or -1 if the system
   refuses. */
int assay_forbid_core_dumps(void);

/* Opens the lowest free descriptor. Reading or writing it fails with EBADF, as if it were closed; on Darwin, reading
   fails with EISDIR. */
void assay_open_unusable(void);

/* Whether a file descriptor is a terminal. */
int assay_is_terminal(int descriptor);

/* The columns of a terminal; 0 if the descriptor is none, or they are unknown. */
int assay_terminal_width(int descriptor);

/* The peak resident set in bytes; 0 if unknown. */
uint64_t assay_peak_resident_bytes(void);

/* The path of the running program, NUL-terminated. Returns its length, or -1 if unknown or longer than `capacity`. */
int assay_program_path(char *buffer, size_t capacity);

/* Whether the allocation counter is loaded into this process. */
enum assay_counter_state {
  ASSAY_COUNTER_ABSENT = 0,         /* the library is not loaded */
  ASSAY_COUNTER_WITHOUT_CRYPTO = 1, /* loaded, but libcrypto's allocations cannot be counted separately */
  ASSAY_COUNTER_READY = 2,
};
enum assay_counter_state assay_counter_state(void);

/* Allocations between begin and end, in all threads. */
struct assay_allocations {
  uint64_t own_calls;
  uint64_t own_bytes;
  uint64_t libcrypto_calls;
  uint64_t libcrypto_bytes;
};

/* Resets the counters and turns counting on; does nothing without the counter. */
void assay_counter_begin(void);

/* Turns counting off and returns the counts; zeros without the counter. */
struct assay_allocations assay_counter_end(void);

#endif
