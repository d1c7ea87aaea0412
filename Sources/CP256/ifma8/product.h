/* Products modulo p by multiplications of 52 bits that add: the low and the high half of a product are an instruction
   each (VPMADD52LUQ, VPMADD52HUQ). All of it is compiled into its callers: 32 registers hold a product's operands and
   columns.

   A product's ten columns are sums of at most ten halves below 2^52; two of them may be added before the reduction. */

#ifndef ASSAY_P256_IFMA8_PRODUCT_H
#define ASSAY_P256_IFMA8_PRODUCT_H

#include "../lanes/field.h"

LANES_BEGIN

/* The columns of a product, or the sum of two. */
typedef struct {
  lanes t[10];
} wide;

INLINE wide w_product(const field *a, const field *b) {
  wide result;
  for (int i = 0; i < 10; i++) result.t[i] = l_all(0);
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      result.t[i + j] = l_mul_low(result.t[i + j], a->l[i], b->l[j]);
      result.t[i + j + 1] = l_mul_high(result.t[i + j + 1], a->l[i], b->l[j]);
    }
  }
  return result;
}

INLINE wide w_square(const field *a) {
  wide result;
  for (int i = 0; i < 10; i++) result.t[i] = l_all(0);
  for (int i = 0; i < 5; i++) {
    for (int j = i + 1; j < 5; j++) {
      result.t[i + j] = l_mul_low(result.t[i + j], a->l[i], a->l[j]);
      result.t[i + j + 1] = l_mul_high(result.t[i + j + 1], a->l[i], a->l[j]);
    }
  }
  for (int i = 0; i < 10; i++) result.t[i] = l_add(result.t[i], result.t[i]);
  for (int i = 0; i < 5; i++) {
    result.t[2 * i] = l_mul_low(result.t[2 * i], a->l[i], a->l[i]);
    result.t[2 * i + 1] = l_mul_high(result.t[2 * i + 1], a->l[i], a->l[i]);
  }
  return result;
}

INLINE wide w_add(wide a, wide b) {
  for (int i = 0; i < 10; i++) a.t[i] = l_add(a.t[i], b.t[i]);
  return a;
}

/* t / 2^260 modulo p, not carried. As -1/p is 1 modulo 2^52, each lowest limb m is its own multiplier, and adding m · p
   adds m · (2^256 - 2^224 + 2^192 + 2^96) to the rest. What is shifted and what is multiplied was chosen by
   measurement. */
INLINE field w_reduce(wide a) {
  const lanes mask = l_all(LIMB_MASK);
  const lanes low = l_all((uint64_t)1 << 44), middle = l_all((uint64_t)1 << 36), top = l_all(P_LIMBS[4]);
  lanes *t = a.t;
  for (int i = 0; i < 5; i++) {
    const lanes m = l_and(t[i], mask);
    t[i + 1] = l_add(l_add(t[i + 1], l_shr(t[i], LIMB_BITS)), l_and(l_shl(m, 44), mask));
    t[i + 2] = l_mul_high(t[i + 2], m, low);
    t[i + 3] = l_mul_low(t[i + 3], m, middle);
    t[i + 4] = l_mul_high(l_mul_low(t[i + 4], m, top), m, middle);
    t[i + 5] = l_mul_high(t[i + 5], m, top);
  }
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = t[i + 5];
  return f_in_order(result);
}

INLINE void f_mul_sum(field *r, const field *a, const field *b) { *r = w_reduce(w_product(a, b)); }
INLINE void f_square_sum(field *r, const field *a) { *r = w_reduce(w_square(a)); }
INLINE void f_mul(field *r, const field *a, const field *b) { *r = f_carry(w_reduce(w_product(a, b))); }
INLINE void f_square(field *r, const field *a) { *r = f_carry(w_reduce(w_square(a))); }
INLINE void f_mul_add(field *r, const field *a, const field *b, const field *c, const field *d) {
  *r = f_carry(w_reduce(w_add(w_product(a, b), w_product(c, d))));
}

LANES_END

#endif
