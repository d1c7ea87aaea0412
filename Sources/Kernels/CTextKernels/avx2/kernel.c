#include "../kernels.h"

#if defined(__x86_64__)

static bool is_supported(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
}

const assay_text_kernel assay_text_avx2 = {
    "avx2", is_supported, assay_base64_decode_avx2, assay_json_run_avx2, assay_json_unescape_avx2,
};

#else

static bool is_supported(void) { return false; }

const assay_text_kernel assay_text_avx2 = {
    "avx2", is_supported, assay_base64_decode_portable, assay_json_run_portable, assay_json_unescape_portable,
};

#endif
