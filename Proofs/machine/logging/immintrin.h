/* Included before the compiler's <immintrin.h> when the kernels are compiled for Proofs/machine-code. Every vector that
   an intrinsic of their native.h yields is passed to `assay_logged` before the next instruction, and so is every vector
   that memcpy loads. */

#ifndef ASSAY_PROOFS_LOGGING_IMMINTRIN_H
#define ASSAY_PROOFS_LOGGING_IMMINTRIN_H

#include_next <immintrin.h>
#include <stddef.h>
#include <string.h>

void assay_logged(const void *vector, size_t size);

#define LOGGED(expression)                        \
  __extension__({                                 \
    __typeof__(expression) logged = (expression); \
    assay_logged(&logged, sizeof logged);         \
    logged;                                       \
  })

#define _mm512_set1_epi64(x) LOGGED(_mm512_set1_epi64(x))
#define _mm512_add_epi64(a, b) LOGGED(_mm512_add_epi64(a, b))
#define _mm512_sub_epi64(a, b) LOGGED(_mm512_sub_epi64(a, b))
#define _mm512_and_si512(a, b) LOGGED(_mm512_and_si512(a, b))
#define _mm512_or_si512(a, b) LOGGED(_mm512_or_si512(a, b))
#define _mm512_xor_si512(a, b) LOGGED(_mm512_xor_si512(a, b))
#define _mm512_slli_epi64(a, bits) LOGGED(_mm512_slli_epi64(a, bits))
#define _mm512_srli_epi64(a, bits) LOGGED(_mm512_srli_epi64(a, bits))
#define _mm512_srai_epi64(a, bits) LOGGED(_mm512_srai_epi64(a, bits))
#define _mm512_madd52lo_epu64(sum, a, b) LOGGED(_mm512_madd52lo_epu64(sum, a, b))
#define _mm512_madd52hi_epu64(sum, a, b) LOGGED(_mm512_madd52hi_epu64(sum, a, b))
#define _mm512_mask_mov_epi64(a, mask, b) LOGGED(_mm512_mask_mov_epi64(a, mask, b))
#define _mm512_unpacklo_epi64(a, b) LOGGED(_mm512_unpacklo_epi64(a, b))
#define _mm512_unpackhi_epi64(a, b) LOGGED(_mm512_unpackhi_epi64(a, b))
#define _mm256_set1_epi64x(x) LOGGED(_mm256_set1_epi64x(x))
#define _mm256_setzero_si256() LOGGED(_mm256_setzero_si256())
#define _mm256_add_epi64(a, b) LOGGED(_mm256_add_epi64(a, b))
#define _mm256_sub_epi64(a, b) LOGGED(_mm256_sub_epi64(a, b))
#define _mm256_and_si256(a, b) LOGGED(_mm256_and_si256(a, b))
#define _mm256_or_si256(a, b) LOGGED(_mm256_or_si256(a, b))
#define _mm256_xor_si256(a, b) LOGGED(_mm256_xor_si256(a, b))
#define _mm256_slli_epi64(a, bits) LOGGED(_mm256_slli_epi64(a, bits))
#define _mm256_srli_epi64(a, bits) LOGGED(_mm256_srli_epi64(a, bits))
#define _mm256_blendv_epi8(a, b, mask) LOGGED(_mm256_blendv_epi8(a, b, mask))
#define _mm256_cmpeq_epi64(a, b) LOGGED(_mm256_cmpeq_epi64(a, b))
#define _mm256_cmpgt_epi64(a, b) LOGGED(_mm256_cmpgt_epi64(a, b))
#define _mm256_setr_epi64x(a, b, c, d) LOGGED(_mm256_setr_epi64x(a, b, c, d))
#define _mm256_unpacklo_epi64(a, b) LOGGED(_mm256_unpacklo_epi64(a, b))
#define _mm256_unpackhi_epi64(a, b) LOGGED(_mm256_unpackhi_epi64(a, b))
#define _mm256_set1_pd(x) LOGGED(_mm256_set1_pd(x))
#define _mm256_add_pd(a, b) LOGGED(_mm256_add_pd(a, b))
#define _mm256_sub_pd(a, b) LOGGED(_mm256_sub_pd(a, b))
#define _mm256_fmadd_pd(a, b, c) LOGGED(_mm256_fmadd_pd(a, b, c))

#define memcpy(target, source, size) (memcpy(target, source, size), assay_logged(target, size))

/* Intrinsics with a constant argument are macros already, over the compiler's own functions. */
#undef _mm512_permutex_epi64
#define _mm512_permutex_epi64(a, order) LOGGED((__m512i)__builtin_ia32_permdi512((__v8di)(a), (order)))
#undef _mm512_shuffle_i64x2
#define _mm512_shuffle_i64x2(a, b, order) LOGGED((__m512i)__builtin_ia32_shuf_i64x2((__v8di)(a), (__v8di)(b), (order)))
#undef _mm256_permute4x64_epi64
#define _mm256_permute4x64_epi64(a, order) LOGGED((__m256i)__builtin_ia32_permdi256((__v4di)(a), (order)))
#undef _mm256_permute2x128_si256
#define _mm256_permute2x128_si256(a, b, order) \
  LOGGED((__m256i)__builtin_ia32_permti256((__v4di)(a), (__v4di)(b), (order)))

#endif
