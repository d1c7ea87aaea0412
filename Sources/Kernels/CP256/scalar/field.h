/* Numbers modulo p = 2^256 - 2^224 + 2^192 + 2^96 - 1 in plain C: four words of 64 bits, the lowest first, in
   Montgomery form with R = 2^256. Everything here is public, so a function may branch on a value.

   Bounds. Every `field` that a function takes or returns is below p, unless it says otherwise: zero has one form, and
   equality is equality of words. A `wide` is a number of 512 bits that f_reduce takes: below p · 2^256. The product of
   two fields is below p² < p · 2^256, and so is that of a field and any number of 256 bits.

   Reduction. As -1/p = 1 modulo 2^64, the lowest word m of a number is its own Montgomery multiplier (Gueron and
   Krasnov, "Fast prime field elliptic-curve cryptography with 256-bit primes", 2015): adding m · p clears it, and adds
   m · 2^96 + m · (2^64 - 2^32 + 1) · 2^192 to the rest. Four such steps on the low half of a number below p · 2^256
   make it at most p, and the high half is below p. Their sum minus p is within -p..<p: adding p if it is negative makes
   it canonical. */

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

/* a + b + *carry, where *carry is 0 or 1 and becomes the carry out. */
INLINE uint64_t add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  unsigned long long out;
  const uint64_t sum = __builtin_addcll(a, b, *carry, &out);
  *carry = out;
  return sum;
}

/* a - b - *borrow, where *borrow is 0 or 1 and becomes the borrow out. */
INLINE uint64_t subtract_borrow(uint64_t a, uint64_t b, uint64_t *borrow) {
  unsigned long long out;
  const uint64_t difference = __builtin_subcll(a, b, *borrow, &out);
  *borrow = out;
  return difference;
}

/* The same word. Keeps the compiler from interleaving chains of carries, which must then save their carries and take a
   tenth longer. */
INLINE uint64_t in_order(uint64_t word) {
  __asm__("" : "+r"(word));
  return word;
}

INLINE field f_constant(const uint64_t words[4]) {
  const field result = {{words[0], words[1], words[2], words[3]}};
  return result;
}

INLINE bool f_is_zero(const field *a) { return w_is_zero(a->w); }

INLINE bool f_equal(const field *a, const field *b) {
  return ((a->w[0] ^ b->w[0]) | (a->w[1] ^ b->w[1]) | (a->w[2] ^ b->w[2]) | (a->w[3] ^ b->w[3])) == 0;
}

/* top · 2^256 + a modulo p, for a number below 2p. */
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

/* a · 2^bits, for bits within 1...5. What is shifted out, q · 2^256, is q · c modulo p with
   c = 2^256 - p = 2^224 - 2^192 - 2^96 + 1. Let v be q · c plus the other bits. Adding (q + 1) · c < 2^230 to these
   gives 2^256 + v - p, which is below 2^256 + p. With a carry v - p is left; otherwise p is added, which makes v. */
INLINE field f_shift(const field *a, int bits) {
  const uint64_t factor = (a->w[3] >> (64 - bits)) + 1;
  field sum;
  uint64_t carry = 0;
  sum.w[0] = add_carry(a->w[0] << bits, factor, &carry);
  sum.w[1] = add_carry(a->w[1] << bits | a->w[0] >> (64 - bits), -(factor << 32), &carry);
  sum.w[2] = add_carry(a->w[2] << bits | a->w[1] >> (64 - bits), UINT64_MAX, &carry);
  sum.w[3] = add_carry(a->w[3] << bits | a->w[2] >> (64 - bits), (factor << 32) - factor - 1, &carry);
  const uint64_t negative = carry - 1;
  carry = 0;
  for (int i = 0; i < 4; i++) sum.w[i] = add_carry(sum.w[i], P_WORDS[i] & negative, &carry);
  return sum;
}

/* p - a, which is below p for any a but 0. */
INLINE field f_negated(const field *a) {
  field difference;
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) difference.w[i] = subtract_borrow(P_WORDS[i], a->w[i], &borrow);
  return difference;
}

/* t += the products, side by side from word `first` on; the sum is below 2^512. */
INLINE void add_products(wide *t, int first, int count, const uint128 *products) {
  uint64_t carry = 0;
  for (int i = 0; i < count; i++) {
    const int word = first + 2 * i;
    t->w[word] = add_carry(t->w[word], (uint64_t)products[i], &carry);
    t->w[word + 1] = add_carry(t->w[word + 1], (uint64_t)(products[i] >> 64), &carry);
  }
  for (int word = first + 2 * count; word < 8; word++) t->w[word] = add_carry(t->w[word], 0, &carry);
  t->w[7] = in_order(t->w[7]);
}

#define TIMES(i, j) ((uint128)a->w[i] * b->w[j])

/* t += a · b · 2^(64 · i), where t is below 2^(64 · (i + 4)). The products of odd words of a, and then those of even
   ones, are added in one chain of carries each, as their words do not overlap. */
INLINE void add_row(wide *t, const field *a, uint64_t b, int i) {
  const uint128 odd[2] = {(uint128)a->w[1] * b, (uint128)a->w[3] * b};
  const uint128 even[2] = {(uint128)a->w[0] * b, (uint128)a->w[2] * b};
  uint64_t carry = 0;
  t->w[i + 1] = add_carry(t->w[i + 1], (uint64_t)odd[0], &carry);
  t->w[i + 2] = add_carry(t->w[i + 2], (uint64_t)(odd[0] >> 64), &carry);
  t->w[i + 3] = add_carry(t->w[i + 3], (uint64_t)odd[1], &carry);
  t->w[i + 4] = in_order(add_carry((uint64_t)(odd[1] >> 64), 0, &carry));
  carry = 0;
  t->w[i] = add_carry(t->w[i], (uint64_t)even[0], &carry);
  t->w[i + 1] = add_carry(t->w[i + 1], (uint64_t)(even[0] >> 64), &carry);
  t->w[i + 2] = add_carry(t->w[i + 2], (uint64_t)even[1], &carry);
  t->w[i + 3] = add_carry(t->w[i + 3], (uint64_t)(even[1] >> 64), &carry);
  t->w[i + 4] = in_order(add_carry(t->w[i + 4], 0, &carry));
}

INLINE wide f_product(const field *a, const field *b) {
  wide t = {{0}};
  add_row(&t, a, b->w[0], 0);
  add_row(&t, a, b->w[1], 1);
  add_row(&t, a, b->w[2], 2);
  add_row(&t, a, b->w[3], 3);
  return t;
}

INLINE wide f_product_square(const field *a) {
  const field *b = a;
  const uint128 first = TIMES(0, 1), second = TIMES(1, 2), third = TIMES(2, 3);
  wide t = {
      {0, (uint64_t)first, (uint64_t)(first >> 64), (uint64_t)second, (uint64_t)(second >> 64), (uint64_t)third,
       (uint64_t)(third >> 64), 0}};
  add_products(&t, 2, 2, (uint128[]){TIMES(0, 2), TIMES(1, 3)});
  add_products(&t, 3, 1, (uint128[]){TIMES(0, 3)});
  uint64_t carry = 0;
  for (int i = 1; i < 8; i++) t.w[i] = add_carry(t.w[i], t.w[i], &carry);
  add_products(&t, 0, 4, (uint128[]){TIMES(0, 0), TIMES(1, 1), TIMES(2, 2), TIMES(3, 3)});
  return t;
}

#undef TIMES

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
  /* low is (low + m · p) / 2^64, with m its lowest word: at most p in the end. */
  for (int i = 0; i < 4; i++) {
    const uint64_t m = low.w[0], left = m << 32, right = m >> 32;
    uint64_t borrow = 0, carry = 0;
    const uint64_t third = subtract_borrow(m, left, &borrow), fourth = subtract_borrow(m, right, &borrow);
    low.w[0] = add_carry(low.w[1], left, &carry);
    low.w[1] = add_carry(low.w[2], right, &carry);
    low.w[2] = add_carry(low.w[3], third, &carry);
    low.w[3] = add_carry(fourth, 0, &carry);
  }
  /* The sum of the high half, which is below p, and low - p, within -p...0, is within -p..<p. If it is negative, p is
     added. */
  uint64_t borrow = 0, carry = 0;
  for (int i = 0; i < 4; i++) low.w[i] = subtract_borrow(low.w[i], P_WORDS[i], &borrow);
  for (int i = 0; i < 4; i++) low.w[i] = add_carry(low.w[i], t.w[i + 4], &carry);
  const uint64_t negative = carry - borrow;
  carry = 0;
  for (int i = 0; i < 4; i++) low.w[i] = add_carry(low.w[i], P_WORDS[i] & negative, &carry);
  return low;
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
