#ifndef ASSAY_CMACHINE_H
#define ASSAY_CMACHINE_H

#include <stddef.h>
#include <stdint.h>

/* What measuring and a program that holds secrets need of the machine and Swift cannot call itself: GNU-only functions, variadic
   ones and processor queries. Linux on x86-64 is complete; elsewhere a function that has no counterpart says so. */

/* Nanoseconds of a clock that never goes back. */
uint64_t assay_monotonic_nanoseconds(void);

/* Whether the processor counts at one rate whatever its clock does (Intel SDM vol. 3, 17.17.1): only then is it a clock. */
int assay_has_invariant_tsc(void);

/* The processor's time-stamp counter, read once all before it is done; 0 where there is none. */
uint64_t assay_read_tsc(void);

/* Number of CPUs this process may run on, at least 1. */
int assay_allowed_cpu_count(void);

/* Pins the calling thread to one of the allowed CPUs, counted from the last one (0 is the last: interrupts prefer the first).
   Returns the CPU's number, or -1 where the system has no pinning or refuses. */
int assay_pin_thread(int position_from_last);

/* Lets the calling thread run again on every CPU it was allowed before the first pin. */
void assay_unpin_thread(void);

/* Whether this process may run on the CPU of that number. */
int assay_may_use_cpu(int cpu);

/* Pins the calling thread to the CPU of that number. Returns 0, or -1 when the system refused. */
int assay_pin_thread_to(int cpu);

/* Leaves the calling thread about a tenth of a CPU that others want as well. Returns 0, or -1 where threads have no priorities of
   their own. */
int assay_lower_thread_priority(void);

/* Tells the processor that the caller waits in a loop. */
static inline void assay_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Asks for the highest priority there is among ordinary processes. Returns 0, or -1 when the system refused: mostly it allows it
   to its administrator alone. */
int assay_raise_priority(void);

/* Writes the processor's name, NUL-terminated and cut to `capacity`; an empty string when unknown. */
void assay_cpu_brand(char *buffer, size_t capacity);

/* Whether the processor and the system offer an instruction set, by the names listed in CMachine.c; 0 for unknown names. */
int assay_cpu_supports(const char *feature);

/* The name of the instruction set at `index` of those that assay_cpu_supports knows; NULL past the end. */
const char *assay_cpu_feature_name(int index);

/* Switches off core dumps and attaching debuggers, so that keys never reach a disk. Returns 0, or -1 when the system refused. */
int assay_forbid_core_dumps(void);

/* Whether a file descriptor is a terminal. */
int assay_is_terminal(int descriptor);

/* The largest resident set so far, in bytes; 0 when unknown. */
uint64_t assay_peak_resident_bytes(void);

/* The path of the running program, NUL-terminated. Returns its length, or -1 when unknown or longer than `capacity`. */
int assay_program_path(char *buffer, size_t capacity);

/* Whether the allocation counter is loaded into this process. */
enum assay_counter_state {
  ASSAY_COUNTER_ABSENT = 0,         /* the library is not loaded */
  ASSAY_COUNTER_WITHOUT_CRYPTO = 1, /* loaded, but libcrypto's allocations cannot be told apart */
  ASSAY_COUNTER_READY = 2,
};
enum assay_counter_state assay_counter_state(void);

/* Allocations of a stretch of the program, in all threads. */
struct assay_allocations {
  uint64_t own_calls;
  uint64_t own_bytes;
  uint64_t libcrypto_calls;
  uint64_t libcrypto_bytes;
};

/* Sets the counters to zero and switches counting on; nothing when the counter is absent. */
void assay_counter_begin(void);

/* Switches counting off and returns what was counted; zeros when the counter is absent. */
struct assay_allocations assay_counter_end(void);

#endif
