#include "scalar.h"

/* Makes the table of a point P. The powers 2^(8i) · P, i in 0...32, are computed by doublings in extended coordinates
   and made affine by one inversion. The multiples k + 1...2k of a power are 1...k times it, plus k times it, for k = 1,
   2, 4, … 64: additions in affine coordinates that share inversions (5M + 1S each).

   Checks: P and every entry are on the curve, and each power is twice 128 times the power before it, so that multiples
   and doublings confirm one another. */

/* How many additions share an inversion; the k of the last round. */
enum { SHARED = 512, LAST = MULTIPLES_PER_POSITION / 2 };

typedef struct {
  affine powers[POSITIONS + 1];
  field products[SHARED];
} space;

/* Computes the affine powers. */
static void make_powers(const affine *point, space *space) {
  extended powers[POSITIONS + 1];
  powers[0] = e_from_affine(point);
  for (int i = 1; i <= POSITIONS; i++) {
    powers[i] = powers[i - 1];
    for (int j = 0; j < 8; j++) powers[i] = e_double(&powers[i]);
  }
  space->products[0] = powers[0].zzz;
  for (int i = 1; i <= POSITIONS; i++) space->products[i] = f_multiply(&space->products[i - 1], &powers[i].zzz);
  field inverse = f_inverse(&space->products[POSITIONS]);
  for (int i = POSITIONS; i >= 0; i--) {
    const field own = i == 0 ? inverse : f_multiply(&inverse, &space->products[i - 1]);
    inverse = f_multiply(&inverse, &powers[i].zzz);
    /* 16y = y' / 4 = Y / ZZZ, and 1 / ZZ = (4 · ZZ / ZZZ)². */
    const field four_zz = f_shift(&powers[i].zz, 2), root = f_multiply(&four_zz, &own), square = f_square(&root);
    space->powers[i].x = f_multiply(&powers[i].x, &square);
    space->powers[i].y = f_multiply(&powers[i].y, &own);
  }
}

/* Makes multiples known + 1...2 · known of the positions from `first` on, `count` of them. Returns whether all are on
   the curve. */
static bool add_multiples(uint64_t *table, int first, int count, int known, space *space) {
  const int additions = count * known;
  for (int i = 0; i < additions; i++) {
    const int position = first + i / known, multiple = i % known + 1;
    const affine left = load_entry(table, position, multiple), right = load_entry(table, position, known);
    const field denominator = a_denominator(&left, &right);
    space->products[i] = i == 0 ? denominator : f_multiply(&denominator, &space->products[i - 1]);
  }
  field inverse = f_inverse(&space->products[additions - 1]);
  bool is_valid = true;
  for (int i = additions; i-- > 0;) {
    const int position = first + i / known, multiple = i % known + 1;
    const affine left = load_entry(table, position, multiple), right = load_entry(table, position, known);
    const field own = i == 0 ? inverse : f_multiply(&inverse, &space->products[i - 1]);
    const field denominator = a_denominator(&left, &right);
    inverse = f_multiply(&inverse, &denominator);
    const affine sum = a_add(&left, &right, &own);
    is_valid &= is_on_curve(&sum);
    store_entry(table, position, known + multiple, &sum);
  }
  return is_valid;
}

/* Whether 2 · point = doubled. */
static bool is_double(const affine *point, const affine *doubled) {
  const extended start = e_from_affine(point), sum = e_double(&start);
  const field x = f_multiply(&doubled->x, &sum.zz), y = f_multiply(&doubled->y, &sum.zzz);
  return f_equal(&x, &sum.x) && f_equal(&y, &sum.y);
}

bool assay_p256_make_table(const uint8_t *bytes, uint64_t *table) {
  affine point;
  w_read(point.x.w, bytes);
  w_read(point.y.w, bytes + 32);
  if (!w_is_below(point.x.w, P_WORDS) || !w_is_below(point.y.w, P_WORDS)) return false;
  const field to_scaled = f_constant(TO_SCALED_MONTGOMERY_WORDS);
  point.x = f_multiply(&point.x, &to_scaled);
  point.y = f_multiply(&point.y, &to_scaled);
  if (!is_on_curve(&point)) return false;
  space space;
  make_powers(&point, &space);
  bool is_valid = true;
  for (int i = 0; i < POSITIONS; i++) {
    is_valid &= is_on_curve(&space.powers[i]);
    store_entry(table, i, 1, &space.powers[i]);
  }
  for (int known = 1; known <= LAST; known *= 2) {
    const int count = SHARED / known < POSITIONS ? SHARED / known : POSITIONS;
    for (int first = 0; first < POSITIONS; first += count) {
      is_valid &= add_multiples(table, first, count, known, &space);
    }
  }
  for (int i = 0; i < POSITIONS; i++) {
    const affine last = load_entry(table, i, MULTIPLES_PER_POSITION);
    is_valid &= is_double(&last, &space.powers[i + 1]);
  }
  return is_valid;
}
