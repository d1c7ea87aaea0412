/* Numbers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 in plain C: four words of 64 bits, the lowest first, in
   Montgomery form with R = 2^256. Everything here is public, so a function may branch on a value.

   Bounds. Every `field` that a function takes or returns is below p, unless it says otherwise: zero has one form, and
   equality is equality of words. A `wide` is a number of 512 bits that f_reduce takes: below p · 2^256. The product of
   two fields is below p² < p · 2^256, and so is that of a field and any number of 256 bits.

   Reduction. As -1/p = 1 modulo 2^64, the lowest word m of a number is its own Montgomery multiplier (Gueron and
   Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit primes", 2015): adding m · p clears it, and adds
   m · 2^96 + m · (2^64 - 2^32 + 1) · 2^192 to the rest. Four such steps add less than 2^256 · p, so that a number below
   p · 2^256 becomes one below 2p, and one subtraction makes it canonical. */

#ifndef ASSAY_P256_SCALAR_FIELD_H
#define ASSAY_P256_SCALAR_FIELD_H

#include "../constants.h"
#include "../words.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  uint64_t w[4];
} field;

typedef struct {
  uint64_t w[8];
} wide;

/* a + b + *carry, where *carry is 0 or 1 and becomes what is carried out. */
INLINE uint64_t add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  unsigned long long out;
  const uint64_t sum = __builtin_addcll(a, b, *carry, &out);
  *carry = out;
  return sum;
}

/* a - b - *borrow, where *borrow is 0 or 1 and becomes what is borrowed. */
INLINE uint64_t subtract_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  unsigned long long out;
  const uint64_t difference = __builtin_subcll(a, b, *borrow, &out);
  *borrow = out;
  return difference;
}

INLINE field f_constant(const uint64_t words[4]) {
  const field result = {{words[0], words[1], words[2], words[3]}};
  return result;
}

INLINE bool f_is_zero(const field *a) { return w_is_zero(a->w); }

INLINE bool f_equal(const field *a, const field *b) {
  return ((a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3])) == 0;
}

/* The number top · 2^256 + a modulo p, for one below 2p. */
INLINE field f_canonical(field a, uint64_t top) {
  field less;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) less.w[i] = subtract_borrow(a.w[i], P_WORDS[i], &borrow);
  subtract_borrow(top, 0, &borrow);
  for (int i = 0; i < 4; i++) less.w[i] = borrow ? a.w[i] : less.w[i];
  return less;
}

INLINE field f_add(const field *a, const field *b) {
  field sum;
  uint64_t carry = 0;
  for (int i = 0; i < 4; i++) sum.w[i] = add_carry(a->w[i], b->w[i], &carry);
  return f_canonical(sum, carry);
}

INLINE field f_subtract(const field *a, const field *b) {
  field difference;
  uint64_t borrow = 0, carry = 0;
  for (int i = 0; i < 4; i++) difference.w[i] = subtract_borrow(a->w[i], b->w[i], &borrow);
  for (int i = 0; i < 4; i++) difference.w[i] = add_carry(difference.w[i], P_WORDS[i] & -borrow, &carry);
  return difference;
}

/* a · 2^bits, for bits within 1...5. What is shifted out, q · 2^256, is q · (2^224 - 2^192 - 2^96 + 1) modulo p: that is
   below 2^229, so that the sum is below 2^256 + 2^229 < 2p. */
INLINE field f_shift(const field *a, int bits) {
  const uint64_t q = a->w[3] >> (64 - bits), any = -(uint64_t)(q != 0);
  const uint64_t folded[4] = {q, -(q << 32), any, (q << 32) - q + any};
  field sum;
  uint64_t carry = 0;
  sum.w[0] = add_carry(a->w[0] << bits, folded[0], &carry);
  for (int i = 1; i < 4; i++) {
    sum.w[i] = add_carry(a->w[i] << bits | a->w[i - 1] >> (64 - bits), folded[i], &carry);
  }
  return f_canonical(sum, carry);
}

INLINE field f_negated(const field *a) {
  const field zero = {{0}};
  return f_subtract(&zero, a);
}

INLINE wide f_product(const field *a, const field *b) {
  wide t;
  uint64_t carry = 0;
  for (int j = 0; j < 4; j++) {
    const uint128 sum = (uint128)a->w[j] * b->w[0] + carry;
    t.w[j] = (uint64_t)sum;
    carry = (uint64_t)(sum >> 64);
  }
  t.w[4] = carry;
  for (int i = 1; i < 4; i++) {
    carry = 0;
    for (int j = 0; j < 4; j++) {
      const uint128 sum = (uint128)a->w[j] * b->w[i] + t.w[i + j] + carry;
      t.w[i + j] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
    t.w[i + 4] = carry;
  }
  return t;
}

INLINE wide f_product_square(const field *a) {
  wide t;
  const uint128 a01 = (uint128)a->w[0] * a->w[1], a02 = (uint128)a->w[0] * a->w[2], a03 = (uint128)a->w[0] * a->w[3];
  const uint128 a12 = (uint128)a->w[1] * a->w[2], a13 = (uint128)a->w[1] * a->w[3], a23 = (uint128)a->w[2] * a->w[3];
  uint64_t carry = 0;
  t.w[1] = (uint64_t)a01;
  t.w[2] = add_carry((uint64_t)(a01 >> 64), (uint64_t)a02, &carry);
  t.w[3] = add_carry((uint64_t)(a02 >> 64), (uint64_t)a03, &carry);
  t.w[4] = add_carry((uint64_t)(a03 >> 64), (uint64_t)a13, &carry);
  t.w[5] = add_carry((uint64_t)(a13 >> 64), (uint64_t)a23, &carry);
  t.w[6] = (uint64_t)(a23 >> 64) + carry;
  carry = 0;
  t.w[3] = add_carry(t.w[3], (uint64_t)a12, &carry);
  t.w[4] = add_carry(t.w[4], (uint64_t)(a12 >> 64), &carry);
  t.w[5] = add_carry(t.w[5], 0, &carry);
  t.w[6] += carry;
  t.w[7] = t.w[6] >> 63;
  for (int i = 6; i > 1; i--) t.w[i] = t.w[i] << 1 | t.w[i - 1] >> 63;
  t.w[1] <<= 1;
  carry = 0;
  for (int i = 0; i < 4; i++) {
    const uint128 square = (uint128)a->w[i] * a->w[i];
    t.w[2 * i] = i == 0 ? (uint64_t)square : add_carry(t.w[2 * i], (uint64_t)square, &carry);
    t.w[2 * i + 1] = add_carry(t.w[2 * i + 1], (uint64_t)(square >> 64), &carry);
  }
  return t;
}

/* a - b modulo p · 2^256, for numbers below it. */
INLINE wide f_wide_subtract(wide a, const wide *b) {
  uint64_t borrow = 0, carry = 0;
  for (int i = 0; i < 8; i++) a.w[i] = subtract_borrow(a.w[i], b->w[i], &borrow);
  for (int i = 0; i < 4; i++) a.w[i + 4] = add_carry(a.w[i + 4], P_WORDS[i] & -borrow, &carry);
  return a;
}

/* t / 2^256 modulo p. */
INLINE field f_reduce(wide t) {
  field low = {{t.w[0], t.w[1], t.w[2], t.w[3]}};
  uint64_t carry;
  /* low is (low + m · p) / 2^64, with m its lowest word: below 2^256 before and after. */
  for (int i = 0; i < 4; i++) {
    const uint64_t m = low.w[0], left = m << 32, right = m >> 32;
    uint64_t borrow = 0;
    const uint64_t third = subtract_borrow(m, left, &borrow), fourth = subtract_borrow(m, right, &borrow);
    carry = 0;
    low.w[0] = add_carry(low.w[1], left, &carry);
    low.w[1] = add_carry(low.w[2], right, &carry);
    low.w[2] = add_carry(low.w[3], third, &carry);
    low.w[3] = add_carry(fourth, 0, &carry);
  }
  carry = 0;
  for (int i = 0; i < 4; i++) low.w[i] = add_carry(low.w[i], t.w[i + 4], &carry);
  return f_canonical(low, carry);
}

/* a · b / 2^256. */
INLINE field f_multiply(const field *a, const field *b) { return f_reduce(f_product(a, b)); }

/* a² / 2^256. */
INLINE field f_square(const field *a) { return f_reduce(f_product_square(a)); }

/* (a · b - c · d) / 2^256, with one reduction. */
INLINE field f_multiply_subtract(const field *a, const field *b, const field *c, const field *d) {
  const wide other = f_product(c, d);
  return f_reduce(f_wide_subtract(f_product(a, b), &other));
}

#endif
