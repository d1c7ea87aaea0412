/* Points of P-256 in lanes. Coordinates are field values below 2p, carried.

   The formulas of additions do not cover equal or opposite points, nor the point at infinity. They then leave a Z (or
   ZZ) of zero, and every formula here keeps a zero there: a caller who finds Z other than zero at the end knows that
   no addition was such a one. */

#ifndef ASSAY_P256_POINT_H
#define ASSAY_P256_POINT_H

#include "inverse.h"

LANES_BEGIN

/* x = X / Z², y = Y / Z³. */
typedef struct {
  field x, y, z;
} jacobian;

/* x = X / ZZ, y = Y / ZZZ, with ZZ³ = ZZZ². */
typedef struct {
  field x, y, zz, zzz;
} extended;

typedef struct {
  field x, y;
} affine;

/* Where y² = x³ - 3x + b, for field values below 2p in Montgomery's form. */
INLINE lane_mask is_on_curve(const field *x, const field *y) {
  field square, cube;
  f_square(&square, x);
  f_mul_sum(&cube, &square, x);
  f_square_sum(&square, y);
  const field three_x = f_add(f_add(*x, *x), *x);
  const field right = f_reduced(f_sub(f_add(cube, f_constant(B_LIMBS)), three_x, 6));
  return f_equal(square, right);
}

/* Where Y² = X³ - 3·X·Z⁴ + b·Z⁶. */
INLINE lane_mask is_jacobian_on_curve(const jacobian *point) {
  const field b = f_constant(B_LIMBS);
  field zz, z4, b_zz, xx, yy, right;
  f_square(&zz, &point->z);
  f_square_sum(&z4, &zz);
  f_mul(&b_zz, &b, &zz);
  f_square_sum(&xx, &point->x);
  const field three_z4 = f_reduced(f_add(f_add(z4, z4), z4));
  const field factor = f_carry(f_sub(xx, three_z4, 2));
  z4 = f_carry(z4);
  f_mul_add(&right, &point->x, &factor, &b_zz, &z4);
  f_square_sum(&yy, &point->y);
  return f_equal(yy, right);
}

/* Where Y² = X³ - 3·X·ZZ² + b·ZZ³ and ZZ³ = ZZZ². */
INLINE lane_mask is_extended_on_curve(const extended *point) {
  const field b = f_constant(B_LIMBS);
  field z4, z6, xx, yy, right, square;
  f_square_sum(&z4, &point->zz);
  f_square_sum(&xx, &point->x);
  const field three_z4 = f_reduced(f_add(f_add(z4, z4), z4));
  const field factor = f_carry(f_sub(xx, three_z4, 2));
  z4 = f_carry(z4);
  f_mul(&z6, &z4, &point->zz);
  f_mul_add(&right, &point->x, &factor, &b, &z6);
  f_square_sum(&yy, &point->y);
  f_square_sum(&square, &point->zzz);
  return (lane_mask)(f_equal(yy, right) & f_equal(square, z6));
}

/* point = 2 · point, for any point but infinity: the order is odd. With a = -3 (Cohen, Miyaji, Ono 1998; Bernstein
   2001). */
INLINE void j_double(jacobian *point) {
  field delta, gamma, product, beta, square;
  f_square_sum(&delta, &point->z);
  f_square_sum(&gamma, &point->y);
  const field two_y = f_carry(f_shift(point->y, 1));
  const field less = f_carry(f_sub(point->x, delta, 2)), more = f_carry(f_add(point->x, delta));
  f_mul(&point->z, &two_y, &point->z);
  f_mul_sum(&product, &less, &more);
  const field four_gamma = f_reduced(f_shift(gamma, 2));
  f_mul_sum(&beta, &point->x, &four_gamma);
  const field alpha = f_reduced(f_add(f_add(product, product), product));
  const field minus_two_gamma = f_carry(f_negated(f_shift(gamma, 1), 4));
  f_square_sum(&square, &alpha);
  point->x = f_reduced(f_sub(square, f_shift(beta, 1), 4));
  const field step = f_carry(f_sub(beta, point->x, 2));
  f_mul_add(&point->y, &alpha, &step, &four_gamma, &minus_two_gamma);
}

/* left = left + right, of points that are neither equal nor opposite, nor infinity. */
INLINE void j_add(jacobian *left, const jacobian *right) {
  field left_zz, right_zz, u1, u2, left_zzz, right_zzz, hh, s1, s2, v, rr, hhh, z;
  f_square(&left_zz, &left->z);
  f_square(&right_zz, &right->z);
  f_mul(&u1, &left->x, &right_zz);
  f_mul_sum(&u2, &right->x, &left_zz);
  const field h = f_carry(f_sub(u2, u1, 2));
  f_mul(&left_zzz, &left->z, &left_zz);
  f_mul(&right_zzz, &right->z, &right_zz);
  f_square(&hh, &h);
  f_mul(&s1, &left->y, &right_zzz);
  f_mul_sum(&s2, &right->y, &left_zzz);
  const field r = f_reduced(f_sub(s2, s1, 2));
  f_mul_sum(&v, &u1, &hh);
  f_square_sum(&rr, &r);
  f_mul_sum(&hhh, &h, &hh);
  f_mul(&z, &left->z, &right->z);
  left->x = f_reduced(f_sub(rr, f_add(hhh, f_shift(v, 1)), 6));
  f_mul(&left->z, &z, &h);
  const field step = f_carry(f_sub(v, left->x, 2));
  const field minus_hhh = f_carry(f_negated(hhh, 2));
  f_mul_add(&left->y, &r, &step, &s1, &minus_hhh);
}

/* left = left + right, as above. */
INLINE void j_add_affine(jacobian *left, const affine *right) {
  field zz, zzz, u2, s2, hh, v, rr, hhh;
  f_square(&zz, &left->z);
  f_mul_sum(&u2, &right->x, &zz);
  f_mul(&zzz, &left->z, &zz);
  const field h = f_carry(f_sub(u2, left->x, 2));
  f_mul_sum(&s2, &right->y, &zzz);
  f_square(&hh, &h);
  const field r = f_carry(f_sub(s2, left->y, 2));
  f_mul(&left->z, &left->z, &h);
  f_mul_sum(&hhh, &h, &hh);
  f_mul_sum(&v, &left->x, &hh);
  f_square_sum(&rr, &r);
  left->x = f_reduced(f_sub(rr, f_add(hhh, f_shift(v, 1)), 6));
  const field minus_hhh = f_carry(f_negated(hhh, 2));
  const field step = f_carry(f_sub(v, left->x, 2));
  f_mul_add(&left->y, &r, &step, &left->y, &minus_hhh);
}

/* Two points with the same Z, which is not computed (Meloni 2007; Goundar, Joye, Miyaji 2010): twice = 2 · point, and
   `once` is the point; their Z is 2y. For any affine point, as the order is odd. */
INLINE void z_double(affine *twice, affine *once, field *z, const affine *point) {
  field xx, gamma, square;
  f_square_sum(&xx, &point->x);
  f_square_sum(&gamma, &point->y);
  *z = f_carry(f_shift(point->y, 1));
  const field m = f_reduced(f_sub(f_add(f_add(xx, xx), xx), f_constant(THREE_LIMBS), 1));
  const field four_gamma = f_reduced(f_shift(gamma, 2));
  const field two_gamma = f_carry(f_shift(gamma, 1));
  f_mul(&once->x, &point->x, &four_gamma);
  f_square_sum(&square, &m);
  f_mul(&once->y, &four_gamma, &two_gamma);
  twice->x = f_reduced(f_sub(square, f_shift(once->x, 1), 4));
  const field step = f_carry(f_sub(once->x, twice->x, 2));
  f_mul_sum(&square, &m, &step);
  twice->y = f_reduced(f_sub(square, once->y, 2));
}

/* sum = left + right, of points with the same Z that are neither equal nor opposite, nor infinity. Leaves `left` with the
   Z of the sum, which is the one before times `factor`. */
INLINE void z_add(affine *sum, affine *left, field *factor, const affine *right) {
  field square, w2, d, product;
  *factor = f_carry(f_sub(left->x, right->x, 2));
  const field dy = f_carry(f_sub(left->y, right->y, 2));
  f_square(&square, factor);
  f_square_sum(&d, &dy);
  f_mul(&left->x, &left->x, &square);
  f_mul_sum(&w2, &right->x, &square);
  const field difference = f_carry(f_sub(left->x, w2, 2));
  sum->x = f_reduced(f_sub(d, f_add(left->x, w2), 4));
  f_mul(&left->y, &left->y, &difference);
  const field step = f_carry(f_sub(left->x, sum->x, 2));
  f_mul_sum(&product, &dy, &step);
  sum->y = f_reduced(f_sub(product, left->y, 2));
}

/* left = left + right, of points that are neither equal nor opposite, nor infinity. */
INLINE void e_add_affine(extended *left, const affine *right) {
  field u2, s2, pp, rr, ppp, q;
  f_mul_sum(&u2, &right->x, &left->zz);
  f_mul_sum(&s2, &right->y, &left->zzz);
  const field p = f_carry(f_sub(u2, left->x, 2));
  const field r = f_carry(f_sub(s2, left->y, 2));
  f_square(&pp, &p);
  f_square_sum(&rr, &r);
  f_mul_sum(&ppp, &p, &pp);
  f_mul_sum(&q, &left->x, &pp);
  f_mul(&left->zz, &left->zz, &pp);
  left->x = f_reduced(f_sub(rr, f_add(ppp, f_shift(q, 1)), 6));
  const field carried = f_carry(ppp);
  f_mul(&left->zzz, &left->zzz, &carried);
  const field step = f_carry(f_sub(q, left->x, 2));
  const field minus_ppp = f_carry(f_negated(ppp, 2));
  f_mul_add(&left->y, &r, &step, &left->y, &minus_ppp);
}

/* left = left + right, as above. */
INLINE void e_add(extended *left, const extended *right) {
  field u1, u2, s1, s2, zz, zzz, pp, rr, ppp, q;
  f_mul(&u1, &left->x, &right->zz);
  f_mul(&s1, &left->y, &right->zzz);
  f_mul_sum(&u2, &right->x, &left->zz);
  const field p = f_carry(f_sub(u2, u1, 2));
  f_mul_sum(&s2, &right->y, &left->zzz);
  const field r = f_carry(f_sub(s2, s1, 2));
  f_mul(&zz, &left->zz, &right->zz);
  f_mul(&zzz, &left->zzz, &right->zzz);
  f_square(&pp, &p);
  f_square_sum(&rr, &r);
  f_mul_sum(&ppp, &p, &pp);
  f_mul_sum(&q, &u1, &pp);
  f_mul(&left->zz, &zz, &pp);
  left->x = f_reduced(f_sub(rr, f_add(ppp, f_shift(q, 1)), 6));
  const field carried = f_carry(ppp);
  f_mul(&left->zzz, &zzz, &carried);
  const field step = f_carry(f_sub(q, left->x, 2));
  const field minus_ppp = f_carry(f_negated(ppp, 2));
  f_mul_add(&left->y, &r, &step, &s1, &minus_ppp);
}

/* result = 2 · point, of an affine one. */
INLINE void e_double_affine(extended *result, const affine *point) {
  field s, xx, square;
  const field u = f_carry(f_shift(point->y, 1));
  f_square(&result->zz, &u);
  f_mul(&result->zzz, &u, &result->zz);
  f_mul_sum(&s, &point->x, &result->zz);
  f_square_sum(&xx, &point->x);
  const field m = f_reduced(f_sub(f_add(f_add(xx, xx), xx), f_constant(THREE_LIMBS), 1));
  f_square_sum(&square, &m);
  result->x = f_reduced(f_sub(square, f_shift(s, 1), 4));
  const field step = f_carry(f_sub(s, result->x, 2));
  const field minus_y = f_carry(f_negated(point->y, 2));
  f_mul_add(&result->y, &m, &step, &result->zzz, &minus_y);
}

INLINE extended e_select(lane_mask mask, extended a, extended b) {
  a.x = f_select(mask, a.x, b.x);
  a.y = f_select(mask, a.y, b.y);
  a.zz = f_select(mask, a.zz, b.zz);
  a.zzz = f_select(mask, a.zzz, b.zzz);
  return a;
}

INLINE extended e_exchange(const extended *point, int distance) {
  const extended result = {
      f_exchange(point->x, distance), f_exchange(point->y, distance), f_exchange(point->zz, distance),
      f_exchange(point->zzz, distance)};
  return result;
}

INLINE extended e_from_affine(const affine *point) {
  const extended result = {point->x, point->y, f_one(), f_one()};
  return result;
}

LANES_END

#endif
