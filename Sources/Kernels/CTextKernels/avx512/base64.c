/* Base64, 64 characters per step: one lookup of 128 entries yields the sextets, and one permutation packs them. */

#include "../kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#include "../base64_values.h"

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi"))), apply_to = function)

/* Byte 3i+j of the result is byte 4i+2-j of the packed 24-bit groups. */
static const uint8_t packing[64] __attribute__((aligned(64))) = {
    2,  1,  0,  6,  5,  4,  10, 9,  8,  14, 13, 12, 18, 17, 16, 22, 21, 20, 26, 25, 24, 30, 29, 28, 34, 33,
    32, 38, 37, 36, 42, 41, 40, 46, 45, 44, 50, 49, 48, 54, 53, 52, 58, 57, 56, 62, 61, 60,
};

static inline __m512i packed(__m512i sextets, __m512i order) {
  const __m512i pairs = _mm512_maddubs_epi16(sextets, _mm512_set1_epi32(0x01400140));
  const __m512i groups = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
  return _mm512_permutexvar_epi8(order, groups);
}

bool assay_base64_decode_avx512(const uint8_t *text, size_t count, uint8_t *output) {
  const __m512i low = _mm512_load_si512(assay_base64_values);
  const __m512i high = _mm512_load_si512(assay_base64_values + 64);
  const __m512i order = _mm512_load_si512(packing);
  const __mmask64 whole = ((__mmask64)1 << 48) - 1;
  __m512i errors = _mm512_setzero_si512();
  while (count >= 64) {
    const __m512i characters = _mm512_loadu_si512(text);
    const __m512i sextets = _mm512_permutex2var_epi8(low, characters, high);
    errors = _mm512_or_si512(errors, _mm512_or_si512(characters, sextets));
    _mm512_mask_storeu_epi8(output, whole, packed(sextets, order));
    text += 64;
    output += 48;
    count -= 64;
  }
  if (count > 0) {
    const __mmask64 present = ((__mmask64)1 << count) - 1;
    const __m512i characters = _mm512_mask_loadu_epi8(_mm512_set1_epi8('A'), present, text);
    const __m512i sextets = _mm512_permutex2var_epi8(low, characters, high);
    errors = _mm512_or_si512(errors, _mm512_or_si512(characters, sextets));
    _mm512_mask_storeu_epi8(output, ((__mmask64)1 << (count / 4 * 3)) - 1, packed(sextets, order));
  }
  return _mm512_movepi8_mask(errors) == 0;
}

#pragma clang attribute pop

#endif
