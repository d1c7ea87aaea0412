/* Numbers modulo p in eight lanes: five limbs of 52 bits, in Montgomery's form with R = 2^260.

   Three kinds of value, and what may be done with them:
     field   limbs within 0..<2^52, value below 4p unless said otherwise: what is multiplied
     sum     limbs of any sign below 2^60, value within 0..<16p: what carrying makes a field value of
     wide    columns below 2^60: a product, or a sum of two, before its reduction
   A product of two field values a < i·p and b < j·p is below (i·j/16 + 1)p, since p / 2^260 < 1/16: below 2p for
   i = j = 4. Nothing here branches, or takes an address, on a value. */

#ifndef ASSAY_P256_FIELD_H
#define ASSAY_P256_FIELD_H

#include "constants.h"
#include "lanes.h"

#if defined(ASSAY_P256_COMPILED)
LANES_BEGIN

typedef struct {
  lanes l[5];
} field;

typedef struct {
  lanes t[10];
} wide;

INLINE field f_constant(const uint64_t limbs[5]) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_all(limbs[i]);
  return result;
}

INLINE field f_one(void) { return f_constant(R_LIMBS); }

/* Keeps the compiler from moving computations past this point: the points' formulas are written in an order in which
   neighbours do not wait for one another, and are a sixth slower in the order compilers make of it. */
INLINE field f_in_order(field a) {
#if !defined(ASSAY_P256_EMULATED)
  __asm__ volatile("" : "+v"(a.l[0]), "+v"(a.l[1]), "+v"(a.l[2]), "+v"(a.l[3]), "+v"(a.l[4]));
#endif
  return a;
}

/* The sum, not carried. */
INLINE field f_add(field a, field b) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_add(a.l[i], b.l[i]);
  return result;
}

/* a - b + multiple · p, not carried; b is below multiple · p. */
INLINE field f_sub(field a, field b, uint64_t multiple) {
  field result;
  for (int i = 0; i < 5; i++) {
    result.l[i] = l_add(l_sub(a.l[i], b.l[i]), l_all(multiple * P_LIMBS[i]));
  }
  return result;
}

/* multiple · p - a, not carried; a is below multiple · p. */
INLINE field f_negated(field a, uint64_t multiple) {
  for (int i = 0; i < 5; i++) a.l[i] = l_sub(l_all(multiple * P_LIMBS[i]), a.l[i]);
  return a;
}

/* a · 2^bits, not carried. */
INLINE field f_shift(field a, int bits) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_shl(a.l[i], bits);
  return result;
}

/* The same value in limbs of 52 bits. */
INLINE field f_carry(field a) {
  const lanes mask = l_all(LIMB_MASK);
  for (int i = 0; i < 4; i++) {
    a.l[i + 1] = l_add(a.l[i + 1], l_sar(a.l[i], LIMB_BITS));
    a.l[i] = l_and(a.l[i], mask);
  }
  return f_in_order(a);
}

/* The same number modulo p below 1.01p, carried: q · p is taken away for a quotient q that is never too large, since
   2^256 - p exceeds all that the lower limbs can lack. */
INLINE field f_weak(field a) {
  const lanes quotient = l_sar(a.l[4], 48);
  a.l[4] = l_add(l_and(a.l[4], l_all(((uint64_t)1 << 48) - 1)), l_shl(quotient, 16));
  a.l[3] = l_sub(a.l[3], l_shl(quotient, 36));
  a.l[1] = l_sub(a.l[1], l_shl(quotient, 44));
  a.l[0] = l_add(a.l[0], quotient);
  return f_carry(a);
}

INLINE wide f_product(field a, field b) {
  wide result;
  for (int i = 0; i < 10; i++) result.t[i] = l_all(0);
  for (int i = 0; i < 5; i++) {
    for (int j = 0; j < 5; j++) {
      result.t[i + j] = l_mul_low(result.t[i + j], a.l[i], b.l[j]);
      result.t[i + j + 1] = l_mul_high(result.t[i + j + 1], a.l[i], b.l[j]);
    }
  }
  return result;
}

INLINE wide f_product_square(field a) {
  wide result;
  for (int i = 0; i < 10; i++) result.t[i] = l_all(0);
  for (int i = 0; i < 5; i++) {
    for (int j = i + 1; j < 5; j++) {
      result.t[i + j] = l_mul_low(result.t[i + j], a.l[i], a.l[j]);
      result.t[i + j + 1] = l_mul_high(result.t[i + j + 1], a.l[i], a.l[j]);
    }
  }
  for (int i = 0; i < 10; i++) result.t[i] = l_add(result.t[i], result.t[i]);
  for (int i = 0; i < 5; i++) {
    result.t[2 * i] = l_mul_low(result.t[2 * i], a.l[i], a.l[i]);
    result.t[2 * i + 1] = l_mul_high(result.t[2 * i + 1], a.l[i], a.l[i]);
  }
  return result;
}

INLINE wide f_wide_add(wide a, wide b) {
  for (int i = 0; i < 10; i++) a.t[i] = l_add(a.t[i], b.t[i]);
  return a;
}

/* t / 2^260 modulo p, not carried. As -1/p is 1 modulo 2^52, each lowest limb m is its own multiplier, and adding m · p
   adds m · (2^256 - 2^224 + 2^192 + 2^96) to the rest. What is shifted and what is multiplied was chosen by
   measurement. */
INLINE field f_reduce(wide a) {
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

/* Products and squares of field values, not carried. */
INLINE field f_mul_sum(field a, field b) { return f_reduce(f_product(a, b)); }
INLINE field f_square_sum(field a) { return f_reduce(f_product_square(a)); }
/* a·b + c·d with one reduction, not carried. */
INLINE field f_mul_add_sum(field a, field b, field c, field d) {
  return f_reduce(f_wide_add(f_product(a, b), f_product(c, d)));
}

INLINE field f_mul(field a, field b) { return f_carry(f_mul_sum(a, b)); }
INLINE field f_square(field a) { return f_carry(f_square_sum(a)); }

/* Where the mask is set b, else a. */
INLINE field f_select(lane_mask mask, field a, field b) {
  for (int i = 0; i < 5; i++) a.l[i] = l_select(mask, a.l[i], b.l[i]);
  return a;
}

/* The one value below p, for limbs of 52 bits and a value below 2p. */
INLINE field f_canonical(field a) {
  field less = a;
  for (int i = 0; i < 5; i++) less.l[i] = l_sub(a.l[i], l_all(P_LIMBS[i]));
  less = f_carry(less);
  return f_select(l_is_negative(less.l[4]), less, a);
}

/* Where a number in limbs of 52 bits is below p. */
INLINE lane_mask f_is_below_p(field a) {
  for (int i = 0; i < 5; i++) a.l[i] = l_sub(a.l[i], l_all(P_LIMBS[i]));
  return l_is_negative(f_carry(a).l[4]);
}

/* Where a value below 2p, carried, is 0 or p. */
INLINE lane_mask f_is_zero(field a) {
  a = f_canonical(a);
  return l_is_zero(l_or(l_or(l_or(a.l[0], a.l[1]), l_or(a.l[2], a.l[3])), a.l[4]));
}

/* Where two numbers, both below 2p as sums, are the same modulo p. */
INLINE lane_mask f_equal(field a, field b) { return f_is_zero(f_weak(f_sub(a, b, 2))); }

/* To Montgomery's form, from a number below 2^260. */
INLINE field f_enter(field a) { return f_mul(a, f_constant(R2_LIMBS)); }

/* From Montgomery's form to the one number below p. */
INLINE field f_leave(field a) {
  const field one = {{l_all(1), l_all(0), l_all(0), l_all(0), l_all(0)}};
  return f_canonical(f_mul(a, one));
}

INLINE field f_exchange(field a, int distance) {
  for (int i = 0; i < 5; i++) a.l[i] = l_exchange(a.l[i], distance);
  return a;
}

/* Limbs of 52 bits from four words of 64 bits, the lowest first. */
INLINE field f_from_words(const lanes w[4]) {
  const lanes mask = l_all(LIMB_MASK);
  field result;
  result.l[0] = l_and(w[0], mask);
  result.l[1] = l_and(l_or(l_shr(w[0], 52), l_shl(w[1], 12)), mask);
  result.l[2] = l_and(l_or(l_shr(w[1], 40), l_shl(w[2], 24)), mask);
  result.l[3] = l_and(l_or(l_shr(w[2], 28), l_shl(w[3], 36)), mask);
  result.l[4] = l_shr(w[3], 16);
  return result;
}

INLINE field f_from_constant_words(const uint64_t words[4]) {
  const lanes w[4] = {l_all(words[0]), l_all(words[1]), l_all(words[2]), l_all(words[3])};
  return f_from_words(w);
}

/* Four words of 64 bits, the lowest first, of a value below 2^256 in limbs of 52 bits. */
INLINE void f_to_words(field a, lanes w[4]) {
  w[0] = l_or(a.l[0], l_shl(a.l[1], 52));
  w[1] = l_or(l_shr(a.l[1], 12), l_shl(a.l[2], 40));
  w[2] = l_or(l_shr(a.l[2], 24), l_shl(a.l[3], 28));
  w[3] = l_or(l_shr(a.l[3], 36), l_shl(a.l[4], 16));
}

LANES_END
#endif

#endif
