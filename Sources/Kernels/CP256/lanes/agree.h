/* Key agreement in constant time.

   A scalar k, odd, is the sum of 52 odd digits within -31...31 times powers of 32 (Joye and Tunstall 2009): the digit
   of window i is ((k >> 5i) mod 64 | 1) - 32, and the topmost one is 1. An even k is replaced by n - k, whose product
   has the same x.

   The 16 odd multiples of the peer are computed by additions of points with a common Z (co-Z) and then made affine,
   with one inversion for all lanes of a chunk of groups. So every addition of the ladder adds an affine point. The
   ladder yields X and Z, and another inversion serves all groups of the call.

   Between two windows the sum is k' · P for an odd k' within 1...n/32 + 1. The formula of the next addition does not
   cover 32 · k' · P = ±digit · P. For a k within 1...n-1 this could happen only at the last window, and
   Scripts/p256-constants proves that it does not. The formula of the multiples does not cover 2P = ±(2i + 1)P, which no
   P of order n meets. */

#ifndef ASSAY_P256_AGREE_H
#define ASSAY_P256_AGREE_H

#include "CSecrecy.h"
#include "point.h"

enum {
  WINDOW = 5,
  WINDOWS = 52,
  MULTIPLES = 16,
  GROUPS = ASSAY_P256_BATCH / LANES,
  /* Groups whose multiples share an inversion: 32 agreements, so that the workspace is not too large for a stack. */
  CHUNK = GROUPS / 2,
};

/* A hook after each window, where a test injects faults. */
#if !defined(AFTER_WINDOW)
#define AFTER_WINDOW(space, window)
#endif

typedef struct {
  union {
    /* (2i + 1) · P, each with its own Z; the first is P itself. */
    affine undivided[MULTIPLES];
    /* The same multiples, affine. */
    multiple multiples[MULTIPLES];
  };
  /* The factor by which each addition multiplied Z, and the present Z. */
  multiplicand factors[MULTIPLES], z;
  /* The product of all Z up to this group. */
  multiplicand product;
  /* The odd one of k and n - k, four words and zeros, a lane each. */
  uint64_t scalars[5][LANES];
} lane_group;

typedef struct {
  /* X and Z of the sum; Z is 1 where the sum is not a finite point of the curve. */
  multiplicand x, z;
  /* The product of all Z up to this group. */
  multiplicand product;
  /* The shared secrets, four words, a lane each. */
  uint64_t secrets[4][LANES];
  /* Lanes whose peer is a point of the curve. */
  unsigned valid;
  /* Lanes whose sum is a finite point of the curve. */
  unsigned sure;
} outcome;

typedef struct {
  jacobian sum;
  /* The peers' coordinates, eight words, a lane each. */
  uint64_t peers[8][LANES];
  /* The outcome of each group of lanes. */
  outcome outcomes[GROUPS];
  lane_group groups[CHUNK];
} workspace;

/* Reads the peer, and the odd one of k and n - k. Compiled without vector instructions: compilers would use a
   scatter. */
NOINLINE static void load_lane(
    workspace *space, lane_group *group, size_t lane, const assay_p256_agreement *agreement) {
  uint64_t k[4], less[4];
  w_read(k, agreement->peer);
  for (int i = 0; i < 4; i++) space->peers[i][lane] = k[i];
  w_read(k, agreement->peer + 32);
  for (int i = 0; i < 4; i++) space->peers[4 + i][lane] = k[i];
  w_read(k, agreement->scalar);
  w_subtract(less, N_WORDS, k);
  w_choose(k, ~k[0] & 1, less);
  for (int i = 0; i < 4; i++) group->scalars[i][lane] = k[i];
  group->scalars[4][lane] = 0;
}

LANES_BEGIN

/* Six bits of each scalar, from bit 5 · window on. */
INLINE lanes load_window(const lane_group *group, int window) {
  const int bit = WINDOW * window, word = bit / 64, shift = bit % 64;
  const lanes low = l_shr(l_load(group->scalars[word]), shift);
  const lanes high = l_shl(l_shl(l_load(group->scalars[word + 1]), 1), 63 - shift);
  return l_and(l_or(low, high), l_all(63));
}

/* The multiple for a window. Reads the whole table, so that no address depends on the window. */
INLINE multiple look_up(const multiple multiples[MULTIPLES], lanes window) {
  /* Windows 32...63 stand for the digits 1, 3...31, and windows 31...0 for the negatives. */
  const lanes sign = l_sub(l_and(l_shr(window, 5), l_all(1)), l_all(1));
  const lanes index = l_and(l_shr(l_xor(window, sign), 1), l_all(MULTIPLES - 1));
  multiple result = multiples[0];
  for (int i = 1; i < MULTIPLES; i++) {
    const lane_mask mask = l_is_zero(l_sub(index, l_all((uint64_t)i)));
    result.x = m_select(mask, result.x, multiples[i].x);
    result.two_y = f_select(mask, result.two_y, multiples[i].two_y);
  }
  result.two_y = f_select(l_is_negative(sign), result.two_y, f_carry(f_negated(result.two_y, 3)));
  return result;
}

HOT static void double_in_place(jacobian *point) { j_double(point); }

HOT static void add_window(jacobian *sum, const lane_group *group, int window) {
  const multiple term = look_up(group->multiples, load_window(group, window));
  j_add(sum, &term);
}

_Static_assert(sizeof(affine) == sizeof(multiple), "both forms of a multiple share their memory");

/* Sets the first multiples to the peers, or to the generator where a peer is not a point on the curve. Returns the
   lanes with valid peers. */
NOINLINE static unsigned load_peers(const workspace *space, lane_group *group) {
  lanes words[8];
  for (int i = 0; i < 8; i++) words[i] = l_load(space->peers[i]);
  const field x = f_from_words(words), y = f_from_words(words + 4);
  const multiplicand inner_x = m_to_montgomery(x), inner_y = m_to_montgomery(y);
  const lane_mask valid = (lane_mask)(f_is_below_p(x) & f_is_below_p(y) & is_on_curve(&inner_x, &inner_y));
  const multiplicand generator_x = m_to_montgomery(f_from_constant_words(GX_WORDS));
  const multiplicand generator_y = m_to_montgomery(f_from_constant_words(GY_WORDS));
  group->undivided[0].x = f_integer(m_select(valid, generator_x, inner_x));
  group->undivided[0].y = f_integer(m_select(valid, generator_y, inner_y));
  return l_bits(valid);
}

HOT static void add_twice(affine *sum, affine *twice, multiplicand *factor, const affine *other) {
  z_add(sum, twice, factor, other);
}

/* Computes the multiples after the first, each with its own Z. */
NOINLINE static void make_multiples(lane_group *group) {
  affine twice, once;
  z_double(&twice, &once, &group->z, &group->undivided[0]);
  for (int i = 1; i < MULTIPLES; i++) {
    add_twice(&group->undivided[i], &twice, &group->factors[i], i == 1 ? &once : &group->undivided[i - 1]);
    f_mul(&group->z, &group->z, &group->factors[i]);
  }
}

/* result = product · z. */
NOINLINE static void add_factor(multiplicand *result, const multiplicand *product, const multiplicand *z) {
  f_mul(result, product, z);
}

/* one = 1 / z, where `inverse` is 1 / (before · z) and becomes 1 / before. */
NOINLINE static void take_factor(
    multiplicand *one, multiplicand *inverse, const multiplicand *before, const multiplicand *z) {
  f_mul(one, inverse, before);
  f_mul(inverse, inverse, z);
}

/* Makes the multiples affine, in place. `inverse` is 1 / Z of the last one. */
NOINLINE static void divide_multiples(lane_group *group, multiplicand *inverse) {
  for (int i = MULTIPLES - 1; i > 0; i--) {
    const multiplicand x = f_multiplicand(group->undivided[i].x), y = f_multiplicand(group->undivided[i].y);
    multiplicand power;
    field quotient;
    f_square(&power, inverse);
    f_mul(&group->multiples[i].x, &x, &power);
    f_mul(&power, &power, inverse);
    f_mul_sum(&quotient, &y, &power);
    group->multiples[i].two_y = f_carry(f_shift(quotient, 1));
    f_mul(inverse, inverse, &group->factors[i]);
  }
  const affine peer = group->undivided[0];
  group->multiples[0].x = f_multiplicand(peer.x);
  group->multiples[0].two_y = f_carry(f_shift(peer.y, 1));
}

/* sum = k · P. */
NOINLINE static void multiply(workspace *space, const lane_group *group) {
  const multiple *first = &group->multiples[0];
  space->sum = (jacobian){f_integer(first->x), f_multiplicand(first->two_y), m_one()};
  for (int window = WINDOWS - 2; window >= 0; window--) {
    for (int i = 0; i < WINDOW; i++) double_in_place(&space->sum);
    add_window(&space->sum, group, window);
    AFTER_WINDOW(space, window);
  }
}

/* Stores X and Z of the sum, where it is a finite point of the curve. */
NOINLINE static void keep(const workspace *space, outcome *result) {
  const lane_mask sure = (lane_mask)(is_jacobian_on_curve(&space->sum) & ~m_is_zero(space->sum.z));
  result->sure = l_bits(sure);
  result->x = f_multiplicand(space->sum.x);
  result->z = m_select(sure, m_one(), space->sum.z);
}

/* Stores x = X / Z² of a group. */
NOINLINE static void divide(outcome *result, const multiplicand *inverse) {
  multiplicand square, x;
  f_square(&square, inverse);
  f_mul(&x, &result->x, &square);
  lanes words[4];
  f_to_words(f_from_montgomery(&x), words);
  for (int i = 0; i < 4; i++) l_store(result->secrets[i], words[i]);
}

/* Makes the multiples of a chunk of groups affine. */
static void finish_multiples(lane_group *groups, size_t count) {
  const multiplicand one = m_one();
  multiplicand all, inverse;
  for (size_t i = 0; i < count; i++) {
    add_factor(&groups[i].product, i == 0 ? &one : &groups[i - 1].product, &groups[i].z);
  }
  inverses(&all, &groups[count - 1].product);
  for (size_t i = count; i-- > 0;) {
    take_factor(&inverse, &all, i == 0 ? &one : &groups[i - 1].product, &groups[i].z);
    divide_multiples(&groups[i], &inverse);
  }
}

/* Computes x of every group. */
static void finish(outcome *outcomes, size_t count) {
  const multiplicand one = m_one();
  multiplicand all, inverse;
  for (size_t i = 0; i < count; i++) {
    add_factor(&outcomes[i].product, i == 0 ? &one : &outcomes[i - 1].product, &outcomes[i].z);
  }
  inverses(&all, &outcomes[count - 1].product);
  for (size_t i = count; i-- > 0;) {
    take_factor(&inverse, &all, i == 0 ? &one : &outcomes[i - 1].product, &outcomes[i].z);
    divide(&outcomes[i], &inverse);
  }
}

/* Writes the outcome of a lane. */
static uint8_t deliver(const outcome *result, size_t lane, uint8_t *bytes) {
  uint64_t secret[4];
  for (int i = 0; i < 4; i++) secret[i] = result->secrets[i][lane];
  if ((result->valid & result->sure) >> lane & 1) {
    w_write(bytes, secret);
    return ASSAY_P256_DONE;
  }
  memset(bytes, 0, 32);
  return (result->valid >> lane) & 1 ? ASSAY_P256_UNSURE : ASSAY_P256_REFUSED;
}

NOINLINE static void agree_groups(
    workspace *space, const assay_p256_agreement *agreements, size_t count, uint8_t *statuses) {
  const size_t groups = (count + LANES - 1) / LANES;
  for (size_t start = 0; start < groups; start += CHUNK) {
    const size_t size = groups - start < CHUNK ? groups - start : CHUNK;
    for (size_t i = 0; i < size; i++) {
      const size_t first = (start + i) * LANES;
      /* Unused lanes repeat the group's first agreement. */
      for (size_t lane = 0; lane < LANES; lane++) {
        load_lane(space, &space->groups[i], lane, &agreements[first + lane < count ? first + lane : first]);
      }
      space->outcomes[start + i].valid = load_peers(space, &space->groups[i]);
      make_multiples(&space->groups[i]);
    }
    finish_multiples(space->groups, size);
    for (size_t i = 0; i < size; i++) {
      multiply(space, &space->groups[i]);
      keep(space, &space->outcomes[start + i]);
    }
  }
  finish(space->outcomes, groups);
  for (size_t i = 0; i < count; i++) {
    outcome *result = &space->outcomes[i / LANES];
    /* Without hardware faults all lanes are sure, so this is not secret. */
    assay_declassify(&result->sure, sizeof result->sure);
    statuses[i] = deliver(result, i % LANES, agreements[i].secret);
  }
}

/* Overwrites the part of the workspace that `count` agreements have used. */
NOINLINE static void wipe(workspace *space, size_t count) {
  const size_t groups = (count + LANES - 1) / LANES;
  memset(space, 0, offsetof(workspace, groups) + (groups < CHUNK ? groups : CHUNK) * sizeof *space->groups);
  __asm__ volatile("" ::"r"(space) : "memory");
}

static void kernel_agree(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses) {
  workspace space;
  const float_state state = set_float_state();
  agree_groups(&space, agreements, count, statuses);
  wipe(&space, count);
  /* Called from where `agree_groups` was called, so that it overwrites the same part of the stack. */
  assay_wipe_stack();
  restore_float_state(state);
}

LANES_END

#endif
