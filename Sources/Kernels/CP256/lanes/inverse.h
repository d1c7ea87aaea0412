/* To and from Montgomery form, and inverses. */

#ifndef ASSAY_P256_INVERSE_H
#define ASSAY_P256_INVERSE_H

#include "../words.h"

LANES_BEGIN

/* To Montgomery form, from a number below 2^256; < 1.1. */
INLINE multiplicand m_to_montgomery(field a) {
  const multiplicand factor = f_multiplicand(a), square = m_constant(R2_LIMBS);
  multiplicand result;
  f_mul(&result, &factor, &square);
  return result;
}

/* From Montgomery form to the number below p. */
INLINE field f_from_montgomery(const multiplicand *a) {
  const field one = {{l_all(1), l_all(0), l_all(0), l_all(0), l_all(0)}};
  const multiplicand factor = f_multiplicand(one);
  field result;
  f_mul_sum(&result, a, &factor);
  return f_canonical(f_carry(result));
}

/* result = 1 / z in each lane, in constant time, by one inversion of the product of all lanes. If z is 0 in any lane,
   all results are 0. */
NOINLINE static void inverses(multiplicand *result, const multiplicand *z) {
  /* Products of 1, 2, 4… neighbouring lanes. */
  multiplicand products[LANE_BITS + 1], factor;
  products[0] = *z;
#pragma clang loop unroll(full)
  for (int i = 0; i < LANE_BITS; i++) {
    factor = m_exchange(products[i], 1 << i);
    f_mul(&products[i + 1], &products[i], &factor);
  }
  lanes words[4];
  f_to_words(f_from_montgomery(&products[LANE_BITS]), words);
  uint64_t stored[4][LANES], product[4], inverse[4];
  for (int i = 0; i < 4; i++) {
    l_store(stored[i], words[i]);
    product[i] = stored[i][0];
  }
  assay_p256_invert(inverse, product, &assay_p256_field_prime);
  *result = m_to_montgomery(f_from_constant_words(inverse));
#pragma clang loop unroll(full)
  for (int i = 0; i < LANE_BITS; i++) {
    factor = m_exchange(products[i], 1 << i);
    f_mul(result, result, &factor);
  }
}

LANES_END

#endif
