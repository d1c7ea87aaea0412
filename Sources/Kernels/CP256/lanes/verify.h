/* Verification of signatures by signers with tables. Everything here is public. */

#ifndef ASSAY_P256_VERIFY_H
#define ASSAY_P256_VERIFY_H

#include "comb.h"

/* u1·G + u2·Q is a sum of entries of two tables, one for each digit of u1 and u2. Instead of x = r modulo n, X = r · ZZ
   is checked, so that nothing is inverted modulo p. If the sum is infinity, or an addition had equal points, ZZ is 0.
   The signature is then not decided, and neither is it if the sum is not on the curve. */

LANES_BEGIN

/* Stores the terms of u1·G + u2·Q, `stride` terms apart. Returns false if 1/s is wrong; the terms must not be used
   then. */
static bool make_terms(
    const uint64_t *generator, const uint64_t *table, const signature_numbers *signature, comb_term *terms,
    size_t stride) {
  int16_t digits[2 * POSITIONS];
  const bool is_inverse = assay_p256_split_signature(signature, digits);
  for (int i = 0; i < 2 * POSITIONS; i++) {
    const int digit = digits[i], multiple = digit < 0 ? -digit : digit;
    const size_t offset = entry_offset(i % POSITIONS, multiple == 0 ? 1 : multiple);
    terms[(size_t)i * stride] =
        (comb_term){(i < POSITIONS ? generator : table) + offset, digit < 0, multiple == 0};
  }
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
NOINLINE static unsigned matches(const extended *sum, const signature_numbers *signatures, size_t count) {
  uint64_t r[4][LANES], above[4][LANES];
  bool is_above = false;
  for (size_t lane = 0; lane < LANES; lane++) {
    const signature_numbers *signature = &signatures[lane < count ? lane : 0];
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

/* Decides up to LANES signatures whose s are inverted. Signatures that are REFUSED already stay so. */
static void verify_group(
    const uint64_t *generator, const assay_p256_signature *signatures, const signature_numbers *numbers, size_t count,
    uint8_t *statuses) {
  comb_term terms[2 * POSITIONS][LANES];
  unsigned has_terms = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    /* Unused lanes repeat the group's first signature. */
    const size_t i = lane < count ? lane : 0;
    const bool is_made = make_terms(generator, signatures[i].table, &numbers[i], &terms[0][lane], LANES);
    has_terms |= (unsigned)is_made << lane;
  }
  extended sum;
  const unsigned empty = comb_sum(&sum, (const comb_term(*)[LANES])terms, 2 * POSITIONS);
  const unsigned sure = are_points(&sum) & has_terms & ~empty;
  const unsigned genuine = matches(&sum, numbers, count);
  for (size_t lane = 0; lane < count; lane++) {
    if (statuses[lane] == ASSAY_P256_REFUSED) continue;
    statuses[lane] = !((sure >> lane) & 1)      ? ASSAY_P256_UNSURE
                     : !((genuine >> lane) & 1) ? ASSAY_P256_REFUSED
                                                : ASSAY_P256_DONE;
  }
}

static void kernel_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses) {
  signature_numbers numbers[ASSAY_P256_BATCH];
  const float_state state = set_float_state();
  for (size_t i = 0; i < count; i++) {
    statuses[i] = assay_p256_read_signature(&numbers[i], &signatures[i]) ? ASSAY_P256_UNSURE : ASSAY_P256_REFUSED;
  }
  assay_p256_invert_signatures(numbers, count);
  for (size_t first = 0; first < count; first += LANES) {
    const size_t left = count - first;
    verify_group(generator, signatures + first, numbers + first, left < LANES ? left : LANES, statuses + first);
  }
  restore_float_state(state);
}

NOINLINE static void add_exchanged(extended *sum, int distance) {
  const extended other = e_exchange(sum, distance);
  e_add(sum, &other);
}

/* Decides one signature: each lane adds up a part of the terms, and then the lanes are added. */
NOINLINE static uint8_t verify_alone(const uint64_t *generator, const assay_p256_signature *signature) {
  signature_numbers numbers;
  comb_term terms[2 * POSITIONS / LANES][LANES];
  if (!assay_p256_read_signature(&numbers, signature)) return ASSAY_P256_REFUSED;
  assay_p256_invert_signatures(&numbers, 1);
  if (!make_terms(generator, signature->table, &numbers, &terms[0][0], 1)) return ASSAY_P256_UNSURE;
  extended sum;
  /* A lane without terms is infinity, which the additions do not cover. */
  if (comb_sum(&sum, (const comb_term(*)[LANES])terms, 2 * POSITIONS / LANES) != 0) return ASSAY_P256_UNSURE;
  for (int distance = LANES / 2; distance > 0; distance /= 2) add_exchanged(&sum, distance);
  if (are_points(&sum) != ALL_LANES) return ASSAY_P256_UNSURE;
  const unsigned genuine = matches(&sum, &numbers, 1);
  if (genuine == ALL_LANES) return ASSAY_P256_DONE;
  return genuine == 0 ? ASSAY_P256_REFUSED : ASSAY_P256_UNSURE;
}

static uint8_t kernel_verify_one(const uint64_t *generator, const assay_p256_signature *signature) {
  const float_state state = set_float_state();
  const uint8_t status = verify_alone(generator, signature);
  restore_float_state(state);
  return status;
}

LANES_END

#endif
