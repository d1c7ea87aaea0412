/* The list of kernels, and the kernel in use. */

#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#define ADDRESS(name) &assay_text_##name,
static const assay_text_kernel *const kernels[] = {ASSAY_TEXT_KERNELS(ADDRESS)};

const assay_text_kernel *assay_text_kernel_in_use;

size_t assay_text_kernel_count(void) { return sizeof kernels / sizeof *kernels; }

const assay_text_kernel *assay_text_kernel_at(size_t index) {
  const size_t last = assay_text_kernel_count() - 1;
  return kernels[index < last ? index : last];
}

const assay_text_kernel *assay_text_kernel_named(const char *name) {
  for (size_t index = 0; index < assay_text_kernel_count(); index++) {
    if (strcmp(kernels[index]->name, name) == 0) return kernels[index];
  }
  return NULL;
}

static const assay_text_kernel *chosen(void) {
  const char *name = getenv(ASSAY_TEXT_KERNEL_VARIABLE);
  const assay_text_kernel *named = name != NULL ? assay_text_kernel_named(name) : NULL;
  if (named != NULL && named->is_supported()) return named;
  size_t index = 0;
  while (index + 1 < assay_text_kernel_count() && !kernels[index]->is_supported()) index++;
  return kernels[index];
}

const assay_text_kernel *assay_text_kernel_choose(void) {
  const assay_text_kernel *kernel = chosen(), *before = NULL;
  /* Threads that get here at the same time choose the same kernel. One that was forced meanwhile stays. */
  if (__atomic_compare_exchange_n(
          &assay_text_kernel_in_use, &before, kernel, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return kernel;
  }
  return before;
}

void assay_text_kernel_force(const assay_text_kernel *kernel) {
  __atomic_store_n(&assay_text_kernel_in_use, kernel, __ATOMIC_RELEASE);
}
