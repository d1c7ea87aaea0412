/* Points of P-256 for the scalar kernel. Everything here is public, and every case of an addition is covered: equal and
   opposite points, and the point at infinity.

   Scale. An entry of a table is (x · 2^260, y · 2^260), which in Montgomery form with R = 2^256 is (16x, 16y). Affine
   points keep this scale. Sums are points of the isomorphic curve

     y'² = x'³ - 768 · x' + 4096 · b    x' = 16x, y' = 64y

   (SEC 1 2.2.1 with u = 4: u² = 16, u³ = 64, a = -3 · u⁴, b · u⁶). x is as stored; y lacks a factor 4, which an
   extended point carries in its ZZZ at no cost, since additions use ZZZ for nothing else.

   Sources: EFD (hyperelliptic.org/EFD), short Weierstrass curves, "xyzz": madd-2008-s (8M + 2S) and dbl-2008-s-1 (6M +
   4S with a = -3). */

#ifndef ASSAY_P256_SCALAR_POINT_H
#define ASSAY_P256_SCALAR_POINT_H

#include "field.h"

/* (16x, 16y); infinity is (0, 0). No point of the curve has y = 0, as the order is odd. */
typedef struct {
  field x, y;
} affine;

/* x' = X / ZZ, y' = 4Y / ZZZ, with 16 · ZZ³ = ZZZ²; infinity is ZZ = 0. */
typedef struct {
  field x, y, zz, zzz;
} extended;

INLINE bool is_infinity(const affine *point) { return f_is_zero(&point->y); }

/* Whether 16 · Y² = X³ - 768 · X + 4096 · b, for X = 16x and Y = 16y. */
INLINE bool is_on_curve(const affine *point) {
  const field square = f_square(&point->x), a = f_constant(SCALED_A_WORDS), b = f_constant(SCALED_B_WORDS);
  const field factor = f_subtract(&square, &a), product = f_multiply(&point->x, &factor);
  const field right = f_add(&product, &b), square_y = f_square(&point->y), left = f_shift(&square_y, 4);
  return f_equal(&left, &right);
}

/* Whether Y² = X³ - 768 · X · ZZ² + 4096 · b · ZZ³ and 16 · ZZ³ = ZZZ², for a point other than infinity. */
INLINE bool is_extended_on_curve(const extended *point) {
  const field a = f_constant(SCALED_A_WORDS), b = f_constant(SCALED_B_WORDS);
  const field z4 = f_square(&point->zz), z6 = f_multiply(&z4, &point->zz), square = f_square(&point->x);
  const field less = f_multiply(&a, &z4), factor = f_subtract(&square, &less);
  const field product = f_multiply(&point->x, &factor), last = f_multiply(&b, &z6);
  const field left = f_square(&point->y), right = f_add(&product, &last);
  const field scaled = f_shift(&z6, 4), square_zzz = f_square(&point->zzz);
  return f_equal(&left, &right) && f_equal(&scaled, &square_zzz);
}

INLINE extended e_from_affine(const affine *point) {
  if (is_infinity(point)) return (extended){0};
  const field one = f_constant(ONE_WORDS);
  return (extended){point->x, f_shift(&point->y, 2), one, f_shift(&one, 2)};
}

/* 2 · point; infinity stays infinity. */
INLINE extended e_double(const extended *point) {
  extended result;
  const field u = f_shift(&point->y, 1);
  const field v = f_square(&u), w = f_multiply(&u, &v);
  const field s = f_multiply(&point->x, &v);
  const field sixteen_zz = f_shift(&point->zz, 4);
  const field less = f_subtract(&point->x, &sixteen_zz), more = f_add(&point->x, &sixteen_zz);
  const field third = f_multiply(&less, &more), two_thirds = f_shift(&third, 1), m = f_add(&two_thirds, &third);
  const field two_s = f_shift(&s, 1), mm = f_square(&m);
  result.x = f_subtract(&mm, &two_s);
  const field step = f_subtract(&s, &result.x);
  result.y = f_multiply_subtract(&m, &step, &w, &point->y);
  result.zz = f_multiply(&v, &point->zz);
  result.zzz = f_multiply(&w, &point->zzz);
  return result;
}

/* sum += point, where one of them is infinity, or they are equal or opposite; `rise` is zero if they are equal. */
__attribute__((noinline)) static void e_add_exceptional(extended *sum, const affine *point, const field *rise) {
  if (is_infinity(point)) return;
  if (f_is_zero(&sum->zz)) {
    *sum = e_from_affine(point);
  } else {
    *sum = f_is_zero(rise) ? e_double(sum) : (extended){0};
  }
}

/* sum += point. */
INLINE void e_add_affine(extended *sum, const affine *point) {
  const field u2 = f_multiply(&point->x, &sum->zz), s2 = f_multiply(&point->y, &sum->zzz);
  const field p = f_subtract(&u2, &sum->x), r = f_subtract(&s2, &sum->y);
  if (is_infinity(point) || f_is_zero(&sum->zz) || f_is_zero(&p)) {
    e_add_exceptional(sum, point, &r);
    return;
  }
  const field pp = f_square(&p), rr = f_square(&r);
  const field ppp = f_multiply(&p, &pp), q = f_multiply(&sum->x, &pp);
  sum->zz = f_multiply(&sum->zz, &pp);
  const field less_ppp = f_subtract(&rr, &ppp), less_q = f_subtract(&less_ppp, &q);
  sum->zzz = f_multiply(&sum->zzz, &ppp);
  sum->x = f_subtract(&less_q, &q);
  const field step = f_subtract(&q, &sum->x);
  sum->y = f_multiply_subtract(&r, &step, &sum->y, &ppp);
}

/* The denominator that must be inverted to add two affine points: never 0, and 1 if none is needed. */
INLINE field a_denominator(const affine *left, const affine *right) {
  const field difference = f_subtract(&right->x, &left->x);
  const bool is_usual = !f_is_zero(&difference) && !is_infinity(left) && !is_infinity(right);
  if (is_usual) return difference;
  if (!is_infinity(left) && f_equal(&left->x, &right->x) && f_equal(&left->y, &right->y)) return f_shift(&left->y, 5);
  return f_constant(ONE_WORDS);
}

/* left + right, given the inverse of their denominator. With X = 16x and Y = 16y the slope is that of x and y where
   they differ, and 3 · (X² - 256) / 32Y where they are equal; X of the sum is 16 · slope² - X1 - X2. */
INLINE affine a_add(const affine *left, const affine *right, const field *inverse) {
  field rise = f_subtract(&right->y, &left->y);
  if (is_infinity(left)) return *right;
  if (is_infinity(right)) return *left;
  if (f_equal(&left->x, &right->x)) {
    if (!f_is_zero(&rise)) return (affine){0};
    const field one = f_constant(ONE_WORDS), sixteen = f_shift(&one, 4);
    const field less = f_subtract(&left->x, &sixteen), more = f_add(&left->x, &sixteen);
    const field third = f_multiply(&less, &more), two_thirds = f_shift(&third, 1);
    rise = f_add(&two_thirds, &third);
  }
  affine result;
  const field slope = f_multiply(&rise, inverse), four_slopes = f_shift(&slope, 2);
  const field square = f_square(&four_slopes), less = f_subtract(&square, &left->x);
  result.x = f_subtract(&less, &right->x);
  const field step = f_subtract(&left->x, &result.x), height = f_multiply(&slope, &step);
  result.y = f_subtract(&height, &left->y);
  return result;
}

#endif
