/* Products modulo p by multiplications of 52 bits that add: the low and the high half of a product are an instruction
   each (VPMADD52LUQ, VPMADD52HUQ). All functions are inlined (PRODUCT), since 32 registers hold a product's operands
   and columns; the emulation calls them.

   A product's ten columns are sums of at most ten halves below 2^52. Where a product is subtracted, they are padded by
   2^57. */

#ifndef ASSAY_P256_IFMA8_PRODUCT_H
#define ASSAY_P256_IFMA8_PRODUCT_H

#include "../lanes/field.h"

LANES_BEGIN

/* The columns of a product, or of the difference of two. */
typedef struct {
  lanes t[10];
} wide;

INLINE wide w_zero(void) {
  wide result;
  for (int i = 0; i < 10; i++) result.t[i] = l_all(0);
  return result;
}

/* multiple · p · 2^260, padded: a number from which a product may be subtracted. */
INLINE wide w_padding(uint64_t multiple) {
  wide result;
  for (int i = 0; i < 10; i++) {
    const uint64_t above = i < 9 ? (uint64_t)1 << 57 : 0, below = i > 0 ? 1 << 5 : 0;
    result.t[i] = l_all((i < 5 ? 0 : multiple * P_LIMBS[i - 5]) + above - below);
  }
  return result;
}

INLINE wide w_add_product(wide result, const multiplicand *a, const multiplicand *b) {
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      result.t[i + j] = l_mul_low(result.t[i + j], a->l[i], b->l[j]);
      result.t[i + j + 1] = l_mul_high(result.t[i + j + 1], a->l[i], b->l[j]);
    }
  }
  return result;
}

INLINE wide w_square(const multiplicand *a) {
  wide result = w_zero();
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

INLINE wide w_sub(wide a, wide b) {
  for (int i = 0; i < 10; i++) a.t[i] = l_sub(a.t[i], b.t[i]);
  return a;
}

/* t / 2^260 modulo p, not carried. As -1/p is 1 modulo 2^52, each lowest limb m is its own multiplier, and adding m · p
   adds m · (2^256 - 2^224 + 2^192 + 2^96) to the rest. Measurements decided which terms are shifted and which
   multiplied. */
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

PRODUCT void f_mul_sum(field *r, const multiplicand *a, const multiplicand *b) {
  *r = w_reduce(w_add_product(w_zero(), a, b));
}
PRODUCT void f_square_sum(field *r, const multiplicand *a) { *r = w_reduce(w_square(a)); }
PRODUCT void f_mul(multiplicand *r, const multiplicand *a, const multiplicand *b) {
  *r = f_ready(w_reduce(w_add_product(w_zero(), a, b)));
}
PRODUCT void f_square(multiplicand *r, const multiplicand *a) { *r = f_ready(w_reduce(w_square(a))); }
PRODUCT void f_mul_sub(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c, const multiplicand *d) {
  *r = f_ready(w_reduce(w_sub(w_add_product(w_padding(2), a, b), w_add_product(w_zero(), c, d))));
}
PRODUCT void f_mul_less_square(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c) {
  *r = f_ready(w_reduce(w_sub(w_add_product(w_padding(1), a, b), w_square(c))));
}

LANES_END

#endif
