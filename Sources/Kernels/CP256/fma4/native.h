/* Four lanes of 64 bits in AVX2, multiplied by FMA: see lanes/kernel.h for what each operation must do. */

#ifndef ASSAY_P256_FMA4_NATIVE_H
#define ASSAY_P256_FMA4_NATIVE_H

#include <immintrin.h>

#include "../lanes/base.h"

#define LANES_BEGIN \
  _Pragma("clang attribute push(__attribute__((target(\"avx2,fma,bmi2\"))), apply_to = function)")
#define LANES_END _Pragma("clang attribute pop")

#define UNROLL _Pragma("clang loop unroll(full)")
#define HOT __attribute__((noinline, aligned(64)))

/* Only the emulation checks bounds. */
#define BOUND(condition)

typedef __m256i lanes;
/* All bits of a word, or none. */
typedef __m256i lane_mask;

LANES_BEGIN
INLINE lanes l_all(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
INLINE lanes l_add(lanes a, lanes b) { return _mm256_add_epi64(a, b); }
INLINE lanes l_sub(lanes a, lanes b) { return _mm256_sub_epi64(a, b); }
INLINE lanes l_and(lanes a, lanes b) { return _mm256_and_si256(a, b); }
INLINE lanes l_or(lanes a, lanes b) { return _mm256_or_si256(a, b); }
INLINE lanes l_xor(lanes a, lanes b) { return _mm256_xor_si256(a, b); }
INLINE lanes l_shl(lanes a, int bits) { return _mm256_slli_epi64(a, bits); }
INLINE lanes l_shr(lanes a, int bits) { return _mm256_srli_epi64(a, bits); }
INLINE lanes l_pinned(lanes a) {
  __asm__ volatile("" : "+x"(a));
  return a;
}
INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { return _mm256_blendv_epi8(a, b, mask); }
INLINE lane_mask l_is_zero(lanes a) { return _mm256_cmpeq_epi64(a, _mm256_setzero_si256()); }
INLINE lane_mask l_is_negative(lanes a) { return _mm256_cmpgt_epi64(_mm256_setzero_si256(), a); }
INLINE unsigned l_bits(lane_mask mask) { return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(mask)); }
INLINE lane_mask l_mask(unsigned bits) {
  const lanes each = _mm256_setr_epi64x(1, 2, 4, 8);
  return _mm256_cmpeq_epi64(l_and(l_all(bits), each), each);
}
INLINE lanes l_exchange(lanes a, int distance) {
  return distance == 1 ? _mm256_permute4x64_epi64(a, 0xB1) : _mm256_permute4x64_epi64(a, 0x4E);
}

/* Word i of row j to word j of row i. */
INLINE void transpose(lanes rows[4]) {
  const lanes a = _mm256_unpacklo_epi64(rows[0], rows[1]), b = _mm256_unpackhi_epi64(rows[0], rows[1]);
  const lanes c = _mm256_unpacklo_epi64(rows[2], rows[3]), d = _mm256_unpackhi_epi64(rows[2], rows[3]);
  rows[0] = _mm256_permute2x128_si256(a, c, 0x20);
  rows[1] = _mm256_permute2x128_si256(b, d, 0x20);
  rows[2] = _mm256_permute2x128_si256(a, c, 0x31);
  rows[3] = _mm256_permute2x128_si256(b, d, 0x31);
}
INLINE void l_load_entries(const uint64_t *const entries[LANES], lanes words[8]) {
  for (int i = 0; i < LANES; i++) {
    memcpy(&words[i], entries[i], sizeof words[i]);
    memcpy(&words[4 + i], entries[i] + 4, sizeof words[i]);
  }
  transpose(words);
  transpose(words + 4);
}

/* A word below 2^52 is put into the fraction of 2^52, which makes the double 2^52 + word, and 2^52 is subtracted
   exactly. l_integer reverses this. */
INLINE __m256d as_double(lanes a) { return _mm256_castsi256_pd(a); }
INLINE lanes as_bits(__m256d a) { return _mm256_castpd_si256(a); }
INLINE lanes l_factor(lanes a) {
  const lanes power = l_all((uint64_t)0x433 << 52);
  return as_bits(_mm256_sub_pd(as_double(l_or(a, power)), as_double(power)));
}
INLINE lanes l_integer(lanes a) {
  const lanes power = l_all((uint64_t)0x433 << 52);
  return l_xor(as_bits(_mm256_add_pd(as_double(a), as_double(power))), power);
}

/* The two halves, of 52 bits each, of a · b, plus LOW_BIAS and HIGH_BIAS.

   2^104 + a·b rounded toward zero is 2^104 + h·2^52 for h = floor(a·b / 2^52) below 2^52: units in the last place are
   2^52 there, and its bits are those of 2^104 plus h. Both 2^104 + 2^52 minus that sum and 2^52 + a·b - h·2^52, which
   is within 2^52..<2^53, are exact; the bits of the latter are those of 2^52 plus the low half. */
#define LOW_BIAS ((uint64_t)0x433 << 52)
#define HIGH_BIAS ((uint64_t)0x467 << 52)
INLINE void split_product(lanes *low, lanes *high, lanes a, lanes b) {
  const __m256d power = _mm256_set1_pd(0x1p104), powers = _mm256_set1_pd(0x1p104 + 0x1p52);
  const __m256d above = _mm256_fmadd_pd(as_double(a), as_double(b), power);
  *high = as_bits(above);
  *low = as_bits(_mm256_fmadd_pd(as_double(a), as_double(b), _mm256_sub_pd(powers, above)));
}
INLINE void l_multiply_add(lanes *low, lanes *high, lanes a, lanes b) {
  lanes lower, upper;
  split_product(&lower, &upper, a, b);
  *high = l_add(*high, upper);
  *low = l_add(*low, lower);
}
INLINE void l_multiply_subtract(lanes *low, lanes *high, lanes a, lanes b) {
  lanes lower, upper;
  split_product(&lower, &upper, a, b);
  *high = l_sub(*high, upper);
  *low = l_sub(*low, lower);
}

/* MXCSR: rounding toward zero, all exceptions masked, subnormal numbers as they are (of which none arise). All flags
   are set, so that no result changes the register, as Intel's guidance on data operand independent timing advises where
   timing depends on MXCSR. */
typedef uint32_t float_state;
INLINE float_state set_float_state(void) {
  const uint32_t toward_zero = 0x7FBF;
  float_state state;
  __asm__ volatile("vstmxcsr %0" : "=m"(state)::"memory");
  __asm__ volatile("vldmxcsr %0" ::"m"(toward_zero) : "memory");
  return state;
}
INLINE void restore_float_state(float_state state) { __asm__ volatile("vldmxcsr %0" ::"m"(state) : "memory"); }
LANES_END

#endif
