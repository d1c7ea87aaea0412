#include "inject.h"

#define assay_p256_fma4 assay_p256_fma4_faulty

#include "../../../Sources/Kernels/CP256/fma4/kernel.c"
