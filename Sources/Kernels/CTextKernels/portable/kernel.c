#include "../kernels.h"

static bool is_supported(void) { return true; }

const assay_text_kernel assay_text_portable = {
    "portable", is_supported, assay_base64_decode_portable, assay_json_run_portable, assay_json_unescape_portable,
};
