/* The list of kernels in the order of preference, emulations last. Each is defined by kernel.c or emulated.c in its
   folder. */

#ifndef ASSAY_P256_KERNELS_H
#define ASSAY_P256_KERNELS_H

#include "CP256.h"

#define ASSAY_P256_KERNELS(KERNEL) \
  KERNEL(ifma8) KERNEL(fma4) KERNEL(scalar) KERNEL(ifma8_emulated) KERNEL(fma4_emulated)

#define DECLARED(name) extern const assay_p256_kernel assay_p256_##name;
ASSAY_P256_KERNELS(DECLARED)
#undef DECLARED

#endif
