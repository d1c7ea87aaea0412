#ifndef ASSAY_CALLOCATIONCOUNTER_H
#define ASSAY_CALLOCATIONCOUNTER_H

#include <stdint.h>

/* A library to preload into a benchmark process (LD_PRELOAD). It interposes malloc, calloc, realloc and the like and
   counts their calls while counting is on. libcrypto's allocations are counted separately, with
   CRYPTO_set_mem_functions. The program finds it by dlsym and never links it. */

/* 1 if libcrypto's allocations are counted separately, 0 if libcrypto was not found or had already allocated. */
int assay_allocation_counter_knows_libcrypto(void);

/* Resets the counters and turns counting on for all threads. */
void assay_allocation_counter_begin(void);

/* Turns counting off. Returns own calls, own bytes, libcrypto's calls, libcrypto's bytes. Bytes are as requested. */
void assay_allocation_counter_end(uint64_t counts[4]);

#endif
