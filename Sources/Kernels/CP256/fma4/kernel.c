#include "../kernels.h"

#define LANES 4
#define PREFIX fma4

#if defined(__x86_64__)

#include "native.h"

#include "../lanes/names.h"
#include "lanes.h"

#include "../lanes/field.h"

#include "product.h"

#include "../lanes/kernel.h"

static bool is_supported(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}

const assay_p256_kernel assay_p256_fma4 = KERNEL_TABLE("fma4", is_supported, false, 2, 3);

#else

static bool is_supported(void) { return false; }

const assay_p256_kernel assay_p256_fma4 = {.name = "fma4", .is_supported = is_supported, .lanes = LANES};

#endif
