#include "kernels.h"

#include "constants.h"
#include "words.h"

/* The only list of kernels, in the order of preference. */
static const assay_p256_kernel *const kernels[] = {
    &assay_p256_ifma8,
    &assay_p256_fma4,
    &assay_p256_scalar,
    &assay_p256_ifma8_emulated,
    &assay_p256_fma4_emulated,
};

size_t assay_p256_kernel_count(void) { return sizeof kernels / sizeof *kernels; }

const assay_p256_kernel *assay_p256_kernel_at(size_t index) { return kernels[index]; }

void assay_p256_generator(uint8_t *point) {
  w_write(point, GX_WORDS);
  w_write(point + 32, GY_WORDS);
}
