/* Verification of signatures by signers with tables. Everything here is public. */

#ifndef ASSAY_P256_VERIFY_H
#define ASSAY_P256_VERIFY_H

#include "comb.h"

/* u1·G + u2·Q is a sum of entries of two tables: a scalar, made smaller than n/2 by a change of sign, is the sum of 32
   digits within -127...128 times powers of 256. What x = r mod n asks of the sum is asked of X = r · ZZ, so that
   nothing is inverted modulo p. A sum that is infinity or came by an addition of equal points has ZZ = 0; it is then
   not judged, and neither is one that is no point of the curve. */

LANES_BEGIN

/* The two scalars of a signature, or none if r or s is out of range. */
typedef struct {
  uint64_t r[4], s[4], digest[4];
  bool is_in_range;
} signature_words;

static bool is_scalar(const uint64_t words[4]) { return !w_is_zero(words) && w_is_below(words, N_WORDS); }

static void read_signature(const assay_p256_signature *signature, signature_words *result) {
  w_read(result->r, signature->r);
  w_read(result->s, signature->s);
  w_read(result->digest, signature->digest);
  uint64_t less[4];
  w_choose(result->digest, 1 ^ w_subtract(less, result->digest, N_WORDS), less);
  result->is_in_range = is_scalar(result->r) && is_scalar(result->s);
  /* So that a lane that is refused anyway does not spoil the product that is inverted. */
  if (!result->is_in_range) {
    memset(result->s, 0, sizeof result->s);
    result->s[0] = 1;
  }
}

/* inverses[i] = 1/s · 2^256 for each signature: one inversion of the product of all. */
static void invert_all(const signature_words *signatures, size_t count, uint64_t (*inverses)[4]) {
  uint64_t s[ASSAY_P256_BATCH][4], products[ASSAY_P256_BATCH][4], inverse[4];
  for (size_t i = 0; i < count; i++) {
    assay_p256_multiply_modulo_order(s[i], signatures[i].s, N_R2_WORDS);
    if (i == 0) {
      memcpy(products[0], s[0], sizeof s[0]);
    } else {
      assay_p256_multiply_modulo_order(products[i], products[i - 1], s[i]);
    }
  }
  /* products · 2^256 is inverted to 1 / products / 2^256, and two factors of 2^512 make it 1 / products · 2^256. */
  assay_p256_invert(inverse, products[count - 1], &assay_p256_order_prime);
  assay_p256_multiply_modulo_order(inverse, inverse, N_R2_WORDS);
  assay_p256_multiply_modulo_order(inverse, inverse, N_R2_WORDS);
  for (size_t i = count; i-- > 1;) {
    assay_p256_multiply_modulo_order(inverses[i], inverse, products[i - 1]);
    assay_p256_multiply_modulo_order(inverse, inverse, s[i]);
  }
  memcpy(inverses[0], inverse, sizeof inverse);
}

/* The terms of scalar · point, `stride` terms apart. */
static void split_scalar(const uint64_t scalar[4], const uint64_t *table, comb_term *terms, size_t stride) {
  uint64_t u[4], less[4];
  memcpy(u, scalar, sizeof u);
  const bool is_negative = w_is_below(HALF_N_WORDS, u);
  w_subtract(less, N_WORDS, u);
  w_choose(u, is_negative, less);
  int carry = 0;
  for (int i = 0; i < POSITIONS; i++) {
    int digit = (int)(u[i / 8] >> (i % 8 * 8) & 0xFF) + carry;
    carry = digit > MULTIPLES_PER_POSITION;
    digit -= carry * 256;
    const int multiple = digit < 0 ? -digit : digit;
    terms[(size_t)i * stride] = (comb_term){
        comb_entry(table, i, multiple == 0 ? 1 : multiple), (digit < 0) != is_negative, multiple == 0};
  }
}

/* The terms of u1·G + u2·Q. False if 1/s is wrong: nothing depends on the terms then. */
static bool make_terms(
    const uint64_t *generator, const uint64_t *table, const signature_words *signature, const uint64_t inverse[4],
    comb_term *terms, size_t stride) {
  static const uint64_t one[4] = {1, 0, 0, 0};
  uint64_t u[4];
  assay_p256_multiply_modulo_order(u, inverse, signature->s);
  const bool is_inverse = memcmp(u, one, sizeof u) == 0;
  assay_p256_multiply_modulo_order(u, inverse, signature->digest);
  split_scalar(u, generator, terms, stride);
  assay_p256_multiply_modulo_order(u, inverse, signature->r);
  split_scalar(u, table, terms + POSITIONS * stride, stride);
  return is_inverse;
}

INLINE lane_mask has_x(const extended *sum, const uint64_t r[4][LANES]) {
  lanes words[4];
  for (int i = 0; i < 4; i++) words[i] = l_load(r[i]);
  const multiplicand x = m_to_montgomery(f_from_words(words));
  field product;
  f_mul_sum(&product, &x, &sum->zz);
  return f_equal(product, sum->x);
}

/* Where the sum's x is r modulo n: it is r, or r + n where that is below p. */
NOINLINE static unsigned matches(const extended *sum, const signature_words *signatures, size_t count) {
  uint64_t r[4][LANES], above[4][LANES];
  bool is_above = false;
  for (size_t lane = 0; lane < LANES; lane++) {
    const signature_words *signature = &signatures[lane < count ? lane : 0];
    uint64_t other[4], carry = 0;
    const bool has_other = w_is_below(signature->r, P_LESS_N_WORDS);
    is_above |= has_other;
    for (int i = 0; i < 4; i++) {
      const uint128 word = (uint128)signature->r[i] + N_WORDS[i] + carry;
      other[i] = (uint64_t)word;
      carry = (uint64_t)(word >> 64);
    }
    for (int i = 0; i < 4; i++) {
      r[i][lane] = signature->r[i];
      above[i][lane] = has_other ? other[i] : signature->r[i];
    }
  }
  const unsigned mask = l_bits(has_x(sum, r));
  return is_above ? mask | l_bits(has_x(sum, above)) : mask;
}

/* The lanes whose sum is a finite point of the curve. */
NOINLINE static unsigned are_points(const extended *sum) {
  return l_bits((lane_mask)(is_extended_on_curve(sum) & ~m_is_zero(sum->zz) & ~m_is_zero(sum->zzz)));
}

/* Decides up to LANES signatures whose s are inverted. */
static void verify_group(
    const uint64_t *generator, const assay_p256_signature *signatures, const signature_words *words,
    const uint64_t (*inverses)[4], size_t count, uint8_t *statuses) {
  comb_term terms[2 * POSITIONS][LANES];
  unsigned has_terms = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    /* Lanes to spare verify the group's first signature once more. */
    const size_t i = lane < count ? lane : 0;
    const bool is_made =
        make_terms(generator, signatures[i].table, &words[i], inverses[i], &terms[0][lane], LANES);
    has_terms |= (unsigned)is_made << lane;
  }
  extended sum;
  const unsigned empty = comb_sum(&sum, (const comb_term(*)[LANES])terms, 2 * POSITIONS);
  const unsigned sure = are_points(&sum) & has_terms & ~empty;
  const unsigned genuine = matches(&sum, words, count);
  for (size_t lane = 0; lane < count; lane++) {
    statuses[lane] = !words[lane].is_in_range   ? ASSAY_P256_REFUSED
                     : !((sure >> lane) & 1)    ? ASSAY_P256_UNSURE
                     : !((genuine >> lane) & 1) ? ASSAY_P256_REFUSED
                                                : ASSAY_P256_DONE;
  }
}

static void kernel_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses) {
  signature_words words[ASSAY_P256_BATCH];
  uint64_t inverses[ASSAY_P256_BATCH][4];
  const float_state state = enter_lanes();
  for (size_t i = 0; i < count; i++) read_signature(&signatures[i], &words[i]);
  invert_all(words, count, inverses);
  for (size_t first = 0; first < count; first += LANES) {
    const size_t left = count - first;
    verify_group(
        generator, signatures + first, words + first, (const uint64_t(*)[4])inverses + first,
        left < LANES ? left : LANES, statuses + first);
  }
  leave_lanes(state);
}

NOINLINE static void add_exchanged(extended *sum, int distance) {
  const extended other = e_exchange(sum, distance);
  e_add(sum, &other);
}

/* Decides one signature: each lane sums a part of the terms, and the lanes are added up. */
NOINLINE static uint8_t verify_alone(const uint64_t *generator, const assay_p256_signature *signature) {
  signature_words words;
  uint64_t inverse[1][4];
  comb_term terms[2 * POSITIONS / LANES][LANES];
  read_signature(signature, &words);
  if (!words.is_in_range) return ASSAY_P256_REFUSED;
  invert_all(&words, 1, inverse);
  if (!make_terms(generator, signature->table, &words, inverse[0], &terms[0][0], 1)) return ASSAY_P256_UNSURE;
  extended sum;
  /* A lane without terms is infinity, which the additions do not cover. */
  if (comb_sum(&sum, (const comb_term(*)[LANES])terms, 2 * POSITIONS / LANES) != 0) return ASSAY_P256_UNSURE;
  for (int distance = LANES / 2; distance > 0; distance /= 2) add_exchanged(&sum, distance);
  if (are_points(&sum) != ALL_LANES) return ASSAY_P256_UNSURE;
  const unsigned genuine = matches(&sum, &words, 1);
  if (genuine == ALL_LANES) return ASSAY_P256_DONE;
  return genuine == 0 ? ASSAY_P256_REFUSED : ASSAY_P256_UNSURE;
}

static uint8_t kernel_verify_one(const uint64_t *generator, const assay_p256_signature *signature) {
  const float_state state = enter_lanes();
  const uint8_t status = verify_alone(generator, signature);
  leave_lanes(state);
  return status;
}

LANES_END

#endif
