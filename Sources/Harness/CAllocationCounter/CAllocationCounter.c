#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CAllocationCounter.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_int counting;
static atomic_int knows_libcrypto;

struct counter {
  atomic_uint_fast64_t calls, bytes;
};
static struct counter own, libcrypto;

int assay_allocation_counter_knows_libcrypto(void) { return atomic_load(&knows_libcrypto); }

void assay_allocation_counter_begin(void) {
  struct counter *const counters[] = {&own, &libcrypto};
  for (int i = 0; i < 2; i++) {
    atomic_store(&counters[i]->calls, 0);
    atomic_store(&counters[i]->bytes, 0);
  }
  atomic_store(&counting, 1);
}

void assay_allocation_counter_end(uint64_t counts[4]) {
  atomic_store(&counting, 0);
  counts[0] = atomic_load(&own.calls);
  counts[1] = atomic_load(&own.bytes);
  counts[2] = atomic_load(&libcrypto.calls);
  counts[3] = atomic_load(&libcrypto.bytes);
}

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>

/* glibc also exports its allocator under these names. Calling them avoids dlsym, which may allocate. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *pointer);

static void count(struct counter *counter, size_t bytes) {
  if (!atomic_load_explicit(&counting, memory_order_relaxed)) return;
  atomic_fetch_add_explicit(&counter->calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counter->bytes, bytes, memory_order_relaxed);
}

/* free is not replaced: all memory comes from glibc's allocator. */

void *malloc(size_t size) {
  count(&own, size);
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(&own, number * size);
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count(&own, size);
  return __libc_realloc(pointer, size);
}

void *reallocarray(void *pointer, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  count(&own, bytes);
  return __libc_realloc(pointer, bytes);
}

void *memalign(size_t alignment, size_t size) {
  count(&own, size);
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(&own, size);
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  count(&own, size);
  void *pointer = __libc_memalign(alignment, size);
  if (!pointer) return ENOMEM;
  *result = pointer;
  return 0;
}

static void *libcrypto_malloc(size_t size, const char *file, int line) {
  (void)file;
  (void)line;
  if (size == 0) return NULL; /* as CRYPTO_malloc does */
  count(&libcrypto, size);
  return __libc_malloc(size);
}

static void *libcrypto_realloc(void *pointer, size_t size, const char *file, int line) {
  (void)file;
  (void)line;
  count(&libcrypto, size);
  return __libc_realloc(pointer, size);
}

static void libcrypto_free(void *pointer, const char *file, int line) {
  (void)file;
  (void)line;
  __libc_free(pointer);
}

typedef int set_mem_functions(
    void *(*)(size_t, const char *, int), void *(*)(void *, size_t, const char *, int),
    void (*)(void *, const char *, int));

/* libcrypto accepts other functions only before its first allocation, so this is a constructor that runs before main.
   */
__attribute__((constructor)) static void hook_libcrypto(void) {
  set_mem_functions *set = (set_mem_functions *)dlsym(RTLD_DEFAULT, "CRYPTO_set_mem_functions");
  if (set && set(libcrypto_malloc, libcrypto_realloc, libcrypto_free) == 1) atomic_store(&knows_libcrypto, 1);
}

#endif
