#include "inject.h"

#define assay_p256_fma4_emulated assay_p256_fma4_emulated_faulty

#include "../../../Sources/Kernels/CP256/fma4/emulated.c"
