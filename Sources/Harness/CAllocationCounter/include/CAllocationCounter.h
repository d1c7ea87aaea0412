#ifndef ASSAY_CALLOCATIONCOUNTER_H
#define ASSAY_CALLOCATIONCOUNTER_H

#include <stdint.h>

/* A library to load ahead of a benchmark (LD_PRELOAD): it stands in for malloc and its relatives and counts their calls while asked
   to. libcrypto's own allocations, seen through CRYPTO_set_mem_functions, are counted apart. Found by dlsym; never linked. */

/* 1 when libcrypto's allocations are counted apart, 0 when libcrypto was not found or had already allocated. */
int assay_allocation_counter_knows_libcrypto(void);

/* Sets the counters to zero and switches counting on, for all threads. */
void assay_allocation_counter_begin(void);

/* Switches counting off; own calls, own bytes, libcrypto's calls, libcrypto's bytes. Bytes are those asked for. */
void assay_allocation_counter_end(uint64_t counts[4]);

#endif
