/* Base64, 32 characters per step. Byte shuffles look up 16 entries, so each half of a character is looked up
   separately:

   - Validity. The high half selects a class, as a bit: the characters of a class have the same valid low halves. The
     low half selects the classes in which it is invalid. A character is valid if the two have no bit in common.
   - Value. The high half selects the offset from a character to its sextet. Only '/' shares its high half with a
     character of another offset ('+'), so its index is decremented.

   Two multiplications by powers of two join the four sextets of a group, and two shuffles pack the groups. */

#include "../kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,bmi"))), apply_to = function)

enum {
  SIGNS = 1,      /* 0x2_: '+' and '/' */
  DIGITS = 2,     /* 0x3_: '0' to '9' */
  FROM_A = 4,     /* 0x4_, 0x6_: all but the first */
  UP_TO_Z = 8,    /* 0x5_, 0x7_: up to 'Z' and 'z' */
  NEVER = 16,     /* every other */
};

/* The class of a high half. */
#define CLASSES                                                                                                        \
  NEVER, NEVER, SIGNS, DIGITS, FROM_A, UP_TO_Z, FROM_A, UP_TO_Z, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER, NEVER
/* The classes in which a low half is invalid: of 0, of 1 to 9, then one by one from 10 to 15. */
#define INVALID_0 NEVER | SIGNS | FROM_A
#define INVALID_1 NEVER | SIGNS
#define INVALID_10 NEVER | SIGNS | DIGITS
#define INVALID_11 NEVER | DIGITS | UP_TO_Z
#define INVALID_12 NEVER | SIGNS | DIGITS | UP_TO_Z
#define INVALID_15 NEVER | DIGITS | UP_TO_Z
#define INVALIDITIES                                                                                                   \
  INVALID_0, INVALID_1, INVALID_1, INVALID_1, INVALID_1, INVALID_1, INVALID_1, INVALID_1, INVALID_1, INVALID_1,        \
      INVALID_10, INVALID_11, INVALID_12, INVALID_12, INVALID_12, INVALID_15
/* The offsets by high half; entry 1 is for '/'. */
#define OFFSETS 0, 63 - '/', 62 - '+', 52 - '0', -'A', -'A', 26 - 'a', 26 - 'a', 0, 0, 0, 0, 0, 0, 0, 0
/* Byte 3i+j is byte 4i+2-j of the packed groups; the last four are zeros. */
#define PACKING 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1

/* Decodes 32 characters to the 24 lowest bytes. Sets bits in `errors` for characters outside the alphabet. */
static inline __m256i decoded(__m256i characters, __m256i *errors) {
  const __m256i classes = _mm256_setr_epi8(CLASSES, CLASSES), invalid = _mm256_setr_epi8(INVALIDITIES, INVALIDITIES);
  const __m256i offsets = _mm256_setr_epi8(OFFSETS, OFFSETS), order = _mm256_setr_epi8(PACKING, PACKING);
  const __m256i half = _mm256_set1_epi8(0x0F);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi32(characters, 4), half);
  const __m256i low = _mm256_and_si256(characters, half);
  *errors = _mm256_or_si256(
      *errors, _mm256_and_si256(_mm256_shuffle_epi8(classes, high), _mm256_shuffle_epi8(invalid, low)));
  const __m256i is_slash = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8('/'));
  const __m256i offset = _mm256_shuffle_epi8(offsets, _mm256_add_epi8(high, is_slash));
  const __m256i sextets = _mm256_add_epi8(characters, offset);
  const __m256i pairs = _mm256_maddubs_epi16(sextets, _mm256_set1_epi32(0x01400140));
  const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
  return _mm256_permutevar8x32_epi32(
      _mm256_shuffle_epi8(groups, order), _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
}

static inline __m256i load(const uint8_t *text) { return _mm256_loadu_si256((const __m256i *)(const void *)text); }

bool assay_base64_decode_avx2(const uint8_t *text, size_t count, uint8_t *output) {
  if (count < 32) return assay_base64_decode_portable(text, count, output);
  __m256i errors = _mm256_setzero_si256();
  size_t read = 0, written = 0;
  /* A step writes 32 bytes, of which 24 are valid. The last eight are inside the output while 12 more characters
     follow. */
  while (count - read >= 44) {
    _mm256_storeu_si256((__m256i *)(void *)(output + written), decoded(load(text + read), &errors));
    read += 32;
    written += 24;
  }
  /* The last 32 characters, some of them again, in exactly 24 bytes; twice if 40 are left. */
  while (read < count) {
    read = count - read > 32 ? read + 32 : count;
    const __m256i bytes = decoded(load(text + read - 32), &errors);
    uint8_t *target = output + read / 4 * 3 - 24;
    _mm_storeu_si128((__m128i *)(void *)target, _mm256_castsi256_si128(bytes));
    _mm_storel_epi64((__m128i *)(void *)(target + 16), _mm256_extracti128_si256(bytes, 1));
  }
  return _mm256_testz_si256(errors, errors) != 0;
}

#pragma clang attribute pop

#endif
