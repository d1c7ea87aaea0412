#include "scalar.h"

/* Verification (FIPS 186-5 6.4.2): u1 = e / s, u2 = r / s, and x of u1·G + u2·Q is r modulo n. Each product is a sum of
   32 entries of a table, one for each digit of u1 or u2: 64 terms, and no doublings.

   One signature: the terms are added one after the other to a point in extended coordinates, 8M + 2S each. Instead of
   x = r, X = r · ZZ is checked, so that nothing is inverted modulo p.

   Several signatures: the terms of all are added in pairs in affine coordinates, 5M + 1S each with the inverses of all
   differences of x by one inversion (Montgomery's trick), then the sums of pairs, and so on, halving the points of each
   signature until so few additions are left in a round that an inversion costs more than it saves. The rest is done as
   for one.

   Bounds: numbers modulo n are below n throughout; coordinates are fields as field.h says, and so is r · 16 modulo p,
   being a product with one factor of any 256 bits. */

/* The signatures whose terms are added together: 32 kB of points, and as much for their inversions. More are hardly
   faster. */
enum { GROUP = 16, TERMS = 2 * POSITIONS };
/* The smallest number of additions that an inversion pays for, by measurement. */
enum { ADDITIONS_PER_INVERSION = 40 };

typedef struct {
  const uint64_t *table;
  const uint64_t *r;
  uint8_t *status;
  int16_t digits[TERMS];
} task;

INLINE const uint64_t *term_table(const uint64_t *generator, const task *task, int term) {
  return term < POSITIONS ? generator : task->table;
}

/* One of the 64 points to add up. */
INLINE affine load_term(const uint64_t *generator, const task *task, int term) {
  const int digit = task->digits[term];
  if (digit == 0) return (affine){0};
  affine entry = load_entry(term_table(generator, task, term), term % POSITIONS, digit < 0 ? -digit : digit);
  const field negated = f_negated(&entry.y);
  for (int i = 0; i < 4; i++) entry.y.w[i] = digit < 0 ? negated.w[i] : entry.y.w[i];
  return entry;
}

INLINE void fetch_term(const uint64_t *generator, const task *task, int term) {
  const int digit = task->digits[term], multiple = digit < 0 ? -digit : digit;
  __builtin_prefetch(term_table(generator, task, term) + entry_offset(term % POSITIONS, multiple + (multiple == 0)));
}

/* Whether the sum's x is r modulo n: it is r, or r + n where that is below p. */
static bool has_x(const extended *sum, const uint64_t r[4]) {
  const field to_scaled = f_constant(TO_SCALED_MONTGOMERY_WORDS), plain = f_constant(r);
  const field scaled = f_multiply(&plain, &to_scaled), expected = f_multiply(&scaled, &sum->zz);
  if (f_equal(&expected, &sum->x)) return true;
  if (!w_is_below(r, P_LESS_N_WORDS)) return false;
  field above;
  uint64_t carry = 0;
  for (int i = 0; i < 4; i++) above.w[i] = add_carry(r[i], N_WORDS[i], &carry);
  const field other = f_multiply(&above, &to_scaled), expected_other = f_multiply(&other, &sum->zz);
  return f_equal(&expected_other, &sum->x);
}

static uint8_t status_of(const extended *sum, const uint64_t r[4]) {
  if (f_is_zero(&sum->zz)) return ASSAY_P256_REFUSED;
  if (!is_extended_on_curve(sum)) return ASSAY_P256_UNSURE;
  return has_x(sum, r) ? ASSAY_P256_DONE : ASSAY_P256_REFUSED;
}

uint8_t assay_p256_scalar_verify_one(const uint64_t *generator, const assay_p256_signature *signature) {
  signature_numbers numbers;
  task task;
  task.table = signature->table;
  if (!assay_p256_read_signature(&numbers, signature)) return ASSAY_P256_REFUSED;
  assay_p256_invert_signatures(&numbers, 1);
  if (!assay_p256_split_signature(&numbers, task.digits)) return ASSAY_P256_UNSURE;
  for (int term = 0; term < 8; term++) fetch_term(generator, &task, term);
  extended sum = {0};
  for (int term = 0; term < TERMS; term++) {
    if (term + 8 < TERMS) fetch_term(generator, &task, term + 8);
    const affine entry = load_term(generator, &task, term);
    e_add_affine(&sum, &entry);
  }
  return status_of(&sum, numbers.r);
}

/* Working space of a group. */
typedef struct {
  affine points[GROUP * TERMS / 2];
  field denominators[GROUP * TERMS / 2];
  /* products[i] is that of the denominators from i on. */
  field products[GROUP * TERMS / 2];
} space;

/* Loads pair i: two terms of the tasks, or two of the space's points if there are no tasks. */
INLINE void load_pair(
    const uint64_t *generator, const task *tasks, const space *space, size_t i, affine *left, affine *right) {
  if (tasks == NULL) {
    *left = space->points[2 * i];
    *right = space->points[2 * i + 1];
  } else {
    const task *task = &tasks[i / (TERMS / 2)];
    const int term = (int)(i % (TERMS / 2)) * 2;
    *left = load_term(generator, task, term);
    *right = load_term(generator, task, term + 1);
  }
}

/* points[i] = the sum of pair i, for `pairs` pairs, with one inversion. The sums are stored from the first pair
   on, so no point is overwritten before it is added. */
INLINE void add_loaded(const uint64_t *generator, const task *tasks, space *space, size_t pairs) {
  affine left, right;
  for (size_t i = pairs; i-- > 0;) {
    if (tasks != NULL && i >= 4) {
      const task *task = &tasks[(i - 4) / (TERMS / 2)];
      const int term = (int)((i - 4) % (TERMS / 2)) * 2;
      fetch_term(generator, task, term);
      fetch_term(generator, task, term + 1);
    }
    load_pair(generator, tasks, space, i, &left, &right);
    space->denominators[i] = a_denominator(&left, &right);
    space->products[i] =
        i + 1 == pairs ? space->denominators[i] : f_multiply(&space->denominators[i], &space->products[i + 1]);
  }
  field inverse = f_inverse(&space->products[0]);
  for (size_t i = 0; i < pairs; i++) {
    load_pair(generator, tasks, space, i, &left, &right);
    const field own = i + 1 == pairs ? inverse : f_multiply(&inverse, &space->products[i + 1]);
    inverse = f_multiply(&inverse, &space->denominators[i]);
    space->points[i] = a_add(&left, &right, &own);
  }
}

/* Makes the sums of the pairs of all tasks' terms. */
static void add_terms(const uint64_t *generator, const task *tasks, size_t count, space *space) {
  add_loaded(generator, tasks, space, count * TERMS / 2);
}

/* Replaces pairs of points by their sums. */
static void add_points(space *space, size_t pairs) { add_loaded(NULL, NULL, space, pairs); }

static void verify_group(const uint64_t *generator, const task *tasks, size_t count) {
  space space;
  add_terms(generator, tasks, count, &space);
  size_t each = TERMS / 2;
  while (each > 1 && count * each / 2 >= ADDITIONS_PER_INVERSION) {
    each /= 2;
    add_points(&space, count * each);
  }
  for (size_t i = 0; i < count; i++) {
    extended sum = {0};
    for (size_t j = 0; j < each; j++) e_add_affine(&sum, &space.points[i * each + j]);
    *tasks[i].status = status_of(&sum, tasks[i].r);
  }
}

void assay_p256_scalar_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses) {
  if (count == 1) {
    statuses[0] = assay_p256_scalar_verify_one(generator, signatures);
    return;
  }
  signature_numbers numbers[ASSAY_P256_BATCH];
  task tasks[ASSAY_P256_BATCH];
  size_t ready = 0;
  for (size_t i = 0; i < count; i++) {
    statuses[i] = assay_p256_read_signature(&numbers[i], &signatures[i]) ? ASSAY_P256_UNSURE : ASSAY_P256_REFUSED;
  }
  assay_p256_invert_signatures(numbers, count);
  for (size_t i = 0; i < count; i++) {
    if (statuses[i] == ASSAY_P256_REFUSED) continue;
    task *next = &tasks[ready];
    next->table = signatures[i].table;
    next->r = numbers[i].r;
    next->status = &statuses[i];
    ready += assay_p256_split_signature(&numbers[i], next->digits);
  }
  for (size_t first = 0; first < ready; first += GROUP) {
    const size_t left = ready - first;
    verify_group(generator, tasks + first, left < GROUP ? left : GROUP);
  }
}
