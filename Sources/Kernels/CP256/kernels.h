/* The kernels that there are; each is defined by kernel.c, or emulated.c, in its folder. */

#ifndef ASSAY_P256_KERNELS_H
#define ASSAY_P256_KERNELS_H

#include "CP256.h"

extern const assay_p256_kernel assay_p256_ifma8, assay_p256_fma4, assay_p256_scalar;
extern const assay_p256_kernel assay_p256_ifma8_emulated, assay_p256_fma4_emulated;

#endif
