/* Makes tables of public points: the bases 2^(8i) · point by doublings, then 128 multiples of each base by additions,
   every lane another base. */

#ifndef ASSAY_P256_TABLE_H
#define ASSAY_P256_TABLE_H

#include "agree.h"
#include "comb.h"

/* Multiples that share an inversion. */
enum { BATCH = 32 };

LANES_BEGIN

/* Powers of 2^8 times the point, one more than there are positions, in limbs of their coordinates X, 2Y and Z; those
   beyond are not used. */
typedef struct {
  uint64_t x[5][POSITIONS + LANES], two_y[5][POSITIONS + LANES], z[5][POSITIONS + LANES];
} bases;

typedef struct {
  extended points[BATCH];
  /* Products of all ZZZ up to this one. */
  multiplicand products[BATCH];
} batch;

static void store_lane(uint64_t limbs[5][POSITIONS + LANES], int lane, const lanes value[5]) {
  uint64_t words[LANES];
  for (int i = 0; i < 5; i++) {
    l_store(words, value[i]);
    limbs[i][lane] = words[0];
  }
}

static void make_bases(const multiplicand *x, const multiplicand *y, bases *result) {
  jacobian power = {f_integer(*x), f_ready(f_shift(f_integer(*y), 1)), m_one()};
  for (int i = 0; i < POSITIONS + LANES; i++) {
    store_lane(result->x, i, power.x.l);
    store_lane(result->two_y, i, power.two_y.l);
    store_lane(result->z, i, power.z.l);
    for (int j = 0; j < 8 && i < POSITIONS; j++) double_in_place(&power);
  }
}

static void load_lanes(uint64_t limbs[5][POSITIONS + LANES], int first, lanes result[5]) {
  for (int i = 0; i < 5; i++) result[i] = l_load(limbs[i] + first);
}

/* A base for each lane, from position `first` on: 4X / (2Z)² and 4 · 2Y / (2Z)³. */
static affine load_bases(bases *all, int first) {
  multiplicand y, z, inverse, power;
  field x, result_x, result_y;
  load_lanes(all->x, first, x.l);
  load_lanes(all->two_y, first, y.l);
  load_lanes(all->z, first, z.l);
  z = f_ready(f_shift(f_integer(z), 1));
  inverses(&inverse, &z);
  field square;
  f_square_sum(&square, &inverse);
  power = f_ready(f_shift(square, 2));
  const multiplicand factor = f_multiplicand(x);
  f_mul_sum(&result_x, &factor, &power);
  f_mul(&power, &power, &inverse);
  f_mul_sum(&result_y, &y, &power);
  return (affine){f_reduced(result_x), f_reduced(result_y)};
}

static void store_entries(const multiplicand *x, const multiplicand *y, uint64_t *table, int first, int multiple) {
  uint64_t *entries[LANES];
  lanes words[8];
  f_to_words(f_canonical(f_integer(*x)), words);
  f_to_words(f_canonical(f_integer(*y)), words + 4);
  for (int lane = 0; lane < LANES; lane++) {
    entries[lane] = table + entry_offset(first + lane, multiple);
  }
  l_store_entries(entries, words);
}

NOINLINE static void add_base(extended *sum, const affine *base) {
  e_add_affine(sum, base, l_mask(0));
}

/* Stores the points of a batch, the first of which is multiple `first_multiple`; returns the lanes in which all of
   them are on the curve, and the last of them. */
static unsigned store_batch(batch *space, uint64_t *table, int first, int first_multiple, affine *last) {
  unsigned valid = ALL_LANES;
  multiplicand inverse;
  inverses(&inverse, &space->products[BATCH - 1]);
  for (int i = BATCH - 1; i >= 0; i--) {
    const extended *point = &space->points[i];
    const multiplicand point_x = f_multiplicand(point->x);
    multiplicand one = inverse, factor, x, y;
    if (i > 0) f_mul(&one, &inverse, &space->products[i - 1]);
    f_mul(&inverse, &inverse, &point->zzz);
    f_mul(&factor, &one, &point->zz);
    f_square(&factor, &factor);
    f_mul(&x, &point_x, &factor);
    f_mul(&y, &point->y, &one);
    valid &= l_bits(is_on_curve(&x, &y));
    store_entries(&x, &y, table, first, first_multiple + i);
    if (i == BATCH - 1) *last = (affine){f_integer(x), f_integer(y)};
  }
  return valid;
}

/* Makes the entries of LANES positions; `next` are their bases times 2^8, to which the last ones must double. */
static unsigned make_positions(const affine *base, const affine *next, uint64_t *table, int first) {
  batch space;
  unsigned valid = ALL_LANES;
  affine last = *base;
  extended point = e_from_affine(base);
  for (int multiple = 1; multiple <= MULTIPLES_PER_POSITION; multiple += BATCH) {
    for (int i = 0; i < BATCH; i++) {
      if (multiple + i == 2) {
        e_double_affine(&point, base);
      } else if (multiple + i > 2) {
        add_base(&point, base);
      }
      space.points[i] = point;
      if (i == 0) {
        space.products[0] = point.zzz;
      } else {
        f_mul(&space.products[i], &space.products[i - 1], &point.zzz);
      }
    }
    valid &= store_batch(&space, table, first, multiple, &last);
  }
  extended doubled;
  const multiplicand next_x = f_multiplicand(next->x), next_y = f_multiplicand(next->y);
  field x, y;
  e_double_affine(&doubled, &last);
  f_mul_sum(&x, &next_x, &doubled.zz);
  f_mul_sum(&y, &next_y, &doubled.zzz);
  const lane_mask is_same_x = f_equal(x, doubled.x), is_same_y = f_equal(f_integer(doubled.y), f_reduced(y));
  return valid & l_bits((lane_mask)(is_same_x & is_same_y));
}

NOINLINE static bool fill_table(const uint8_t *bytes, uint64_t *table) {
  uint64_t x[4], y[4];
  w_read(x, bytes);
  w_read(y, bytes + 32);
  if (!w_is_below(x, P_WORDS) || !w_is_below(y, P_WORDS)) return false;
  const multiplicand inner_x = m_to_montgomery(f_from_constant_words(x));
  const multiplicand inner_y = m_to_montgomery(f_from_constant_words(y));
  if (l_bits(is_on_curve(&inner_x, &inner_y)) != ALL_LANES) return false;
  bases all;
  make_bases(&inner_x, &inner_y, &all);
  unsigned valid = ALL_LANES;
  for (int first = 0; first < POSITIONS; first += LANES) {
    const affine base = load_bases(&all, first), next = load_bases(&all, first + 1);
    valid &= make_positions(&base, &next, table, first);
  }
  return valid == ALL_LANES;
}

static bool kernel_make_table(const uint8_t *point, uint64_t *table) {
  const float_state state = set_float_state();
  const bool is_made = fill_table(point, table);
  restore_float_state(state);
  return is_made;
}

LANES_END

#endif
