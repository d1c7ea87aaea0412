/* Products modulo p by floating-point multiply-add: the high half of a product of two limbs is what rounding leaves of
   it, the low half what the high one leaves (Shay Gueron and Vlad Krasnov used vectors of integers the same way; the
   split is Dekker's, 1971, with Emmart, Zheng and Weems, "Faster modular exponentiation using double precision floating
   point arithmetic on the GPU", 2018, for rounding toward zero and sums of integers).

   These functions are not compiled into their callers: the points' formulas would be three times as long, and would not
   fit into what a processor keeps of decoded instructions.

   A product has ten columns. A column has at most 5 low and 5 high halves below 2^52, two products twice as many; with
   what the reduction adds it is below 2^57. From column 4 on they are padded, so that what the reduction subtracts
   leaves none but the topmost negative; a sum has that padding too. */

#ifndef ASSAY_P256_FMA4_PRODUCT_H
#define ASSAY_P256_FMA4_PRODUCT_H

#include "../lanes/field.h"

LANES_BEGIN

#define UNROLL _Pragma("clang loop unroll(full)")

/* Columns that become those of `products` products, padded, once all their halves with the halves' biases have been
   added. */
INLINE void start_columns(lanes t[10], uint64_t products) {
  const uint64_t pad = (uint64_t)1 << 54;
  UNROLL for (int k = 0; k < 10; k++) {
    const uint64_t lows = k < 5 ? k + 1 : 9 - k, highs = k < 5 ? k : 10 - k;
    const uint64_t bias = products * (lows * LOW_BIAS + highs * HIGH_BIAS);
    t[k] = l_all((k >= 4 && k < 9 ? pad : 0) - (k > 4 ? pad >> LIMB_BITS : 0) - bias);
  }
}

/* Adds a · b to the columns, row by row. The compiler would rather compute all halves first, for which there are not
   enough registers: the pins keep it from that. */
INLINE void add_product(lanes t[10], const field *a, const field *b) {
  factor y[5];
  UNROLL for (int j = 0; j < 5; j++) y[j] = l_factor(b->l[j]);
  UNROLL for (int i = 0; i < 5; i++) {
    const factor x = l_factor(a->l[i]);
    UNROLL for (int j = 0; j < 5; j++) {
      l_multiply_add(&t[i + j], &t[i + j + 1], x, y[j]);
      t[i + j] = l_pinned(t[i + j]);
      t[i + j + 1] = l_pinned(t[i + j + 1]);
    }
  }
}

/* The columns of a², padded. */
INLINE void make_square(lanes t[10], const field *a) {
  factor x[5];
  UNROLL for (int k = 0; k < 10; k++) t[k] = l_all(0);
  UNROLL for (int i = 0; i < 5; i++) x[i] = l_factor(a->l[i]);
  UNROLL for (int i = 0; i < 5; i++) {
    UNROLL for (int j = i + 1; j < 5; j++) {
      l_multiply_add(&t[i + j], &t[i + j + 1], x[i], x[j]);
      t[i + j] = l_pinned(t[i + j]);
      t[i + j + 1] = l_pinned(t[i + j + 1]);
    }
  }
  lanes start[10];
  start_columns(start, 1);
  UNROLL for (int k = 0; k < 10; k++) t[k] = l_add(l_add(t[k], t[k]), start[k]);
  UNROLL for (int i = 0; i < 5; i++) {
    l_multiply_add(&t[2 * i], &t[2 * i + 1], x[i], x[i]);
    t[2 * i] = l_pinned(t[2 * i]);
    t[2 * i + 1] = l_pinned(t[2 * i + 1]);
  }
}

/* Bits `bits` and above of m, shifted down; and those below, in their place of the next lower limb. */
INLINE lanes upper(lanes m, int bits) { return l_shr(m, bits); }
INLINE lanes lower(lanes m, int bits) { return l_and(l_shl(m, LIMB_BITS - bits), l_all(LIMB_MASK)); }

/* t / 2^260 modulo p, not carried but padded. As -1/p is 1 modulo 2^52, a column is its own multiplier m, for whole
   columns as well as for their lowest 52 bits: adding m · p takes m away from the column, which is then 0 with nothing
   to carry, and adds m · (2^256 - 2^224 + 2^192 + 2^96). All multipliers together must stay below 2^260 or so, hence the
   last one is carried. */
INLINE field reduced(lanes t[10]) {
  UNROLL for (int i = 0; i < 5; i++) {
    lanes m = t[i];
    if (i == 4) {
      t[5] = l_add(t[5], l_carry(m));
      m = l_and(m, l_all(LIMB_MASK));
    }
    /* 2^96 is 2^44 of a limb higher, 2^192 is 2^36 three limbs higher; 2^256 and 2^224 are 2^48 and 2^16 four higher. */
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

HOT static void f_mul_sum(field *r, const field *a, const field *b) {
  lanes t[10];
  start_columns(t, 1);
  add_product(t, a, b);
  *r = reduced(t);
}

HOT static void f_mul(field *r, const field *a, const field *b) {
  lanes t[10];
  start_columns(t, 1);
  add_product(t, a, b);
  *r = f_carry(reduced(t));
}

HOT static void f_square_sum(field *r, const field *a) {
  lanes t[10];
  make_square(t, a);
  *r = reduced(t);
}

HOT static void f_square(field *r, const field *a) {
  lanes t[10];
  make_square(t, a);
  *r = f_carry(reduced(t));
}

HOT static void f_mul_add(field *r, const field *a, const field *b, const field *c, const field *d) {
  lanes t[10];
  start_columns(t, 2);
  add_product(t, a, b);
  add_product(t, c, d);
  *r = f_carry(reduced(t));
}

LANES_END

#endif
