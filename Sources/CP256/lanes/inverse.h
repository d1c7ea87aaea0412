/* To and from Montgomery's form, and inverses. */

#ifndef ASSAY_P256_INVERSE_H
#define ASSAY_P256_INVERSE_H

#include "../words.h"

LANES_BEGIN

/* To Montgomery's form, from a number below 2^260. */
INLINE field f_to_montgomery(field a) {
  const field square = f_constant(R2_LIMBS);
  f_mul(&a, &a, &square);
  return a;
}

/* From Montgomery's form to the one number below p. */
INLINE field f_from_montgomery(field a) {
  const field one = {{l_all(1), l_all(0), l_all(0), l_all(0), l_all(0)}};
  f_mul(&a, &a, &one);
  return f_canonical(a);
}

/* result = 1 / z in each lane, in Montgomery's form; z is a field value below 2p and 0 in no lane, or all lanes come out
   0. In constant time: one inversion of the product of all lanes. */
NOINLINE static void inverses(field *result, const field *z) {
  /* Products of 1, 2, 4… neighbouring lanes. */
  field products[LANE_BITS + 1], factor;
  products[0] = *z;
#pragma clang loop unroll(full)
  for (int i = 0; i < LANE_BITS; i++) {
    factor = f_exchange(products[i], 1 << i);
    f_mul(&products[i + 1], &products[i], &factor);
  }
  lanes words[4];
  f_to_words(f_from_montgomery(products[LANE_BITS]), words);
  uint64_t stored[4][LANES], product[4], inverse[4];
  for (int i = 0; i < 4; i++) {
    l_store(stored[i], words[i]);
    product[i] = stored[i][0];
  }
  assay_p256_invert(inverse, product, &assay_p256_field_prime);
  *result = f_to_montgomery(f_from_constant_words(inverse));
#pragma clang loop unroll(full)
  for (int i = 0; i < LANE_BITS; i++) {
    factor = f_exchange(products[i], 1 << i);
    f_mul(result, result, &factor);
  }
}

LANES_END

#endif
