#include "kernels.h"

#include "constants.h"
#include "words.h"

#define ADDRESS(name) &assay_p256_##name,
static const assay_p256_kernel *const kernels[] = {ASSAY_P256_KERNELS(ADDRESS)};

size_t assay_p256_kernel_count(void) { return sizeof kernels / sizeof *kernels; }

const assay_p256_kernel *assay_p256_kernel_at(size_t index) { return kernels[index]; }

void assay_p256_generator(uint8_t *point) {
  w_write(point, GX_WORDS);
  w_write(point + 32, GY_WORDS);
}
