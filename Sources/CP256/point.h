/* Points of P-256 in eight lanes. Coordinates are field values below 2p, carried.

   The formulas of additions do not cover equal or opposite points, nor the point at infinity. They then leave a Z (or
   ZZ) of zero, and every formula here keeps a zero there: a caller who finds Z other than zero at the end knows that
   no addition was such a one. */

#ifndef ASSAY_P256_POINT_H
#define ASSAY_P256_POINT_H

#include "field.h"

#if defined(ASSAY_P256_COMPILED)
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
INLINE lane_mask is_on_curve(field x, field y) {
  const field three_x = f_add(f_add(x, x), x);
  const field cube = f_mul(f_square(x), x);
  const field right = f_weak(f_sub(f_add(cube, f_constant(B_LIMBS)), three_x, 6));
  return f_equal(f_square(y), right);
}

/* Where Y² = X³ - 3·X·Z⁴ + b·Z⁶. */
INLINE lane_mask is_jacobian_on_curve(const jacobian *point) {
  const field zz = f_square(point->z);
  const field z4 = f_square(zz);
  const field b_zz = f_mul(f_constant(B_LIMBS), zz);
  const field xx = f_square(point->x);
  const field three_z4 = f_weak(f_add(f_add(z4, z4), z4));
  const field factor = f_carry(f_sub(xx, three_z4, 2));
  return f_equal(f_square(point->y), f_carry(f_mul_add_sum(point->x, factor, b_zz, z4)));
}

/* Where Y² = X³ - 3·X·ZZ² + b·ZZ³ and ZZ³ = ZZZ². */
INLINE lane_mask is_extended_on_curve(const extended *point) {
  const field z4 = f_square(point->zz);
  const field z6 = f_mul(z4, point->zz);
  const field xx = f_square(point->x);
  const field three_z4 = f_weak(f_add(f_add(z4, z4), z4));
  const field factor = f_carry(f_sub(xx, three_z4, 2));
  const field right = f_carry(f_mul_add_sum(point->x, factor, f_constant(B_LIMBS), z6));
  return f_equal(f_square(point->y), right) & f_equal(f_square(point->zzz), z6);
}

/* 2 · point, for any point but infinity: the order is odd. With a = -3 (Cohen, Miyaji, Ono 1998; Bernstein 2001). */
INLINE jacobian j_double(const jacobian *point) {
  jacobian result;
  const field delta = f_square_sum(point->z);
  const field gamma = f_square_sum(point->y);
  const field two_y = f_carry(f_shift(point->y, 1));
  const field less = f_carry(f_sub(point->x, delta, 2)), more = f_carry(f_add(point->x, delta));
  result.z = f_mul(two_y, point->z);
  const field product = f_mul_sum(less, more);
  const field four_gamma = f_weak(f_shift(gamma, 2));
  const field beta = f_mul_sum(point->x, four_gamma);
  const field alpha = f_weak(f_add(f_add(product, product), product));
  const field minus_two_gamma = f_carry(f_negated(f_shift(gamma, 1), 4));
  result.x = f_weak(f_sub(f_square_sum(alpha), f_shift(beta, 1), 4));
  const field step = f_carry(f_sub(beta, result.x, 2));
  result.y = f_carry(f_mul_add_sum(alpha, step, four_gamma, minus_two_gamma));
  return result;
}

/* left + right, of points that are neither equal nor opposite, nor infinity. */
INLINE jacobian j_add(const jacobian *left, const jacobian *right) {
  jacobian result;
  const field left_zz = f_square(left->z), right_zz = f_square(right->z);
  const field u1 = f_mul(left->x, right_zz);
  const field h = f_carry(f_sub(f_mul_sum(right->x, left_zz), u1, 2));
  const field left_zzz = f_mul(left->z, left_zz), right_zzz = f_mul(right->z, right_zz);
  const field hh = f_square(h);
  const field s1 = f_mul(left->y, right_zzz);
  const field r = f_weak(f_sub(f_mul_sum(right->y, left_zzz), s1, 2));
  const field v = f_mul_sum(u1, hh);
  const field rr = f_square_sum(r);
  const field hhh = f_mul_sum(h, hh);
  const field z = f_mul(left->z, right->z);
  result.x = f_weak(f_sub(rr, f_add(hhh, f_shift(v, 1)), 6));
  result.z = f_mul(z, h);
  const field step = f_carry(f_sub(v, result.x, 2));
  result.y = f_carry(f_mul_add_sum(r, step, s1, f_carry(f_negated(hhh, 2))));
  return result;
}

/* left + right, as above. */
INLINE extended e_add_affine(const extended *left, const affine *right) {
  extended result;
  const field u2 = f_mul_sum(right->x, left->zz);
  const field s2 = f_mul_sum(right->y, left->zzz);
  const field p = f_carry(f_sub(u2, left->x, 2));
  const field r = f_carry(f_sub(s2, left->y, 2));
  const field pp = f_square(p);
  const field rr = f_square_sum(r);
  const field ppp = f_mul_sum(p, pp);
  const field q = f_mul_sum(left->x, pp);
  result.zz = f_mul(left->zz, pp);
  result.x = f_weak(f_sub(rr, f_add(ppp, f_shift(q, 1)), 6));
  result.zzz = f_mul(left->zzz, f_carry(ppp));
  const field step = f_carry(f_sub(q, result.x, 2));
  result.y = f_carry(f_mul_add_sum(r, step, left->y, f_carry(f_negated(ppp, 2))));
  return result;
}

/* left + right, as above. */
INLINE extended e_add(const extended *left, const extended *right) {
  extended result;
  const field u1 = f_mul(left->x, right->zz), s1 = f_mul(left->y, right->zzz);
  const field p = f_carry(f_sub(f_mul_sum(right->x, left->zz), u1, 2));
  const field r = f_carry(f_sub(f_mul_sum(right->y, left->zzz), s1, 2));
  const field zz = f_mul(left->zz, right->zz), zzz = f_mul(left->zzz, right->zzz);
  const field pp = f_square(p);
  const field rr = f_square_sum(r);
  const field ppp = f_mul_sum(p, pp);
  const field q = f_mul_sum(u1, pp);
  result.zz = f_mul(zz, pp);
  result.x = f_weak(f_sub(rr, f_add(ppp, f_shift(q, 1)), 6));
  result.zzz = f_mul(zzz, f_carry(ppp));
  const field step = f_carry(f_sub(q, result.x, 2));
  result.y = f_carry(f_mul_add_sum(r, step, s1, f_carry(f_negated(ppp, 2))));
  return result;
}

/* 2 · point, of an affine one. */
INLINE extended e_double_affine(const affine *point) {
  const field u = f_weak(f_shift(point->y, 1));
  const field v = f_square(u), w = f_mul(u, v);
  const field s = f_mul_sum(point->x, v);
  const field xx = f_square_sum(point->x);
  const field m = f_weak(f_sub(f_add(f_add(xx, xx), xx), f_constant(THREE_LIMBS), 1));
  extended result;
  result.x = f_weak(f_sub(f_square_sum(m), f_shift(s, 1), 4));
  const field step = f_carry(f_sub(s, result.x, 2));
  result.y = f_carry(f_mul_add_sum(m, step, w, f_carry(f_negated(point->y, 2))));
  result.zz = v;
  result.zzz = w;
  return result;
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

INLINE extended e_from_affine(affine point) {
  const extended result = {point.x, point.y, f_one(), f_one()};
  return result;
}

LANES_END
#endif

#endif
