#include "../kernels.h"

#define LANES 8
#define PREFIX ifma8_emulated

#include "../lanes/emulated.h"

#include "../lanes/names.h"

LANES_BEGIN
#define PADDING 0
#define PRODUCT NOINLINE static
INLINE lanes l_carry(lanes a) {
  BOUND((a[lane] + ((uint64_t)1 << 60)) >> 61 == 0)
  return l_sar(a, LIMB_BITS);
}
INLINE lanes l_quotient(lanes top) { return l_sar(top, 48); }
INLINE lanes l_remainder(lanes top, lanes quotient) {
  (void)quotient;
  return l_and(top, l_all(((uint64_t)1 << 48) - 1));
}
LANES_END

#include "../lanes/field.h"

#include "product.h"

#include "../lanes/kernel.h"

static bool is_supported(void) { return true; }

const assay_p256_kernel assay_p256_ifma8_emulated = KERNEL_TABLE("ifma8-emulated", is_supported, true, 1, 1);
