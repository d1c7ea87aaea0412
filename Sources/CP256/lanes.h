/* Eight lanes of 64 bits, and what is done with them: AVX-512 IFMA, or the same in plain C for the check of secrecy,
   whose tool knows no AVX-512 (Scripts/check-secrecy). Included after everything else: from here on functions are
   compiled for AVX-512, until LANES_END. */

#ifndef ASSAY_P256_LANES_H
#define ASSAY_P256_LANES_H

#include <stdint.h>
#include <string.h>

#if defined(ASSAY_SECRECY)
#define ASSAY_P256_EMULATED 1
#endif

#if defined(ASSAY_P256_EMULATED) || defined(__x86_64__)
#define ASSAY_P256_COMPILED 1
#endif

#define INLINE static inline __attribute__((always_inline))
/* For the long routines that everything is spent in. Where their pages begin decides a third of their speed (Zen 5; an
   instruction across the border of two pages, it seems), and is not to depend on what else is linked. */
#define HOT __attribute__((noinline, aligned(4096)))
#define LIMB_BITS 52
#define LIMB_MASK (((uint64_t)1 << LIMB_BITS) - 1)

#if defined(ASSAY_P256_EMULATED)

#define LANES_BEGIN
#define LANES_END

typedef struct {
  uint64_t v[8];
} __attribute__((aligned(64))) lanes;
typedef uint8_t lane_mask;

#define EACH(expression)          \
  lanes result;                   \
  for (int i = 0; i < 8; i++) {   \
    result.v[i] = (expression);   \
  }                               \
  return result

INLINE lanes l_all(uint64_t x) { EACH(x); }
INLINE lanes l_add(lanes a, lanes b) { EACH(a.v[i] + b.v[i]); }
INLINE lanes l_sub(lanes a, lanes b) { EACH(a.v[i] - b.v[i]); }
INLINE lanes l_and(lanes a, lanes b) { EACH(a.v[i] & b.v[i]); }
INLINE lanes l_or(lanes a, lanes b) { EACH(a.v[i] | b.v[i]); }
INLINE lanes l_xor(lanes a, lanes b) { EACH(a.v[i] ^ b.v[i]); }
INLINE lanes l_shl(lanes a, int bits) { EACH(a.v[i] << bits); }
INLINE lanes l_shr(lanes a, int bits) { EACH(a.v[i] >> bits); }
INLINE lanes l_sar(lanes a, int bits) { EACH((uint64_t)((int64_t)a.v[i] >> bits)); }
INLINE unsigned __int128 product52(uint64_t a, uint64_t b) { return (unsigned __int128)(a & LIMB_MASK) * (b & LIMB_MASK); }
/* sum + the low, or the high, 52 bits of the product of two numbers of 52 bits. */
INLINE lanes l_mul_low(lanes sum, lanes a, lanes b) { EACH(sum.v[i] + ((uint64_t)product52(a.v[i], b.v[i]) & LIMB_MASK)); }
INLINE lanes l_mul_high(lanes sum, lanes a, lanes b) { EACH(sum.v[i] + (uint64_t)(product52(a.v[i], b.v[i]) >> 52)); }
/* All bits where the lane's bit of the mask is set; the compiler does not see that there are but two values. */
INLINE uint64_t lane_bits(lane_mask mask, int lane) {
  uint64_t bits = -(uint64_t)((mask >> lane) & 1);
  __asm__("" : "+r"(bits));
  return bits;
}
/* Where the mask is set b, else a. */
INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { EACH(a.v[i] ^ ((a.v[i] ^ b.v[i]) & lane_bits(mask, i))); }
INLINE lane_mask l_is_zero(lanes a) {
  unsigned mask = 0;
  for (int i = 0; i < 8; i++) mask |= (unsigned)(((a.v[i] | -a.v[i]) >> 63) ^ 1) << i;
  return (lane_mask)mask;
}
INLINE lane_mask l_is_negative(lanes a) {
  unsigned mask = 0;
  for (int i = 0; i < 8; i++) mask |= (unsigned)(a.v[i] >> 63) << i;
  return (lane_mask)mask;
}
/* Lane i of the result is lane i^distance; the distance is 1, 2 or 4. */
INLINE lanes l_exchange(lanes a, int distance) { EACH(a.v[i ^ distance]); }
INLINE void clear_registers(void) {}

#elif defined(__x86_64__)

#include <immintrin.h>

#define LANES_BEGIN                                                                                              \
  _Pragma("clang attribute push(__attribute__((target(\"avx512f,avx512vl,avx512dq,avx512bw,avx512ifma,bmi2\"))), \
          apply_to = function)")
#define LANES_END _Pragma("clang attribute pop")

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
INLINE lanes l_sar(lanes a, int bits) { return _mm512_srai_epi64(a, (unsigned)bits); }
/* sum + the low, or the high, 52 bits of the product of two numbers of 52 bits. */
INLINE lanes l_mul_low(lanes sum, lanes a, lanes b) { return _mm512_madd52lo_epu64(sum, a, b); }
INLINE lanes l_mul_high(lanes sum, lanes a, lanes b) { return _mm512_madd52hi_epu64(sum, a, b); }
/* Where the mask is set b, else a. */
INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { return _mm512_mask_mov_epi64(a, mask, b); }
INLINE lane_mask l_is_zero(lanes a) { return _mm512_testn_epi64_mask(a, a); }
INLINE lane_mask l_is_negative(lanes a) { return _mm512_movepi64_mask(a); }
/* Lane i of the result is lane i^distance; the distance is 1, 2 or 4. */
INLINE lanes l_exchange(lanes a, int distance) {
  if (distance == 1) return _mm512_permutex_epi64(a, 0xB1);
  if (distance == 2) return _mm512_permutex_epi64(a, 0x4E);
  return _mm512_shuffle_i64x2(a, a, 0x4E);
}

#define CLEAR(number) "vpxorq %%zmm" #number ", %%zmm" #number ", %%zmm" #number "\n\t"
/* Overwrites the vector registers. */
INLINE void clear_registers(void) {
  __asm__ volatile("vzeroall\n\t" CLEAR(16) CLEAR(17) CLEAR(18) CLEAR(19) CLEAR(20) CLEAR(21) CLEAR(22) CLEAR(23)
                       CLEAR(24) CLEAR(25) CLEAR(26) CLEAR(27) CLEAR(28) CLEAR(29) CLEAR(30) CLEAR(31)::
                           : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                             "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18", "xmm19", "xmm20",
                             "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30",
                             "xmm31");
}
LANES_END

#endif

#if defined(ASSAY_P256_COMPILED)
LANES_BEGIN
INLINE lanes l_load(const uint64_t *words) {
  lanes result;
  memcpy(&result, words, sizeof result);
  return result;
}
INLINE void l_store(uint64_t *words, lanes a) { memcpy(words, &a, sizeof a); }
LANES_END
#endif

#endif
