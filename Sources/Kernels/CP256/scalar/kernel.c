#include "../kernels.h"

#include "scalar.h"

static bool is_supported(void) { return true; }

const assay_p256_kernel assay_p256_scalar = {
    .name = "scalar",
    .is_supported = is_supported,
    .is_emulated = false,
    .lanes = 1,
    .minimum_signatures = 2,
    .agree = NULL,
    .verify = assay_p256_scalar_verify,
    .verify_one = assay_p256_scalar_verify_one,
};
