#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMachine.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The counter is a separate library that is preloaded only for benchmarks. It is found by name and never linked, so
   that the shipped program contains no hook. */

static pthread_once_t found_once = PTHREAD_ONCE_INIT;
static int (*library_knows_crypto)(void);
static void (*library_begin)(void);
static void (*library_end)(uint64_t counts[4]);
static void (*library_record)(int on);
static int (*library_site)(size_t index, struct assay_allocation_site *site);

static void find(void) {
  library_knows_crypto = (int (*)(void))dlsym(RTLD_DEFAULT, "assay_allocation_counter_knows_libcrypto");
  library_begin = (void (*)(void))dlsym(RTLD_DEFAULT, "assay_allocation_counter_begin");
  library_end = (void (*)(uint64_t *))dlsym(RTLD_DEFAULT, "assay_allocation_counter_end");
  library_record = (void (*)(int))dlsym(RTLD_DEFAULT, "assay_allocation_counter_record");
  library_site = (int (*)(size_t, struct assay_allocation_site *))dlsym(RTLD_DEFAULT, "assay_allocation_counter_site");
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

void assay_counter_record(int on) {
  if (assay_counter_state() != ASSAY_COUNTER_ABSENT && library_record) library_record(on);
}

int assay_counter_site(size_t index, struct assay_allocation_site *site) {
  return assay_counter_state() != ASSAY_COUNTER_ABSENT && library_site ? library_site(index, site) : 0;
}

int assay_code_place(uintptr_t address, char *path, size_t capacity, uintptr_t *offset) {
  Dl_info info;
  if (!dladdr((void *)address, &info) || !info.dli_fname || strlen(info.dli_fname) >= capacity) return -1;
  /* The name of the program is what it was started by, which need not be a path. */
  strcpy(path, info.dli_fname);
  Dl_info own;
  if (dladdr((void *)&assay_code_place, &own) && own.dli_fbase == info.dli_fbase) {
    if (assay_program_path(path, capacity) < 0) return -1;
  }
  *offset = address - (uintptr_t)info.dli_fbase;
  return 0;
}

/* Of the Swift runtime (Demangling.md of Swift): returns a string to be freed if no buffer is given. */
char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags) __attribute__((weak));

char *assay_demangled(const char *name) {
  return swift_demangle ? swift_demangle(name, strlen(name), NULL, NULL, 0) : NULL;
}
