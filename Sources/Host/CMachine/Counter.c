#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMachine.h"

#include <dlfcn.h>
#include <pthread.h>

/* The counter is a separate library that is preloaded only for benchmarks. It is found by name and never linked, so
   that the shipped program contains no hook. */

static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static int (*library_knows_crypto)(void);
static void (*library_begin)(void);
static void (*library_end)(uint64_t counts[4]);

static void find(void) {
  library_knows_crypto = (int (*)(void))dlsym(RTLD_DEFAULT, "assay_allocation_counter_knows_libcrypto");
  library_begin = (void (*)(void))dlsym(RTLD_DEFAULT, "assay_allocation_counter_begin");
  library_end = (void (*)(uint64_t *))dlsym(RTLD_DEFAULT, "assay_allocation_counter_end");
}

enum assay_counter_state assay_counter_state(void) {
  pthread_once(&found_once, find);
  if (!library_knows_crypto || !library_begin || !library_end) return ASSAY_COUNTER_ABSENT;
  return library_knows_crypto() ? ASSAY_COUNTER_READY : ASSAY_COUNTER_WITHOUT_CRYPTO;
}

void assay_counter_begin(void) {
  if (assay_counter_state() != ASSAY_COUNTER_ABSENT) library_begin();
}

struct assay_allocations assay_counter_end(void) {
  uint64_t counts[4] = {0, 0, 0, 0};
  if (assay_counter_state() != ASSAY_COUNTER_ABSENT) library_end(counts);
  return (struct assay_allocations){counts[0], counts[1], counts[2], counts[3]};
}
