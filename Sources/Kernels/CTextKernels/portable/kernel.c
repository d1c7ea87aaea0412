#include "../kernels.h"

static bool is_supported(void) { return true; }

ASSAY_TEXT_KERNEL(portable, portable)
