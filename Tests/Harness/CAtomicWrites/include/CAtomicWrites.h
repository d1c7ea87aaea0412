#ifndef ASSAY_CATOMICWRITES_H
#define ASSAY_CATOMICWRITES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of a cache line. */
enum { assay_cache_line = 64 };

/* The atomic read-modify-write instructions of one thread that wrote to one cache line from one place. */
typedef struct {
  uint64_t line;        /* The address of the line's first byte. */
  uint64_t instruction; /* The address of the instruction. */
  uint64_t count;
} assay_atomic_write;

/* The trace of a thread. */
typedef struct assay_atomic_writes assay_atomic_writes;

/* Lets these functions, and what they call, run untraced from now on. The caller keeps the list. */
void assay_leave_untraced(const uint64_t *functions, size_t count);

/* Begins to record the atomic read-modify-write instructions of a thread, the caller or another. Every instruction of
   it then takes 1 to 20 µs. Returns null if it cannot be traced. Linux on x86-64 only. */
assay_atomic_writes *assay_begin_atomic_writes(pthread_t thread);

/* Ends the recording. Returns whether there was room for all writes. */
bool assay_end_atomic_writes(assay_atomic_writes *begun, pthread_t thread);

/* What was recorded; the caller frees `ended` with `free`. */
const assay_atomic_write *assay_recorded_atomic_writes(const assay_atomic_writes *ended, size_t *count);

/* Finds the exported function (null if there is none) and the file of an instruction, and turns its address into an
   offset in the file. Changes nothing if no file holds the address. */
void assay_find_instruction(uint64_t *address, const char **function, const char **file);

#endif
