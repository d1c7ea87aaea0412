/* Stands for the compiler's <immintrin.h> when a kernel is recorded: the intrinsics that the kernels' native.h use,
   each of which writes down what the instruction is given and gives its result a number. Nothing is computed. All lanes
   do the same, so one number stands for all of them.

   A line of the recording is the result's number, the operation and its operands; Proofs/lanes/recording.py reads it.
   The meaning of each operation is in Proofs/algebra/words.py. */

#ifndef ASSAY_PROOFS_IMMINTRIN_H
#define ASSAY_PROOFS_IMMINTRIN_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The recorder runs on every processor: no function is compiled for a particular one, and no loop is unrolled by a
   pragma. */
#define _Pragma(text)

/* The first word is the number of a recorded value, or for a mask 0 or all ones; the second is a mask's truth table. */
typedef uint64_t __m256i __attribute__((vector_size(16)));
typedef __m256i __m256d;
typedef __m256i __m512i;

/* A mask is a Boolean function of up to six comparisons, as a truth table: so the operators & | ~ of C are exact. */
typedef uint64_t __mmask8;

static uint64_t recorded_values;
static unsigned recorded_comparisons;

#define RECORDED static inline __attribute__((unused))

RECORDED _Noreturn void not_recorded(const char *what) {
  fprintf(stderr, "recorder: %s is not recorded\n", what);
  exit(70);
}

RECORDED uint64_t operand(__m256i a) {
  if (a[0] == 0 || a[0] > recorded_values) not_recorded("an operand that is no value");
  return a[0];
}

RECORDED __m256i next_value(void) { return (__m256i){++recorded_values, 0}; }

RECORDED __m256i binary(const char *operation, __m256i a, __m256i b) {
  const uint64_t left = operand(a), right = operand(b);
  const __m256i result = next_value();
  printf(
      "%llu %s %llu %llu\n", (unsigned long long)result[0], operation, (unsigned long long)left,
      (unsigned long long)right);
  return result;
}

RECORDED __m256i ternary(const char *operation, __m256i a, __m256i b, __m256i c) {
  const uint64_t first = operand(a), second = operand(b), third = operand(c);
  const __m256i result = next_value();
  printf(
      "%llu %s %llu %llu %llu\n", (unsigned long long)result[0], operation, (unsigned long long)first,
      (unsigned long long)second, (unsigned long long)third);
  return result;
}

RECORDED __m256i shift(const char *operation, __m256i a, unsigned bits) {
  const uint64_t number = operand(a);
  const __m256i result = next_value();
  printf("%llu %s %llu %u\n", (unsigned long long)result[0], operation, (unsigned long long)number, bits);
  return result;
}

/* Words that stand for values, which plain C passes on without computing with them. */
static struct {
  uint64_t word;
  __m256i value;
} standing[4];

RECORDED __m256i constant(const char *operation, uint64_t word) {
  for (int i = 0; i < 4; i++) {
    if (standing[i].word != 0 && standing[i].word == word) return standing[i].value;
  }
  const __m256i result = next_value();
  printf("%llu %s %llu\n", (unsigned long long)result[0], operation, (unsigned long long)word);
  return result;
}

RECORDED __m256i exchange_blocks(__m256i a, __m256i b, unsigned order) {
  if (operand(a) != operand(b)) not_recorded("a shuffle of two vectors");
  return shift("exchange-blocks", a, order);
}

/* The truth table of a new comparison. */
RECORDED uint64_t comparison(const char *operation, __m256i a, __m256i b) {
  static const uint64_t tables[6] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                     0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  if (recorded_comparisons == 6) not_recorded("a seventh comparison");
  printf(
      "comparison %u %s %llu %llu\n", recorded_comparisons, operation, (unsigned long long)operand(a),
      (unsigned long long)operand(b));
  return tables[recorded_comparisons++];
}

/* b where the mask is set, else a. */
RECORDED __m256i select_by(uint64_t table, __m256i a, __m256i b) {
  const uint64_t left = operand(a), right = operand(b);
  const __m256i result = next_value();
  printf(
      "%llu select %llu %llu %llu\n", (unsigned long long)result[0], (unsigned long long)table,
      (unsigned long long)left, (unsigned long long)right);
  return result;
}

#define _mm512_set1_epi64(x) constant("constant", (uint64_t)(x))
#define _mm512_add_epi64(a, b) binary("add", a, b)
#define _mm512_sub_epi64(a, b) binary("subtract", a, b)
#define _mm512_and_si512(a, b) binary("and", a, b)
#define _mm512_or_si512(a, b) binary("or", a, b)
#define _mm512_xor_si512(a, b) binary("xor", a, b)
#define _mm512_slli_epi64(a, bits) shift("left", a, bits)
#define _mm512_srli_epi64(a, bits) shift("right", a, bits)
#define _mm512_srai_epi64(a, bits) shift("signed-right", a, bits)
#define _mm512_madd52lo_epu64(sum, a, b) ternary("multiply-low-52", sum, a, b)
#define _mm512_madd52hi_epu64(sum, a, b) ternary("multiply-high-52", sum, a, b)
#define _mm512_mask_mov_epi64(a, mask, b) select_by(mask, a, b)
#define _mm512_testn_epi64_mask(a, b) comparison("disjoint", a, b)
#define _mm512_movepi64_mask(a) comparison("negative", a, a)
#define _mm512_permutex_epi64(a, order) shift("exchange-in-fours", a, order)
#define _mm512_shuffle_i64x2(a, b, order) exchange_blocks(a, b, order)
#define _mm512_unpacklo_epi64(a, b) binary("shuffle", a, b)
#define _mm512_unpackhi_epi64(a, b) binary("shuffle", a, b)

#define _mm256_set1_epi64x(x) constant("constant", (uint64_t)(x))
#define _mm256_setzero_si256() constant("constant", 0)
#define _mm256_add_epi64(a, b) binary("add", a, b)
#define _mm256_sub_epi64(a, b) binary("subtract", a, b)
#define _mm256_and_si256(a, b) binary("and", a, b)
#define _mm256_or_si256(a, b) binary("or", a, b)
#define _mm256_xor_si256(a, b) binary("xor", a, b)
#define _mm256_slli_epi64(a, bits) shift("left", a, (unsigned)(bits))
#define _mm256_srli_epi64(a, bits) shift("right", a, (unsigned)(bits))
#define _mm256_castsi256_pd(a) (a)
#define _mm256_castpd_si256(a) (a)
#define _mm256_blendv_epi8(a, b, mask) select_by((mask)[1], a, b)
#define _mm256_cmpeq_epi64(a, b) ((__m256i){0, comparison("equal", a, b)})
#define _mm256_cmpgt_epi64(a, b) ((__m256i){0, comparison("greater", a, b)})
#define _mm256_movemask_pd(mask) ((int)(mask)[1])
#define _mm256_setr_epi64x(a, b, c, d) constant("lane-bits", 0)
#define _mm256_permute4x64_epi64(a, order) shift("exchange-in-fours", a, order)
#define _mm256_permute2x128_si256(a, b, order) binary("shuffle", a, b)
#define _mm256_unpacklo_epi64(a, b) binary("shuffle", a, b)
#define _mm256_unpackhi_epi64(a, b) binary("shuffle", a, b)

/* The bits of a double. */
RECORDED uint64_t bits_of(double x) {
  union {
    double number;
    uint64_t bits;
  } both = {.number = x};
  return both.bits;
}
#define _mm256_set1_pd(x) constant("constant", bits_of(x))
#define _mm256_add_pd(a, b) binary("float-add", a, b)
#define _mm256_sub_pd(a, b) binary("float-subtract", a, b)
#define _mm256_fmadd_pd(a, b, c) ternary("float-multiply-add", a, b, c)

#endif
