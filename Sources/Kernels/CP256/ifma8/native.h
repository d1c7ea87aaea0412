/* Eight lanes of 64 bits in AVX-512 with IFMA: see lanes/kernel.h for what each operation must do. */

#ifndef ASSAY_P256_IFMA8_NATIVE_H
#define ASSAY_P256_IFMA8_NATIVE_H

#include <immintrin.h>

#include "../lanes/base.h"

#define LANES_BEGIN                                                                                              \
  _Pragma("clang attribute push(__attribute__((target(\"avx512f,avx512vl,avx512dq,avx512bw,avx512ifma,bmi2\"))), \
          apply_to = function)")
#define LANES_END _Pragma("clang attribute pop")

/* For the routines that take most of the time. Their position relative to pages changes their speed by a third (Zen 5;
   apparently because of an instruction across a page border), and must not depend on what else is linked. */
#define HOT __attribute__((noinline, aligned(4096)))

#define PRODUCT INLINE

#define PADDING 0

typedef __m512i lanes;
typedef __mmask8 lane_mask;

LANES_BEGIN
INLINE lanes l_all(uint64_t x) { return _mm512_set1_epi64((long long)x); }
INLINE lanes l_add(lanes a, lanes b) { return _mm512_add_epi64(a, b); }
INLINE lanes l_sub(lanes a, lanes b) { return _mm512_sub_epi64(a, b); }
INLINE lanes l_and(lanes a, lanes b) { return _mm512_and_si512(a, b); }
INLINE lanes l_or(lanes a, lanes b) { return _mm512_or_si512(a, b); }
INLINE lanes l_xor(lanes a, lanes b) { return _mm512_xor_si512(a, b); }
INLINE lanes l_shl(lanes a, int bits) { return _mm512_slli_epi64(a, (unsigned)bits); }
INLINE lanes l_shr(lanes a, int bits) { return _mm512_srli_epi64(a, (unsigned)bits); }
INLINE lanes l_carry(lanes a) { return _mm512_srai_epi64(a, LIMB_BITS); }
INLINE lanes l_quotient(lanes top) { return _mm512_srai_epi64(top, 48); }
INLINE lanes l_remainder(lanes top, lanes quotient) {
  (void)quotient;
  return l_and(top, l_all(((uint64_t)1 << 48) - 1));
}
INLINE lanes l_pinned(lanes a) {
  __asm__ volatile("" : "+v"(a));
  return a;
}
INLINE lanes l_factor(lanes a) { return a; }
INLINE lanes l_integer(lanes a) { return a; }
/* sum + the low, or the high, 52 bits of the product of two numbers of 52 bits. */
INLINE lanes l_mul_low(lanes sum, lanes a, lanes b) { return _mm512_madd52lo_epu64(sum, a, b); }
INLINE lanes l_mul_high(lanes sum, lanes a, lanes b) { return _mm512_madd52hi_epu64(sum, a, b); }
INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { return _mm512_mask_mov_epi64(a, mask, b); }
INLINE lane_mask l_is_zero(lanes a) { return _mm512_testn_epi64_mask(a, a); }
INLINE lane_mask l_is_negative(lanes a) { return _mm512_movepi64_mask(a); }
INLINE unsigned l_bits(lane_mask mask) { return mask; }
INLINE lane_mask l_mask(unsigned bits) { return (lane_mask)bits; }
INLINE lanes l_exchange(lanes a, int distance) {
  if (distance == 1) return _mm512_permutex_epi64(a, 0xB1);
  if (distance == 2) return _mm512_permutex_epi64(a, 0x4E);
  return _mm512_shuffle_i64x2(a, a, 0x4E);
}

/* Word i of row j to word j of row i. */
INLINE void transpose(lanes rows[8]) {
  lanes pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
  }
  /* Words 0 and 4, or 2 and 6, of four rows. */
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; j++) {
      fours[i + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + j + 2], 0x88);
      fours[i + j + 2] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + j + 2], 0xDD);
    }
  }
  for (int j = 0; j < 2; j++) {
    rows[j] = _mm512_shuffle_i64x2(fours[j], fours[4 + j], 0x88);
    rows[4 + j] = _mm512_shuffle_i64x2(fours[j], fours[4 + j], 0xDD);
    rows[2 + j] = _mm512_shuffle_i64x2(fours[2 + j], fours[6 + j], 0x88);
    rows[6 + j] = _mm512_shuffle_i64x2(fours[2 + j], fours[6 + j], 0xDD);
  }
}
INLINE void l_load_entries(const uint64_t *const entries[LANES], lanes words[8]) {
  for (int i = 0; i < LANES; i++) memcpy(&words[i], entries[i], sizeof words[i]);
  transpose(words);
}

typedef struct {
  char unused;
} float_state;
INLINE float_state set_float_state(void) { return (float_state){0}; }
INLINE void restore_float_state(float_state state) { (void)state; }
LANES_END

#endif
