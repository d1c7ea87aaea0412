/* Numbers modulo p in lanes: five limbs of 52 bits, in Montgomery form with R = 2^260.

   Three kinds of value:
     multiplicand     limbs within 0..<2^52, in the form that the kernel multiplies; value below 8p
     field, carried   the same as integers
     field, a sum     value within 0..<16p; f_carry makes it carried. A kernel that shifts signed limbs (PADDING is 0)
                      allows limbs of any sign whose absolute value is below 2^60. Other kernels allow limbs below 2^61,
                      none negative except the topmost, which may be below zero by 2^10 at most: their products and
                      differences contain a padding, a representation of zero with large lower limbs.
   A product of two values a < i·p and b < j·p is below (i·j/16 + 1)p, since p / 2^260 < 1/16. In comments "< 2" means
   that a value is below 2p. No branch and no address depends on a value. */

#ifndef ASSAY_P256_FIELD_H
#define ASSAY_P256_FIELD_H

#include "../constants.h"

LANES_BEGIN

INLINE lanes l_load(const uint64_t *words) {
  lanes result;
  memcpy(&result, words, sizeof result);
  return result;
}
INLINE void l_store(uint64_t *words, lanes a) { memcpy(words, &a, sizeof a); }

typedef struct {
  lanes l[5];
} field;

typedef struct {
  lanes l[5];
} multiplicand;

INLINE field f_constant(const uint64_t limbs[5]) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_all(limbs[i]);
  return result;
}

/* Keeps the compiler from moving computations past this point, in kernels whose l_pinned does so. The points' formulas
   are ordered such that neighbouring operations do not depend on each other; compilers reorder them and lose a sixth of
   the speed. */
INLINE field f_in_order(field a) {
  for (int i = 0; i < 5; i++) a.l[i] = l_pinned(a.l[i]);
  return a;
}

/* Limb `index` of the padding. */
INLINE uint64_t padding(int index) {
  return (index < 4 ? (uint64_t)PADDING : 0) - (index > 0 ? (uint64_t)PADDING >> LIMB_BITS : 0);
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
    result.l[i] = l_add(l_sub(a.l[i], b.l[i]), l_all(multiple * P_LIMBS[i] + padding(i)));
  }
  return result;
}

/* multiple · p - a, not carried; a is below multiple · p. */
INLINE field f_negated(field a, uint64_t multiple) {
  for (int i = 0; i < 5; i++) a.l[i] = l_sub(l_all(multiple * P_LIMBS[i] + padding(i)), a.l[i]);
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
    a.l[i + 1] = l_add(a.l[i + 1], l_carry(a.l[i]));
    a.l[i] = l_and(a.l[i], mask);
  }
  return f_in_order(a);
}

/* The multiplicand of a carried number, and back. */
INLINE multiplicand f_multiplicand(field a) {
  multiplicand result;
  for (int i = 0; i < 5; i++) result.l[i] = l_factor(a.l[i]);
  return result;
}
INLINE field f_integer(multiplicand a) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_integer(a.l[i]);
  return result;
}

/* The multiplicand of a sum. */
INLINE multiplicand f_ready(field a) { return f_multiplicand(f_carry(a)); }

INLINE multiplicand m_constant(const uint64_t limbs[5]) { return f_multiplicand(f_constant(limbs)); }

/* 1 in Montgomery form. */
INLINE multiplicand m_one(void) { return m_constant(R_LIMBS); }

/* Where the mask is set b, else a. */
INLINE multiplicand m_select(lane_mask mask, multiplicand a, multiplicand b) {
  for (int i = 0; i < 5; i++) a.l[i] = l_select(mask, a.l[i], b.l[i]);
  return a;
}

INLINE multiplicand m_exchange(multiplicand a, int distance) {
  for (int i = 0; i < 5; i++) a.l[i] = l_exchange(a.l[i], distance);
  return a;
}

/* Partial reduction: the same number modulo p, below 1.01p and carried. Subtracts q · p for a quotient q that is never
   too large, since 2^256 - p exceeds what the lower limbs can lack, or what l_quotient adds to the topmost limb. With
   padding, `a` must contain a product or a difference, so that its limbs do not become negative. */
INLINE field f_reduced(field a) {
  const lanes quotient = l_quotient(a.l[4]);
  a.l[4] = l_add(l_remainder(a.l[4], quotient), l_shl(quotient, 16));
  a.l[3] = l_sub(a.l[3], l_shl(quotient, 36));
  a.l[1] = l_sub(a.l[1], l_shl(quotient, 44));
  a.l[0] = l_add(a.l[0], quotient);
  return f_carry(a);
}

/* Where the mask is set b, else a. */
INLINE field f_select(lane_mask mask, field a, field b) {
  for (int i = 0; i < 5; i++) a.l[i] = l_select(mask, a.l[i], b.l[i]);
  return a;
}

/* a - p, carried: the top limb is negative where a is below p. */
INLINE field f_less_p(field a) {
  for (int i = 0; i < 5; i++) a.l[i] = l_add(a.l[i], l_all(padding(i) - P_LIMBS[i]));
  return f_carry(a);
}

/* Full reduction: the value below p, for limbs of 52 bits and a value below 2p. */
INLINE field f_canonical(field a) {
  const field less = f_less_p(a);
  return f_select(l_is_negative(less.l[4]), less, a);
}

/* Where a number in limbs of 52 bits is below p. */
INLINE lane_mask f_is_below_p(field a) { return l_is_negative(f_less_p(a).l[4]); }

/* Where a sum with padding is 0 modulo p. */
INLINE lane_mask f_is_zero(field a) {
  a = f_canonical(f_reduced(a));
  return l_is_zero(l_or(l_or(l_or(a.l[0], a.l[1]), l_or(a.l[2], a.l[3])), a.l[4]));
}

/* Where a value is 0 modulo p. */
INLINE lane_mask m_is_zero(multiplicand a) { return f_is_zero(f_sub(f_integer(a), f_constant(P_LIMBS), 1)); }

/* Where two sums, the second < 2, are the same modulo p. */
INLINE lane_mask f_equal(field a, field b) { return f_is_zero(f_sub(a, b, 2)); }

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
