#include "inject.h"

#define assay_p256_ifma8_emulated assay_p256_ifma8_emulated_faulty

#include "../../../Sources/Kernels/CP256/ifma8/emulated.c"
