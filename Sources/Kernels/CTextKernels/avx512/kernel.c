#include "../kernels.h"

#if defined(__x86_64__)

static bool is_supported(void) {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

const assay_text_kernel assay_text_avx512 = {
    "avx512", is_supported, assay_base64_decode_avx512, assay_json_run_avx512, assay_json_unescape_avx512,
};

#else

static bool is_supported(void) { return false; }

const assay_text_kernel assay_text_avx512 = {
    "avx512", is_supported, assay_base64_decode_portable, assay_json_run_portable, assay_json_unescape_portable,
};

#endif
