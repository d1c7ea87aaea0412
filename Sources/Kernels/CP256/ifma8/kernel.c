#include "../kernels.h"

#define LANES 8
#define PREFIX ifma8

#if defined(__x86_64__)

#include "native.h"

#include "../lanes/names.h"

#include "../lanes/field.h"

#include "product.h"

#include "../lanes/kernel.h"

static bool is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("bmi2");
}

const assay_p256_kernel assay_p256_ifma8 = KERNEL_TABLE("ifma8", is_supported, false, 2, 4);

#else

static bool is_supported(void) { return false; }

const assay_p256_kernel assay_p256_ifma8 = {.name = "ifma8", .is_supported = is_supported, .lanes = LANES};

#endif
