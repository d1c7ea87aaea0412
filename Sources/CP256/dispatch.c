#include "CP256.h"

#include "lanes.h"

bool assay_p256_has_lanes(void) {
#if defined(ASSAY_P256_EMULATED)
  return true;
#elif defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("bmi2");
#else
  return false;
#endif
}
