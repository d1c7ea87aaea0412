#include "inject.h"

#define assay_p256_ifma8 assay_p256_ifma8_faulty

#include "../../../Sources/Kernels/CP256/ifma8/kernel.c"
