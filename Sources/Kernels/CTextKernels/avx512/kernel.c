#include "../kernels.h"

#if defined(__x86_64__)

static bool is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
         __builtin_cpu_supports("avx512vbmi2");
}

ASSAY_TEXT_KERNEL(avx512, avx512)

#else

static bool is_supported(void) { return false; }

ASSAY_TEXT_KERNEL(avx512, portable)

#endif
