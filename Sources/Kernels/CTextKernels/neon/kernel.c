#include "../kernels.h"

#if defined(__aarch64__)

static bool is_supported(void) { return true; }

const assay_text_kernel assay_text_neon = {
    "neon", is_supported, assay_base64_decode_neon, assay_json_run_neon, assay_json_unescape_neon,
};

#else

static bool is_supported(void) { return false; }

const assay_text_kernel assay_text_neon = {
    "neon", is_supported, assay_base64_decode_portable, assay_json_run_portable, assay_json_unescape_portable,
};

#endif
