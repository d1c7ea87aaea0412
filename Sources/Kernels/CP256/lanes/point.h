/* Points of P-256 in lanes.

   The addition formulas do not cover equal or opposite points, nor the point at infinity. In these cases Z (or ZZ)
   becomes zero, and every formula here keeps it zero: if Z is not zero at the end, no addition was exceptional. */

#ifndef ASSAY_P256_POINT_H
#define ASSAY_P256_POINT_H

#include "inverse.h"

LANES_BEGIN

/* x = X / Z², y = Y / Z³, stored with 2Y, which doubling uses. X < 1.3 and carried, 2Y < 4, Z < 4. */
typedef struct {
  field x;
  multiplicand two_y, z;
} jacobian;

/* x = X / ZZ, y = Y / ZZZ, with ZZ³ = ZZZ². X < 1.3 and carried, Y < 5, ZZ < 2, ZZZ < 2. */
typedef struct {
  field x;
  multiplicand y, zz, zzz;
} extended;

/* Carried; x < 1.3, y < 1.3. */
typedef struct {
  field x, y;
} affine;

/* An affine point for j_add: x < 1.3, 2y < 4 and carried. */
typedef struct {
  multiplicand x;
  field two_y;
} multiple;

/* Where y² = x³ - 3x + b, for coordinates < 1.3 in Montgomery form. */
INLINE lane_mask is_on_curve(const multiplicand *x, const multiplicand *y) {
  multiplicand square;
  field cube, yy;
  f_square(&square, x);
  f_mul_sum(&cube, &square, x);
  f_square_sum(&yy, y);
  const field x1 = f_integer(*x), three_x = f_add(f_add(x1, x1), x1);
  const field right = f_reduced(f_sub(f_add(cube, f_constant(B_LIMBS)), three_x, 4));
  return f_equal(yy, right);
}

/* x·(x² - 3·z4) + b·z6, reduced, for x < 1.3, z4 < 2, z6 < 2; `shift` is 0 or 2 and shifts the sum. */
INLINE field right_side(const multiplicand *x, const field *z4, const multiplicand *z6, int shift) {
  const multiplicand b = m_constant(B_LIMBS);
  field xx, first, second;
  f_square_sum(&xx, x);
  const field three_z4 = f_reduced(f_add(f_add(*z4, *z4), *z4));
  const multiplicand factor = f_ready(f_sub(xx, three_z4, 2));
  f_mul_sum(&first, x, &factor);
  f_mul_sum(&second, &b, z6);
  return f_reduced(f_shift(f_add(first, second), shift));
}

/* Where (2Y)² = 4·(X³ - 3·X·Z⁴ + b·Z⁶). */
INLINE lane_mask is_jacobian_on_curve(const jacobian *point) {
  const multiplicand x = f_multiplicand(point->x);
  multiplicand zz, z6;
  field z4, yy;
  f_square(&zz, &point->z);
  f_square_sum(&z4, &zz);
  const multiplicand factor = f_ready(z4);
  f_mul(&z6, &factor, &zz);
  f_square_sum(&yy, &point->two_y);
  return f_equal(yy, right_side(&x, &z4, &z6, 2));
}

/* Where Y² = X³ - 3·X·ZZ² + b·ZZ³ and ZZ³ = ZZZ². */
INLINE lane_mask is_extended_on_curve(const extended *point) {
  const multiplicand x = f_multiplicand(point->x);
  multiplicand z6;
  field z4, yy, square;
  f_square_sum(&z4, &point->zz);
  const multiplicand factor = f_ready(z4);
  f_mul(&z6, &factor, &point->zz);
  f_square_sum(&yy, &point->y);
  f_square_sum(&square, &point->zzz);
  const lane_mask is_consistent = f_equal(square, f_integer(z6));
  return (lane_mask)(is_consistent & f_equal(right_side(&x, &z4, &z6, 0), f_reduced(yy)));
}

/* point = 2 · point, for any point except infinity: the order is odd. With a = -3 (Cohen, Miyaji, Ono 1998; Bernstein
   2001), and 2Y in place of Y: four products, four squares and seven reductions. */
INLINE void j_double(jacobian *point) {
  field delta, product, beta, square;
  multiplicand gamma;
  /* Z² and (2Y)² < 2. */
  f_square_sum(&delta, &point->z);
  f_square(&gamma, &point->two_y);
  /* X - Z² < 3.3, X + Z² < 3.3. */
  const multiplicand less = f_ready(f_sub(point->x, delta, 2)), more = f_ready(f_add(point->x, delta));
  const multiplicand x = f_multiplicand(point->x);
  f_mul_sum(&product, &less, &more);
  f_mul_sum(&beta, &x, &gamma);
  /* < 5.05, and its square < 2.7. */
  const multiplicand alpha = f_ready(f_add(f_add(product, product), product));
  f_square_sum(&square, &alpha);
  f_mul(&point->z, &point->two_y, &point->z);
  point->x = f_reduced(f_sub(square, f_shift(beta, 1), 3));
  /* 2(β - X) < 6.33; 2Y < 5.05 · 6.33 / 16 + 1 + 1 < 4. */
  const multiplicand step = f_ready(f_shift(f_sub(beta, point->x, 2), 1));
  f_mul_less_square(&point->two_y, &alpha, &step, &gamma);
}

/* left = left + right, of points that are neither equal nor opposite, nor infinity. Compared with the common formulas,
   X has the factor 4 and Z the factor 2. */
INLINE void j_add(jacobian *left, const multiple *right) {
  field u2, s2, hh, hhh, v, rr, z;
  multiplicand zz, zzz;
  const field two_y = f_integer(left->two_y);
  f_square(&zz, &left->z);
  const multiplicand right_y = f_multiplicand(right->two_y);
  f_mul_sum(&u2, &right->x, &zz);
  f_mul(&zzz, &left->z, &zz);
  const multiplicand h = f_ready(f_sub(u2, left->x, 2));
  f_square_sum(&hh, &h);
  f_mul_sum(&s2, &right_y, &zzz);
  const multiplicand four_hh = f_ready(f_shift(hh, 2)), x = f_multiplicand(left->x);
  const multiplicand r = f_multiplicand(f_reduced(f_sub(s2, two_y, 5)));
  f_mul_sum(&hhh, &h, &four_hh);
  f_mul_sum(&v, &x, &four_hh);
  f_square_sum(&rr, &r);
  f_mul_sum(&z, &left->z, &h);
  left->x = f_reduced(f_sub(rr, f_add(hhh, f_shift(v, 1)), 6));
  left->z = f_ready(f_shift(z, 1));
  const multiplicand two_hhh = f_ready(f_shift(hhh, 1));
  const multiplicand step = f_ready(f_shift(f_sub(v, left->x, 2), 1));
  f_mul_sub(&left->two_y, &r, &step, &left->two_y, &two_hhh);
}

/* Two points with the same Z (Meloni 2007; Goundar, Joye, Miyaji 2010): twice = 2 · point, and `once` is the point. For
   any affine point, as the order is odd. */
INLINE void z_double(affine *twice, affine *once, multiplicand *z, const affine *point) {
  const multiplicand x = f_multiplicand(point->x), y = f_multiplicand(point->y);
  field xx, gamma, square, product;
  f_square_sum(&xx, &x);
  f_square_sum(&gamma, &y);
  *z = f_ready(f_shift(point->y, 1));
  const multiplicand m = f_multiplicand(f_reduced(f_sub(f_add(f_add(xx, xx), xx), f_constant(THREE_LIMBS), 1)));
  const multiplicand four_gamma = f_multiplicand(f_reduced(f_shift(gamma, 2)));
  const multiplicand two_gamma = f_ready(f_shift(gamma, 1));
  f_mul_sum(&product, &x, &four_gamma);
  once->x = f_carry(product);
  f_mul_sum(&product, &four_gamma, &two_gamma);
  once->y = f_carry(product);
  f_square_sum(&square, &m);
  twice->x = f_reduced(f_sub(square, f_shift(once->x, 1), 3));
  const multiplicand step = f_ready(f_sub(once->x, twice->x, 2));
  f_mul_sum(&product, &m, &step);
  twice->y = f_reduced(f_sub(product, once->y, 2));
}

/* sum = left + right, of points with the same Z that are neither equal nor opposite, nor infinity. Leaves `left` with
   the Z of the sum, which is the one before times `factor`. */
INLINE void z_add(affine *sum, affine *left, multiplicand *factor, const affine *right) {
  const multiplicand left_x = f_multiplicand(left->x), left_y = f_multiplicand(left->y);
  const multiplicand right_x = f_multiplicand(right->x);
  const multiplicand dy = f_ready(f_sub(left->y, right->y, 2));
  multiplicand square;
  field w, w2, d, product;
  *factor = f_ready(f_sub(left->x, right->x, 2));
  f_square(&square, factor);
  f_square_sum(&d, &dy);
  f_mul_sum(&w, &left_x, &square);
  f_mul_sum(&w2, &right_x, &square);
  const multiplicand difference = f_ready(f_sub(w, w2, 2));
  sum->x = f_reduced(f_sub(d, f_add(w, w2), 3));
  left->x = f_carry(w);
  f_mul_sum(&product, &left_y, &difference);
  left->y = f_carry(product);
  const multiplicand step = f_ready(f_sub(left->x, sum->x, 2));
  f_mul_sum(&product, &dy, &step);
  sum->y = f_reduced(f_sub(product, left->y, 2));
}

/* left = left + right, of points that are neither equal nor opposite, nor infinity; the right one is negated where the
   mask is set. */
INLINE void e_add_affine(extended *left, const affine *right, lane_mask is_negative) {
  field u2, s2, rr, ppp, q;
  multiplicand pp;
  const multiplicand right_x = f_multiplicand(right->x), right_y = f_multiplicand(right->y);
  const field y = f_integer(left->y);
  f_mul_sum(&u2, &right_x, &left->zz);
  f_mul_sum(&s2, &right_y, &left->zzz);
  const multiplicand p = f_ready(f_sub(u2, left->x, 2));
  /* < 3.2, and r < 7. */
  s2 = f_select(is_negative, s2, f_negated(s2, 2));
  const multiplicand r = f_ready(f_sub(s2, y, 5)), x = f_multiplicand(left->x);
  f_square(&pp, &p);
  f_square_sum(&rr, &r);
  f_mul_sum(&ppp, &p, &pp);
  f_mul_sum(&q, &x, &pp);
  f_mul(&left->zz, &left->zz, &pp);
  const multiplicand factor = f_ready(ppp);
  left->x = f_reduced(f_sub(rr, f_add(ppp, f_shift(q, 1)), 4));
  f_mul(&left->zzz, &left->zzz, &factor);
  const multiplicand step = f_ready(f_sub(q, left->x, 2));
  f_mul_sub(&left->y, &r, &step, &left->y, &factor);
}

/* left = left + right, as above. */
INLINE void e_add(extended *left, const extended *right) {
  field u1, u2, s1, s2, rr, ppp, q;
  multiplicand zz, zzz, pp;
  const multiplicand left_x = f_multiplicand(left->x), right_x = f_multiplicand(right->x);
  f_mul_sum(&u1, &left_x, &right->zz);
  f_mul_sum(&s1, &left->y, &right->zzz);
  f_mul_sum(&u2, &right_x, &left->zz);
  f_mul_sum(&s2, &right->y, &left->zzz);
  const multiplicand p = f_ready(f_sub(u2, u1, 2)), r = f_ready(f_sub(s2, s1, 2));
  const multiplicand x = f_ready(u1), y = f_ready(s1);
  f_mul(&zz, &left->zz, &right->zz);
  f_mul(&zzz, &left->zzz, &right->zzz);
  f_square(&pp, &p);
  f_square_sum(&rr, &r);
  f_mul_sum(&ppp, &p, &pp);
  f_mul_sum(&q, &x, &pp);
  f_mul(&left->zz, &zz, &pp);
  const multiplicand factor = f_ready(ppp);
  left->x = f_reduced(f_sub(rr, f_add(ppp, f_shift(q, 1)), 4));
  f_mul(&left->zzz, &zzz, &factor);
  const multiplicand step = f_ready(f_sub(q, left->x, 2));
  f_mul_sub(&left->y, &r, &step, &y, &factor);
}

INLINE extended e_select(lane_mask mask, extended a, extended b) {
  a.x = f_select(mask, a.x, b.x);
  a.y = m_select(mask, a.y, b.y);
  a.zz = m_select(mask, a.zz, b.zz);
  a.zzz = m_select(mask, a.zzz, b.zzz);
  return a;
}

INLINE extended e_exchange(const extended *point, int distance) {
  const multiplicand x = m_exchange(f_multiplicand(point->x), distance);
  const extended result = {
      f_integer(x), m_exchange(point->y, distance), m_exchange(point->zz, distance), m_exchange(point->zzz, distance)};
  return result;
}

INLINE extended e_from_affine(const affine *point) {
  const extended result = {point->x, f_multiplicand(point->y), m_one(), m_one()};
  return result;
}

LANES_END

#endif
