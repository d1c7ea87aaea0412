#include "../kernels.h"

#if defined(__aarch64__)

static bool is_supported(void) { return true; }

ASSAY_TEXT_KERNEL(neon, neon)

#else

static bool is_supported(void) { return false; }

ASSAY_TEXT_KERNEL(neon, portable)

#endif
