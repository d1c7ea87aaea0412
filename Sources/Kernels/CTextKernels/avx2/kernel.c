#include "../kernels.h"

#if defined(__x86_64__)

static bool is_supported(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}

ASSAY_TEXT_KERNEL(avx2, avx2)

#else

static bool is_supported(void) { return false; }

ASSAY_TEXT_KERNEL(avx2, portable)

#endif
