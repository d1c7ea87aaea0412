#include "comb.h"
#include "inverse.h"
#include "words.h"

#if defined(ASSAY_P256_COMPILED)

/* Multiples that share an inversion. */
enum { BATCH = 32 };

LANES_BEGIN

/* Powers of 2^8 times the point, one more than there are positions, in limbs; lanes beyond it hold the point itself. */
typedef struct {
  uint64_t x[5][POSITIONS + 8], y[5][POSITIONS + 8], z[5][POSITIONS + 8];
} bases;

typedef struct {
  extended points[BATCH];
  /* Products of all ZZZ up to this one. */
  field products[BATCH];
} batch;

void assay_p256_generator(uint8_t *point) {
  w_write(point, GX_WORDS);
  w_write(point + 32, GY_WORDS);
}

__attribute__((noinline)) static void double_in_place(jacobian *point) { *point = j_double(point); }

static void store_lane(uint64_t limbs[5][POSITIONS + 8], int lane, field value) {
  uint64_t words[8];
  for (int i = 0; i < 5; i++) {
    l_store(words, value.l[i]);
    limbs[i][lane] = words[0];
  }
}

static void make_bases(const affine *point, bases *result) {
  jacobian power = {point->x, point->y, f_one()};
  for (int i = 0; i < POSITIONS + 8; i++) {
    store_lane(result->x, i, power.x);
    store_lane(result->y, i, power.y);
    store_lane(result->z, i, power.z);
    for (int j = 0; j < 8 && i < POSITIONS; j++) double_in_place(&power);
  }
}

static field load_lanes(uint64_t limbs[5][POSITIONS + 8], int first) {
  field result;
  for (int i = 0; i < 5; i++) result.l[i] = l_load(limbs[i] + first);
  return result;
}

/* Eight bases from position `first` on. */
static affine load_bases(bases *all, int first) {
  const field z = load_lanes(all->z, first);
  const field inverse = assay_p256_inverses(&z);
  const field square = f_square(inverse);
  const affine result = {
      f_mul(load_lanes(all->x, first), square), f_mul(load_lanes(all->y, first), f_mul(square, inverse))};
  return result;
}

static void store_entries(affine entries, uint64_t *table, int first, int multiple) {
  lanes rows[8];
  f_to_words(f_canonical(entries.x), rows);
  f_to_words(f_canonical(entries.y), rows + 4);
  assay_p256_transpose(rows);
  for (int lane = 0; lane < 8; lane++) {
    l_store(table + (comb_entry(table, first + lane, multiple) - table), rows[lane]);
  }
}

__attribute__((noinline)) static void add_base(extended *sum, const affine *base) { *sum = e_add_affine(sum, base); }

/* Stores the points of a batch, the first of which is multiple `first_multiple`; returns the lanes in which all of
   them are on the curve, and the last of them. */
static lane_mask store_batch(batch *space, uint64_t *table, int first, int first_multiple, affine *last) {
  lane_mask valid = 0xFF;
  field inverse = assay_p256_inverses(&space->products[BATCH - 1]);
  for (int i = BATCH - 1; i >= 0; i--) {
    const extended *point = &space->points[i];
    const field one = i == 0 ? inverse : f_mul(inverse, space->products[i - 1]);
    inverse = f_mul(inverse, point->zzz);
    const affine entry = {f_mul(point->x, f_square(f_mul(one, point->zz))), f_mul(point->y, one)};
    valid &= is_on_curve(entry.x, entry.y);
    store_entries(entry, table, first, first_multiple + i);
    if (i == BATCH - 1) *last = entry;
  }
  return valid;
}

/* Makes the entries of eight positions; `next` are their bases times 2^8, to which the last ones must double. */
static lane_mask make_positions(affine base, affine next, uint64_t *table, int first) {
  batch space;
  lane_mask valid = 0xFF;
  affine last = base;
  extended point = e_from_affine(base);
  for (int multiple = 1; multiple <= MULTIPLES_PER_POSITION; multiple += BATCH) {
    for (int i = 0; i < BATCH; i++) {
      if (multiple + i == 2) {
        point = e_double_affine(&base);
      } else if (multiple + i > 2) {
        add_base(&point, &base);
      }
      space.points[i] = point;
      space.products[i] = i == 0 ? point.zzz : f_mul(space.products[i - 1], point.zzz);
    }
    valid &= store_batch(&space, table, first, multiple, &last);
  }
  const extended doubled = e_double_affine(&last);
  return valid & f_equal(f_mul(next.x, doubled.zz), doubled.x) & f_equal(f_mul(next.y, doubled.zzz), doubled.y);
}

bool assay_p256_make_table(const uint8_t *octets, uint64_t *table) {
  uint64_t x[4], y[4];
  w_read(x, octets);
  w_read(y, octets + 32);
  if (!w_is_below(x, P_WORDS) || !w_is_below(y, P_WORDS)) return false;
  const affine point = {f_enter(f_from_constant_words(x)), f_enter(f_from_constant_words(y))};
  if (is_on_curve(point.x, point.y) != 0xFF) return false;
  bases all;
  make_bases(&point, &all);
  lane_mask valid = 0xFF;
  for (int first = 0; first < POSITIONS; first += 8) {
    valid &= make_positions(load_bases(&all, first), load_bases(&all, first + 1), table, first);
  }
  return valid == 0xFF;
}

LANES_END

#endif
