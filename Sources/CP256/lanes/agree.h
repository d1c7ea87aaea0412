/* Key agreement in constant time. */

#ifndef ASSAY_P256_AGREE_H
#define ASSAY_P256_AGREE_H

#include "CSecrecy.h"
#include "point.h"

/* A scalar k, odd, is the sum of 52 odd digits within -31...31 times powers of 32 (Joye and Tunstall 2009): the digit
   of window i is ((k >> 5i) mod 64 | 1) - 32, and the topmost one is 1. An even k takes the place of n - k, whose
   product has the same x.

   Between two windows the sum is k' · P for an odd k' within 1...n/32 + 1. The formulas of the addition that follows
   do not cover 32 · k' · P = ±digit · P, which for a k within 1...n-1 could only be at the last window, and is there
   for none: Scripts/p256-constants says why. */
enum { WINDOW = 5, WINDOWS = 52, MULTIPLES = 16, GROUPS = ASSAY_P256_BATCH / LANES };

/* What is done between two windows; a test puts faults here. */
#if !defined(AFTER_WINDOW)
#define AFTER_WINDOW(space, window)
#endif

typedef struct {
  /* X, and Z, or 1 where that is not to be relied on. */
  field x, z;
  /* The product of all Z up to this group's. */
  field product;
  /* Z of the agreement, four words. */
  uint64_t secrets[4][LANES];
  /* Lanes whose peer is a point of the curve. */
  unsigned valid;
  /* Lanes whose sum is a finite point of the curve. */
  unsigned sure;
} outcome;

typedef struct {
  /* (2i + 1) · P. */
  jacobian multiples[MULTIPLES];
  jacobian sum;
  /* The peers' coordinates, eight words, a lane each. */
  uint64_t peers[8][LANES];
  /* The odd one of k and n - k, four words and zeros, a lane each. */
  uint64_t scalars[5][LANES];
  /* The outcome of each group of lanes. */
  outcome outcomes[GROUPS];
} workspace;

/* Stack that may have held secrets: the workspace, and the spilled registers of what is called. */
enum { STACK_SIZE = 49152 };
_Static_assert(sizeof(workspace) <= STACK_SIZE - 16384, "wipe_stack wipes all of it");

/* Reads the peer, and the odd one of k and n - k. Compiled without the vectors, for which compilers like to scatter. */
NOINLINE static void load_lane(workspace *space, size_t lane, const assay_p256_agreement *agreement) {
  uint64_t k[4], less[4];
  w_read(k, agreement->peer);
  for (int i = 0; i < 4; i++) space->peers[i][lane] = k[i];
  w_read(k, agreement->peer + 32);
  for (int i = 0; i < 4; i++) space->peers[4 + i][lane] = k[i];
  w_read(k, agreement->scalar);
  w_subtract(less, N_WORDS, k);
  w_choose(k, ~k[0] & 1, less);
  for (int i = 0; i < 4; i++) space->scalars[i][lane] = k[i];
  space->scalars[4][lane] = 0;
}

LANES_BEGIN

/* Six bits of each scalar, from bit 5 · window on. */
INLINE lanes load_window(const workspace *space, int window) {
  const int bit = WINDOW * window, word = bit / 64, shift = bit % 64;
  const lanes low = l_shr(l_load(space->scalars[word]), shift);
  const lanes high = l_shl(l_shl(l_load(space->scalars[word + 1]), 1), 63 - shift);
  return l_and(l_or(low, high), l_all(63));
}

/* The multiple that a window stands for: the whole table is read, whatever the window. */
INLINE jacobian look_up(const jacobian multiples[MULTIPLES], lanes window) {
  /* Windows 32...63 stand for the digits 1, 3...31, and 31...0 for their opposites. */
  const lanes sign = l_sub(l_and(l_shr(window, 5), l_all(1)), l_all(1));
  const lanes index = l_and(l_shr(l_xor(window, sign), 1), l_all(MULTIPLES - 1));
  jacobian result = multiples[0];
  for (int i = 1; i < MULTIPLES; i++) {
    const lane_mask mask = l_is_zero(l_sub(index, l_all((uint64_t)i)));
    result.x = f_select(mask, result.x, multiples[i].x);
    result.y = f_select(mask, result.y, multiples[i].y);
    result.z = f_select(mask, result.z, multiples[i].z);
  }
  result.y = f_select(l_is_negative(sign), result.y, f_carry(f_negated(result.y, 2)));
  return result;
}

HOT static void double_in_place(jacobian *point) { j_double(point); }

HOT static void add_in_place(jacobian *point, const jacobian *other) { j_add(point, other); }

HOT static void add_window(workspace *space, int window) {
  const jacobian term = look_up(space->multiples, load_window(space, window));
  j_add(&space->sum, &term);
}

/* Leaves the peers with the first multiples, where they are points of the curve; elsewhere the generator. */
NOINLINE static void load_peers(workspace *space, outcome *result) {
  lanes words[8];
  for (int i = 0; i < 8; i++) words[i] = l_load(space->peers[i]);
  const field x = f_from_words(words), y = f_from_words(words + 4);
  const field inner_x = f_to_montgomery(x), inner_y = f_to_montgomery(y);
  const lane_mask valid = (lane_mask)(f_is_below_p(x) & f_is_below_p(y) & is_on_curve(&inner_x, &inner_y));
  const field generator_x = f_to_montgomery(f_from_constant_words(GX_WORDS));
  const field generator_y = f_to_montgomery(f_from_constant_words(GY_WORDS));
  result->valid = l_bits(valid);
  space->multiples[0].x = f_select(valid, generator_x, inner_x);
  space->multiples[0].y = f_select(valid, generator_y, inner_y);
  space->multiples[0].z = f_one();
}

NOINLINE static void multiply(workspace *space) {
  jacobian twice = space->multiples[0];
  double_in_place(&twice);
  for (int i = 1; i < MULTIPLES; i++) {
    space->multiples[i] = space->multiples[i - 1];
    add_in_place(&space->multiples[i], &twice);
  }
  space->sum = space->multiples[0];
  for (int window = WINDOWS - 2; window >= 0; window--) {
    for (int i = 0; i < WINDOW; i++) double_in_place(&space->sum);
    add_window(space, window);
    AFTER_WINDOW(space, window);
  }
}

/* Keeps X and Z of the sum, where that is a finite point of the curve. */
NOINLINE static void keep(const workspace *space, outcome *result) {
  const lane_mask sure = (lane_mask)(is_jacobian_on_curve(&space->sum) & ~f_is_zero(space->sum.z));
  result->sure = l_bits(sure);
  result->x = space->sum.x;
  result->z = f_select(sure, f_one(), space->sum.z);
}

NOINLINE static void add_factor(const field *product, outcome *next) {
  f_mul(&next->product, product, &next->z);
}

/* Leaves x = X / Z² of a group, and takes its Z out of the inverse of the product of all up to it. */
NOINLINE static void divide(outcome *result, const field *product_before, field *inverse) {
  field one, square, x;
  f_mul(&one, inverse, product_before);
  f_mul(inverse, inverse, &result->z);
  f_square(&square, &one);
  f_mul(&x, &result->x, &square);
  lanes words[4];
  f_to_words(f_from_montgomery(x), words);
  for (int i = 0; i < 4; i++) l_store(result->secrets[i], words[i]);
}

/* Leaves x of every group: one inversion of the product of all Z. */
static void finish(outcome *outcomes, size_t groups) {
  const field one = f_one();
  for (size_t i = 0; i < groups; i++) add_factor(i == 0 ? &one : &outcomes[i - 1].product, &outcomes[i]);
  field inverse;
  inverses(&inverse, &outcomes[groups - 1].product);
  for (size_t i = groups; i-- > 0;) divide(&outcomes[i], i == 0 ? &one : &outcomes[i - 1].product, &inverse);
}

/* Writes the outcome of a lane. */
static uint8_t deliver(const outcome *result, size_t lane, uint8_t *secret_bytes) {
  uint64_t secret[4];
  for (int i = 0; i < 4; i++) secret[i] = result->secrets[i][lane];
  if ((result->valid & result->sure) >> lane & 1) {
    w_write(secret_bytes, secret);
    return ASSAY_P256_DONE;
  }
  memset(secret_bytes, 0, 32);
  return (result->valid >> lane) & 1 ? ASSAY_P256_UNSURE : ASSAY_P256_REFUSED;
}

NOINLINE static void agree_groups(
    const assay_p256_agreement *agreements, size_t count, uint8_t *statuses) {
  workspace space;
  const size_t groups = (count + LANES - 1) / LANES;
  for (size_t group = 0; group < groups; group++) {
    const size_t first = group * LANES;
    /* Lanes to spare do the group's first agreement once more. */
    for (size_t lane = 0; lane < LANES; lane++) {
      load_lane(&space, lane, &agreements[first + lane < count ? first + lane : first]);
    }
    load_peers(&space, &space.outcomes[group]);
    multiply(&space);
    keep(&space, &space.outcomes[group]);
  }
  finish(space.outcomes, groups);
  for (size_t i = 0; i < count; i++) {
    outcome *result = &space.outcomes[i / LANES];
    /* All lanes are sure: no scalar and no point makes an exception. */
    assay_declassify(&result->sure, sizeof result->sure);
    statuses[i] = deliver(result, i % LANES, agreements[i].secret);
  }
}

/* Called from where `agree_groups` was: its stack lies where that one's did. */
NOINLINE static void wipe_stack(void) {
  uint8_t stack[STACK_SIZE];
  memset(stack, 0, sizeof stack);
  __asm__ volatile("" ::"r"(stack) : "memory");
}

static void kernel_agree(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses) {
  const float_state state = enter_lanes();
  agree_groups(agreements, count, statuses);
  wipe_stack();
  clear_registers();
  leave_lanes(state);
}

LANES_END

#endif
