#include "../kernels.h"

#define LANES 4
#define PREFIX fma4_emulated

#include "../lanes/emulated.h"

#include "../lanes/names.h"
#include "lanes.h"

#define UNROLL

LANES_BEGIN
/* The floating-point instructions by integers: native.h says why the halves that they leave, without the biases, are
   exactly the upper and the lower 52 bits of the product of two limbs. */
#define LOW_BIAS ((uint64_t)0)
#define HIGH_BIAS ((uint64_t)0)
INLINE void l_multiply_add(lanes *low, lanes *high, lanes a, lanes b) {
  *low = l_mul_low(*low, a, b);
  *high = l_mul_high(*high, a, b);
}
INLINE void l_multiply_subtract(lanes *low, lanes *high, lanes a, lanes b) {
  *low = l_sub(*low, l_mul_low(l_all(0), a, b));
  *high = l_sub(*high, l_mul_high(l_all(0), a, b));
}
LANES_END

#include "../lanes/field.h"

#include "product.h"

#include "../lanes/kernel.h"

static bool is_supported(void) { return true; }

const assay_p256_kernel assay_p256_fma4_emulated = KERNEL_TABLE("fma4-emulated", is_supported, true, 1, 1);
