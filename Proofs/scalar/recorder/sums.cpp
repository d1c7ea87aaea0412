// Records verify.c and table.c over opaque points and numbers: which points are added, and what is inverted. The plain
// C of signature.c is proved in Proofs/plain; here, digits are given.

#include <initializer_list>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSAY_P256_SCALAR_H
#define INLINE static inline __attribute__((always_inline))
#define _Static_assert static_assert

#include "CP256.h"

#include "constants.h"
#include "signature.h"

/* A number, or one of a point's coordinates, is its number in the first word. Number 0 is zero. */
struct field {
  uint64_t w[4];
};
struct affine {
  field x, y;
};
struct extended {
  field x, y, zz, zzz;
};

static uint64_t values;

static uint64_t written(const char *operation, std::initializer_list<uint64_t> operands, unsigned results = 1) {
  const uint64_t first = values + 1;
  values += results;
  printf("%llu %s", (unsigned long long)first, operation);
  for (uint64_t operand : operands) printf(" %llu", (unsigned long long)operand);
  printf("\n");
  return first;
}
static field named(uint64_t number) { return {{number, 0, 0, 0}}; }
static affine affine_from(uint64_t first) { return {named(first), named(first + 1)}; }
static extended extended_from(uint64_t first) {
  return {named(first), named(first + 1), named(first + 2), named(first + 3)};
}

/* The answers to the next comparisons, the lowest bit first; they are repeated after 32. */
static unsigned answers;
/* How many yes answers are given before one becomes no; negative for none. */
static int refused = -1;
static bool answer(const char *question, std::initializer_list<uint64_t> operands) {
  const bool result = (answers & 1) != 0 && refused-- != 0;
  answers = answers >> 1 | answers << 31;
  printf("ask %s %d", question, result);
  for (uint64_t operand : operands) printf(" %llu", (unsigned long long)operand);
  printf("\n");
  return result;
}

static uint64_t add_carry(uint64_t a, uint64_t b, uint64_t *carry) {
  const uint128 sum = (uint128)a + b + *carry;
  *carry = (uint64_t)(sum >> 64);
  return (uint64_t)sum;
}
static field f_constant(const uint64_t words[4]) { return {{words[0], words[1], words[2], words[3]}}; }
#define WORDS(a) (a)->w[0], (a)->w[1], (a)->w[2], (a)->w[3]
static field f_multiply(const field *a, const field *b) { return named(written("multiply", {WORDS(a), WORDS(b)})); }
static field f_square(const field *a) { return f_multiply(a, a); }
static field f_shift(const field *a, int bits) { return named(written("shift", {a->w[0], (uint64_t)bits})); }
static field f_negated(const field *a) { return named(written("negated", {a->w[0]})); }
static field f_inverse(const field *a) { return named(written("inverse", {a->w[0]})); }
static bool f_is_zero(const field *a) { return answer("zero", {a->w[0]}); }
static bool f_equal(const field *a, const field *b) { return answer("equal", {a->w[0], b->w[0]}); }

static bool is_on_curve(const affine *a) { return answer("on-curve", {a->x.w[0], a->y.w[0]}); }
static bool is_extended_on_curve(const extended *a) {
  return answer("on-curve", {a->x.w[0], a->y.w[0], a->zz.w[0], a->zzz.w[0]});
}
#define COORDINATES(a) (a)->x.w[0], (a)->y.w[0], (a)->zz.w[0], (a)->zzz.w[0]
static extended e_from_affine(const affine *a) { return extended_from(written("convert", {a->x.w[0], a->y.w[0]}, 4)); }
static extended e_double(const extended *a) { return extended_from(written("double", {COORDINATES(a)}, 4)); }
static void e_add_affine(extended *a, const affine *b) {
  *a = extended_from(written("add", {COORDINATES(a), b->x.w[0], b->y.w[0]}, 4));
}
static field a_denominator(const affine *a, const affine *b) {
  return named(written("denominator", {a->x.w[0], a->y.w[0], b->x.w[0], b->y.w[0]}));
}
static affine a_add(const affine *a, const affine *b, const field *inverse) {
  return affine_from(written("add-affine", {a->x.w[0], a->y.w[0], b->x.w[0], b->y.w[0], inverse->w[0]}, 2));
}

/* Tables: an entry that was not stored is written down when it is loaded. */
static uint64_t tables[1 + ASSAY_P256_BATCH][POSITIONS * MULTIPLES_PER_POSITION * ENTRY_WORDS];
static affine stored[POSITIONS * MULTIPLES_PER_POSITION];
static bool stores;

static affine load_entry(const uint64_t *table, int position, int multiple) {
  const size_t offset = entry_offset(position, multiple) / ENTRY_WORDS;
  if (offset >= POSITIONS * MULTIPLES_PER_POSITION) return affine_from(written("outside", {}, 2));
  if (stores) return stored[offset];
  const size_t place = (size_t)(table - tables[0]) / (sizeof tables[0] / sizeof tables[0][0]);
  return affine_from(written("entry", {place, (uint64_t)position, (uint64_t)multiple}, 2));
}
static void store_entry(uint64_t *, int position, int multiple, const affine *entry) {
  const size_t offset = entry_offset(position, multiple) / ENTRY_WORDS;
  if (offset < POSITIONS * MULTIPLES_PER_POSITION) stored[offset] = *entry;
  printf("store %d %d %llu %llu\n", position, multiple, (unsigned long long)entry->x.w[0],
         (unsigned long long)entry->y.w[0]);
}

static int16_t given_digits[ASSAY_P256_BATCH][2 * POSITIONS];
static bool is_read[ASSAY_P256_BATCH], is_inverse[ASSAY_P256_BATCH];
static size_t signature_of(const uint64_t r[4]) { return (size_t)(r[0] & 0xFF) - 1; }

bool assay_p256_read_signature(signature_numbers *result, const assay_p256_signature *signature) {
  w_read(result->r, signature->r);
  return is_read[signature_of(result->r)];
}
void assay_p256_invert_signatures(signature_numbers *signatures, size_t count) {
  for (size_t i = 0; i < count; i++) signatures[i].inverse[0] = signature_of(signatures[i].r) + 1;
}
bool assay_p256_split_signature(const signature_numbers *signature, int16_t digits[2 * POSITIONS]) {
  const size_t index = signature_of(signature->r);
  if (signature->inverse[0] != index + 1) abort();
  memcpy(digits, given_digits[index], sizeof given_digits[index]);
  return is_inverse[index];
}

#define assay_p256_scalar_verify_one verify_one
#define assay_p256_scalar_verify verify_several
#define space verify_space
#include "scalar/verify.c"
#undef space
#define space table_space
#include "scalar/table.c"
#undef space

static uint64_t state = 1;
static uint64_t next_random(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545F4914F6CDD1D;
}

static void record_signatures(size_t count, bool are_sound, unsigned script) {
  assay_p256_signature signatures[ASSAY_P256_BATCH];
  uint8_t statuses[ASSAY_P256_BATCH];
  printf("program verify/%zu/%d/%u\n", count, are_sound, script);
  values = 0;
  for (size_t i = 0; i < count; i++) {
    signatures[i] = {tables[1 + i], {0}, {0}, {0}};
    for (uint8_t &byte : signatures[i].r) byte = (uint8_t)(next_random() >> 56);
    signatures[i].r[31] = (uint8_t)(i + 1);
    if (i % 2 == 1) memset(signatures[i].r, 0, 16);
    is_read[i] = are_sound || i % 5 != 4;
    is_inverse[i] = are_sound || i % 7 != 6;
    for (int16_t &digit : given_digits[i]) digit = (int16_t)((int)(next_random() >> 40 & 0xFF) - 127);
    given_digits[i][i] = 0;
    given_digits[i][63 - i] = 128;
    printf("signature %d %d", is_read[i], is_inverse[i]);
    for (uint8_t byte : signatures[i].r) printf(" %d", byte);
    for (int16_t digit : given_digits[i]) printf(" %d", digit);
    printf("\n");
  }
  answers = script;
  verify_several(tables[0], signatures, count, statuses);
  for (size_t i = 0; i < count; i++) printf("answer %u\n", statuses[i]);
}

static void record_terms(void) {
  printf("program load_term\n");
  task task;
  task.table = tables[1];
  for (int digit = -128; digit <= 128; digit++) {
    for (int place = 0; place < TERMS; place++) {
      values = 0;
      task.digits[place] = (int16_t)digit;
      printf("digit %d %d\n", digit, place);
      const affine entry = load_term(tables[0], &task, place);
      printf("term %llu %llu\n", (unsigned long long)entry.x.w[0], (unsigned long long)entry.y.w[0]);
    }
  }
}

static void record_table(const char *name, int refused_question) {
  uint8_t point[64] = {0};
  point[31] = 1, point[63] = 2;
  values = 0;
  answers = ~0U;
  refused = refused_question;
  stores = true;
  printf("program %s\n", name);
  const bool result = assay_p256_make_table(point, tables[1]);
  printf("answer %d\n", result);
  stores = false;
  refused = -1;
}

int main() {
  record_terms();
  /* A sum is zero, or not on the curve, or has x = r, or r + n, or neither. */
  for (unsigned script = 0; script < 16; script++) record_signatures(1, true, script);
  record_signatures(1, false, 0);
  for (size_t count : {2, 3, 17, 33, 64}) record_signatures(count, false, 0x5A5A96C3);
  /* The point, 32 powers, 127 · 32 multiples and 32 doublings of two coordinates are checked. */
  record_table("table", -1);
  record_table("table/power", 20);
  record_table("table/multiple", 2000);
  record_table("table/doubling", 1 + 32 + 127 * 32 + 50);
  record_table("table/last", 1 + 32 + 127 * 32 + 63);
  return 0;
}
