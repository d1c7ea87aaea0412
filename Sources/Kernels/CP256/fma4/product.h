/* Products modulo p by floating-point multiply-add: the high half of a product of two limbs is the rounded product, and
   the low half is the rest (Shay Gueron and Vlad Krasnov used vectors of integers the same way; the split is Dekker's,
   1971, with Emmart, Zheng and Weems, "Faster modular exponentiation using double precision floating point arithmetic
   on the GPU", 2018, for rounding toward zero and sums of integers).

   These functions are not inlined: the points' formulas would be three times as long and exceed the processor's cache
   of decoded instructions.

   A product has ten columns, each with at most 5 low and 5 high halves below 2^52. From column 4 on they are padded by
   2^54, so that what the reduction subtracts leaves none but the topmost negative, and a sum has that padding too.
   Where a product is subtracted all are padded by 2^57. With what the reduction adds they stay below 2^58. */

#ifndef ASSAY_P256_FMA4_PRODUCT_H
#define ASSAY_P256_FMA4_PRODUCT_H

#include "../lanes/field.h"

LANES_BEGIN

/* The initial columns of a product, or of the difference of two, plus multiple · p · 2^260. They cancel the biases of
   the halves, which are added or subtracted later, and are padded by 2^bits from column `first` on. */
INLINE void start_columns(lanes t[10], bool is_difference, uint64_t multiple, int bits, int first) {
  UNROLL for (int k = 0; k < 10; k++) {
    const uint64_t lows = k < 5 ? k + 1 : 9 - k, highs = k < 5 ? k : 10 - k;
    const uint64_t bias = is_difference ? 0 : lows * LOW_BIAS + highs * HIGH_BIAS;
    const uint64_t above = k >= first && k < 9 ? (uint64_t)1 << bits : 0;
    const uint64_t below = k > first ? (uint64_t)1 << (bits - LIMB_BITS) : 0;
    t[k] = l_all((k < 5 ? 0 : multiple * P_LIMBS[k - 5]) + above - below - bias);
  }
}

/* Pins two columns: computes them here and keeps them in registers. Otherwise the compiler computes all halves first,
   runs out of registers, and reloads factors for each product. */
INLINE void pin(lanes t[10], int k) {
  t[k] = l_pinned(t[k]);
  t[k + 1] = l_pinned(t[k + 1]);
}

/* Adds a · b to the columns, or subtracts it, row by row. */
INLINE void accumulate_product(lanes t[10], const multiplicand *a, const multiplicand *b, bool is_subtracted) {
  lanes y[5];
  UNROLL for (int j = 0; j < 5; j++) y[j] = l_pinned(b->l[j]);
  UNROLL for (int i = 0; i < 5; i++) {
    const lanes x = l_pinned(a->l[i]);
    UNROLL for (int j = 0; j < 5; j++) {
      (is_subtracted ? l_multiply_subtract : l_multiply_add)(&t[i + j], &t[i + j + 1], x, y[j]);
      pin(t, i + j);
    }
  }
}

/* The products of different limbs of a, with their biases. */
INLINE void multiply_different(lanes t[10], const multiplicand *a) {
  UNROLL for (int k = 0; k < 10; k++) t[k] = l_all(0);
  UNROLL for (int i = 0; i < 5; i++) {
    const lanes x = l_pinned(a->l[i]);
    UNROLL for (int j = i + 1; j < 5; j++) {
      l_multiply_add(&t[i + j], &t[i + j + 1], x, a->l[j]);
      pin(t, i + j);
    }
  }
}

/* The columns of a². */
INLINE void make_square(lanes t[10], const multiplicand *a) {
  lanes start[10];
  start_columns(start, false, 0, 54, 4);
  multiply_different(t, a);
  UNROLL for (int k = 0; k < 10; k++) t[k] = l_add(l_add(t[k], t[k]), start[k]);
  UNROLL for (int i = 0; i < 5; i++) {
    l_multiply_add(&t[2 * i], &t[2 * i + 1], a->l[i], a->l[i]);
    pin(t, 2 * i);
  }
}

/* upper: bits `bits` and above of m, shifted down. lower: the bits below, at their place in the next lower limb. */
INLINE lanes upper(lanes m, int bits) { return l_shr(m, bits); }
INLINE lanes lower(lanes m, int bits) { return l_and(l_shl(m, LIMB_BITS - bits), l_all(LIMB_MASK)); }

/* t / 2^260 modulo p, not carried but padded. As -1/p is 1 modulo 2^52, a column is its own multiplier m, for whole
   columns as well as for their lowest 52 bits: adding m · p takes m away from the column, which is then 0 with nothing
   to carry, and adds m · (2^256 - 2^224 + 2^192 + 2^96). The sum of the multipliers must not be much above 2^260, so
   the last one is carried; the others contribute at most 2^-46 of that. */
INLINE field reduced(lanes t[10]) {
  UNROLL for (int i = 0; i < 5; i++) {
    lanes m = t[i];
    if (i == 4) {
      t[5] = l_add(t[5], l_carry(m));
      m = l_and(m, l_all(LIMB_MASK));
    }
    /* 2^96 is 2^44 of a limb higher, 2^192 is 2^36 three limbs higher; 2^256 and 2^224 are 2^48 and 2^16 four
       higher. */
    t[i + 1] = l_add(t[i + 1], lower(m, 8));
    t[i + 2] = l_add(t[i + 2], upper(m, 8));
    t[i + 3] = l_add(t[i + 3], lower(m, 16));
    t[i + 4] = l_add(t[i + 4], l_add(upper(m, 16), l_sub(lower(m, 4), lower(m, 36))));
    t[i + 5] = l_add(t[i + 5], l_sub(upper(m, 4), upper(m, 36)));
  }
  field result;
  UNROLL for (int i = 0; i < 5; i++) result.l[i] = t[5 + i];
  return result;
}

HOT static void f_mul_sum(field *r, const multiplicand *a, const multiplicand *b) {
  lanes t[10];
  start_columns(t, false, 0, 54, 4);
  accumulate_product(t, a, b, false);
  *r = reduced(t);
}

HOT static void f_mul(multiplicand *r, const multiplicand *a, const multiplicand *b) {
  lanes t[10];
  start_columns(t, false, 0, 54, 4);
  accumulate_product(t, a, b, false);
  *r = f_ready(reduced(t));
}

HOT static void f_square_sum(field *r, const multiplicand *a) {
  lanes t[10];
  make_square(t, a);
  *r = reduced(t);
}

HOT static void f_square(multiplicand *r, const multiplicand *a) {
  lanes t[10];
  make_square(t, a);
  *r = f_ready(reduced(t));
}

HOT static void f_mul_sub(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c, const multiplicand *d) {
  lanes t[10];
  start_columns(t, true, 2, 57, 0);
  accumulate_product(t, a, b, false);
  accumulate_product(t, c, d, true);
  *r = f_ready(reduced(t));
}

HOT static void f_mul_less_square(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c) {
  lanes t[10], start[10];
  start_columns(start, true, 1, 57, 0);
  multiply_different(t, c);
  UNROLL for (int k = 0; k < 10; k++) t[k] = l_sub(start[k], l_add(t[k], t[k]));
  UNROLL for (int i = 0; i < 5; i++) {
    l_multiply_subtract(&t[2 * i], &t[2 * i + 1], c->l[i], c->l[i]);
    pin(t, 2 * i);
  }
  accumulate_product(t, a, b, false);
  *r = f_ready(reduced(t));
}

LANES_END

#endif
