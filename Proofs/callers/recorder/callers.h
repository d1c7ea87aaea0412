// Records the callers of the formulas: agree.h, comb.h and verify.h, unchanged, over the stand-ins of lanes.h. The
// including file defines LANES. The plain C of signature.c and inverse.c is not recorded: digits are given instead.

#pragma once

#include "lanes.h"

#include "CP256.h"

#include "words.h"

#include "lanes/agree.h"

#include "lanes/verify.h"

/* The digits that the next signature has: the recording program sets them. */
static int16_t given_digits[ASSAY_P256_BATCH][2 * POSITIONS];
static bool is_read[ASSAY_P256_BATCH], is_inverse[ASSAY_P256_BATCH];

/* A signature is named by r: word 0 is its index plus 1. */
static size_t signature_of(const uint64_t r[4]) { return (size_t)(r[0] & 0xFF) - 1; }

bool assay_p256_read_signature(signature_numbers *result, const assay_p256_signature *signature) {
  w_read(result->r, signature->r);
  w_read(result->s, signature->s);
  w_read(result->digest, signature->digest);
  const size_t index = signature_of(result->r);
  operation("read_signature", {}, index);
  return is_read[index];
}
void assay_p256_invert_signatures(signature_numbers *signatures, size_t count) {
  for (size_t i = 0; i < count; i++) signatures[i].inverse[0] = signature_of(signatures[i].r) + 1;
  operation("invert_signatures", {}, count);
}
bool assay_p256_split_signature(const signature_numbers *signature, int16_t digits[2 * POSITIONS]) {
  const size_t index = signature_of(signature->r);
  if (signature->inverse[0] != index + 1) abort();
  memcpy(digits, given_digits[index], sizeof given_digits[index]);
  return is_inverse[index];
}

/* The tables: the generator's is the first, then one for each signature. */
static uint64_t tables[1 + ASSAY_P256_BATCH][POSITIONS * MULTIPLES_PER_POSITION * ENTRY_WORDS];

static void write_entry(const uint64_t *entry) {
  const size_t size = sizeof tables[0] / sizeof(uint64_t), place = (size_t)(entry - tables[0]), within = place % size;
  if (entry < tables[0] || place >= sizeof tables / sizeof(uint64_t) || within % ENTRY_WORDS != 0) {
    printf("entry none\n");
    return;
  }
  printf(
      "entry %zu %zu %zu\n", place / size, within / ENTRY_WORDS / MULTIPLES_PER_POSITION,
      within / ENTRY_WORDS % MULTIPLES_PER_POSITION + 1);
}

static uint64_t state = 1;
static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545F4914F6CDD1D;
}
static void write_bytes(const char *word, const uint8_t *bytes, size_t count) {
  printf(" %s ", word);
  for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
}

/* The bits of a mask that is read: valid peers, then sure sums. Two reads of `varied` give four lanes all pairs. */
static unsigned both_set(uint64_t) { return ALL_LANES; }
static unsigned calls;
static unsigned varied(uint64_t) { return (unsigned[]){3, 5, 6, 9, 12, 10, 15, 0}[calls++ % 8] * 0x11 & ALL_LANES; }

static void record_agreements(const char *name, size_t count, unsigned (*bits)(uint64_t)) {
  static uint8_t peers[ASSAY_P256_BATCH][64], scalars[ASSAY_P256_BATCH][32], secrets[ASSAY_P256_BATCH][32];
  assay_p256_agreement agreements[ASSAY_P256_BATCH];
  uint8_t statuses[ASSAY_P256_BATCH];
  printf("program %s\n", name);
  values = 0;
  calls = 0;
  bits_of_mask = bits;
  for (size_t i = 0; i < count; i++) {
    for (uint8_t &byte : peers[i]) byte = (uint8_t)(next_random() >> 56);
    for (uint8_t &byte : scalars[i]) byte = (uint8_t)(next_random() >> 56);
    /* Below n. */
    scalars[i][0] &= 0x7F;
    agreements[i] = {peers[i], scalars[i], secrets[i]};
    printf("agreement");
    write_bytes("peer", peers[i], 64);
    write_bytes("scalar", scalars[i], 32);
    printf("\n");
  }
  kernel_agree(agreements, count, statuses);
  for (size_t i = 0; i < count; i++) {
    printf("answer %u", statuses[i]);
    write_bytes("secret", secrets[i], 32);
    printf("\n");
  }
}

static assay_p256_signature signature_with(size_t index) {
  assay_p256_signature result = {tables[1 + index], {0}, {0}, {0}};
  for (uint8_t &byte : result.r) byte = (uint8_t)(next_random() >> 56);
  result.r[31] = (uint8_t)(index + 1);
  /* Every other r is below p - n. */
  if (index % 2 == 1) memset(result.r, 0, 16);
  return result;
}

static void write_signatures(const assay_p256_signature *signatures, size_t count) {
  for (size_t i = 0; i < count; i++) {
    printf("signature %d %d", is_read[i], is_inverse[i]);
    write_bytes("r", signatures[i].r, 32);
    printf(" digits");
    for (int16_t digit : given_digits[i]) printf(" %d", digit);
    printf("\n");
  }
}

/* A digit. By the signature's index modulo 4: never zero (0 and 2), often zero (1), zero except at one place (3). */
static int16_t digit_for(size_t index, int place) {
  const uint64_t random = next_random();
  const int16_t digit = (int16_t)((int)(random >> 40 & 0xFF) - 127);
  if (index % 4 == 3) return place == (int)(index % 64) ? 1 : 0;
  if (index % 4 == 1) return random >> 60 < 8 ? 0 : digit;
  return digit == 0 ? 128 : digit;
}

static void record_signatures(const char *name, size_t count, bool are_sound, unsigned (*bits)(uint64_t)) {
  assay_p256_signature signatures[ASSAY_P256_BATCH];
  uint8_t statuses[ASSAY_P256_BATCH];
  printf("program %s\n", name);
  values = 0;
  calls = 0;
  bits_of_mask = bits;
  for (size_t i = 0; i < count; i++) {
    signatures[i] = signature_with(i);
    is_read[i] = are_sound || i % 5 != 4;
    is_inverse[i] = are_sound || i % 7 != 6;
    for (int place = 0; place < 2 * POSITIONS; place++) {
      given_digits[i][place] = are_sound ? digit_for(0, place) : digit_for(i, place);
    }
  }
  if (!are_sound && count > 5) memset(given_digits[5], 0, sizeof given_digits[5]);
  write_signatures(signatures, count);
  kernel_verify(tables[0], signatures, count, statuses);
  for (size_t i = 0; i < count; i++) printf("answer %u\n", statuses[i]);
}

static void record_one(const char *name, size_t index, bool read, bool inverse, unsigned (*bits)(uint64_t)) {
  const assay_p256_signature signature = signature_with(0);
  printf("program %s\n", name);
  values = 0;
  calls = 0;
  bits_of_mask = bits;
  is_read[0] = read;
  is_inverse[0] = inverse;
  for (int place = 0; place < 2 * POSITIONS; place++) given_digits[0][place] = digit_for(index, place);
  write_signatures(&signature, 1);
  const uint8_t status = kernel_verify_one(tables[0], &signature);
  printf("answer %u\n", status);
}

/* The terms of every digit at every place. */
static void record_terms(void) {
  printf("program make_terms\n");
  signature_numbers numbers = {{1}, {0}, {0}, {1}};
  comb_term terms[2 * POSITIONS];
  for (int digit = -128; digit <= 128; digit++) {
    for (int16_t &place : given_digits[0]) place = (int16_t)digit;
    make_terms(tables[0], tables[1], &numbers, terms, 1);
    for (int place = 0; place < 2 * POSITIONS; place++) {
      printf("term %d %d %d %d\n", digit, place, terms[place].is_negative, terms[place].is_absent);
      write_entry(terms[place].entry);
    }
  }
}

/* Sums of three steps, for every choice of the quarters of the lanes that have a term in each. */
static void record_sums(void) {
  static comb_term terms[3][LANES];
  printf("program comb_sum\n");
  bits_of_mask = both_set;
  for (unsigned choice = 0; choice < 1U << 12; choice++) {
    for (int step = 0; step < 3; step++) {
      for (int lane = 0; lane < LANES; lane++) {
        const bool is_absent = choice >> (step * 4 + lane * 4 / LANES) & 1;
        terms[step][lane] = {tables[0] + entry_offset(step, 1 + lane), (choice + (unsigned)lane) % 3 == 0, is_absent};
      }
    }
    extended sum;
    values = 0;
    printf("sum %u\n", choice);
    const unsigned empty = comb_sum(&sum, terms, 3);
    printf("sum-is %llu %llu %llu %llu %u\n", (unsigned long long)sum.x.id, (unsigned long long)sum.y.id,
           (unsigned long long)sum.zz.id, (unsigned long long)sum.zzz.id, empty);
  }
}

int main(void) {
  printf("lanes %d\n", LANES);
  record_agreements("agree/1", 1, both_set);
  record_agreements("agree/7", 7, varied);
  record_agreements("agree/35", 35, varied);
  record_agreements("agree/64", 64, both_set);
  record_terms();
  record_sums();
  record_signatures("verify/1", 1, true, both_set);
  record_signatures("verify/6", 6, false, varied);
  record_signatures("verify/64", 64, false, both_set);
  record_one("verify_one/genuine", 0, true, true, both_set);
  record_one("verify_one/varied", 1, true, true, varied);
  record_one("verify_one/empty", 3, true, true, both_set);
  record_one("verify_one/range", 0, false, true, both_set);
  record_one("verify_one/inverse", 0, true, false, both_set);
  return 0;
}
