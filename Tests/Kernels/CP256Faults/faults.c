#include "CP256Faults.h"

#include <string.h>

#include "inject.h"

extern const assay_p256_kernel assay_p256_ifma8_faulty, assay_p256_ifma8_emulated_faulty, assay_p256_fma4_faulty,
    assay_p256_fma4_emulated_faulty;

static const assay_p256_kernel *const kernels[] = {
    &assay_p256_ifma8_faulty,
    &assay_p256_fma4_faulty,
    &assay_p256_ifma8_emulated_faulty,
    &assay_p256_fma4_emulated_faulty,
};

typedef struct {
  int window, coordinate, limb, bit, lane;
} fault;

static _Thread_local fault planned = {.window = -1};

void assay_p256_inject(void *sum, int window, int lanes) {
  if (window != planned.window) return;
  uint64_t *words = sum;
  words[lanes * (5 * planned.coordinate + planned.limb) + planned.lane] ^= (uint64_t)1 << planned.bit;
}

const assay_p256_kernel *assay_p256_faulty_kernel(const char *name) {
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
    if (strcmp(kernels[i]->name, name) == 0) return kernels[i];
  }
  return NULL;
}

void assay_p256_plan_fault(int window, int coordinate, int limb, int bit, int lane) {
  planned = (fault){window, coordinate, limb, bit, lane};
}
