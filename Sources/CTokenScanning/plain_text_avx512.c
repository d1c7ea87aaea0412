#include "CTokenScanning.h"

#if defined(__x86_64__)

#include <immintrin.h>

__attribute__((target("avx512f,avx512bw"))) size_t assay_plain_text_count_avx512(const uint8_t *text, size_t count) {
  const __m512i quote = _mm512_set1_epi8('"'), backslash = _mm512_set1_epi8('\\'), space = _mm512_set1_epi8(' ');
  size_t position = 0;
  while (count - position >= 64) {
    const __m512i characters = _mm512_loadu_si512(text + position);
    /* As signed numbers, control characters and those beyond ASCII are all below the space. */
    const __mmask64 special = _mm512_cmplt_epi8_mask(characters, space) | _mm512_cmpeq_epi8_mask(characters, quote) |
                              _mm512_cmpeq_epi8_mask(characters, backslash);
    if (special != 0) return position + (size_t)__builtin_ctzll(special);
    position += 64;
  }
  return position;
}

#else

size_t assay_plain_text_count_avx512(const uint8_t *text, size_t count) {
  (void)text, (void)count;
  return 0;
}

#endif
