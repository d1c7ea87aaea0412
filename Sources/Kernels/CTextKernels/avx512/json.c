/* JSON strings, 64 bytes per step. Escapes are found by operations on masks of 64 bits (json_masks.h), so a step with
   escapes takes one pass. To unescape, a compression packs the remaining bytes. */

#include "../json_masks.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2"))), \
                             apply_to = function)

/* A block of up to 64 bytes, padded with zeros. */
static inline __m512i block(const uint8_t *text, size_t count) {
  if (count >= 64) return _mm512_loadu_si512(text);
  return _mm512_maskz_loadu_epi8(((__mmask64)1 << count) - 1, text);
}

/* Looks characters up in a table; zero for characters beyond ASCII. */
static inline __m512i lookup(const uint8_t *table, __m512i characters) {
  const __m512i low = _mm512_load_si512(table), high = _mm512_load_si512(table + 64);
  return _mm512_maskz_permutex2var_epi8(~_mm512_movepi8_mask(characters), low, characters, high);
}

static inline __m512i all(uint8_t byte) { return _mm512_set1_epi8((char)byte); }

/* Which bytes have one of some bits set. */
static inline uint64_t have(__m512i bytes, uint8_t some) { return _mm512_test_epi8_mask(bytes, all(some)); }

static inline assay_json_digit_masks digit_masks(__m512i digits) {
  return (assay_json_digit_masks){
      .digits = have(digits, 0x10),
      .zeros = ~have(digits, 0x0F),
      .thirteens = _mm512_cmpeq_epi8_mask(digits, all(0x1D)),
      .eights = have(digits, 8),
      .fours = have(digits, 4),
  };
}

/* The escapes with a `u` after the backslash. */
static inline uint64_t unicode(__m512i characters, uint64_t begun) {
  return begun & _mm512_cmpeq_epi8_mask(characters, all('u')) >> 1;
}

assay_json_run assay_json_run_avx512(const uint8_t *text, size_t count) {
  const __m512i quote = all('"'), backslash = all('\\'), space = all(' ');
  assay_json_run run = {0, false};
  for (;;) {
    const __m512i characters = block(text + run.count, count - run.count);
    const __mmask64 backslashes = _mm512_cmpeq_epi8_mask(characters, backslash);
    /* As signed numbers, control characters and those beyond ASCII are all below the space. */
    const __mmask64 others = _mm512_cmplt_epi8_mask(characters, space) | _mm512_cmpeq_epi8_mask(characters, quote);
    if ((backslashes | others) == 0) {
      run.count += 64;
      continue;
    }
    if (backslashes == 0) {
      run.count += (size_t)__builtin_ctzll(others);
      return run;
    }
    const __m512i meant = lookup(assay_json_contents, characters);
    const uint64_t begun = assay_json_begun(backslashes), units = unicode(characters, begun);
    uint64_t taken = begun & have(meant, 0xFF) >> 1;
    if (units != 0) taken |= assay_json_units_taken(units, digit_masks(lookup(assay_json_digits, characters))).taken;
    const uint64_t ends = (others & ~(begun << 1)) | (begun & ~taken);
    if (__builtin_expect(ends == 0, true)) {
      run.has_escapes = true;
      run.count += 64;
      continue;
    }
    const size_t place = (size_t)__builtin_ctzll(ends);
    run.has_escapes |= (begun & assay_json_before(place)) != 0;
    run.count += place;
    /* An escape at the end of the block may continue beyond it; one at the beginning is invalid. */
    if (place == 0 || (begun >> place & 1) == 0) return run;
  }
}

/* The bytes of a block, moved `count` places later. The first places are undefined. */
static inline __m512i later(__m512i bytes, uint8_t count) {
  static const uint8_t places[64] __attribute__((aligned(64))) = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63,
  };
  return _mm512_permutexvar_epi8(_mm512_sub_epi8(_mm512_load_si512(places), all(count)), bytes);
}

/* Bytes shifted down; `some` are the bits that can be set then. */
static inline __m512i down(__m512i bytes, unsigned count, uint8_t some) {
  return _mm512_and_si512(_mm512_srli_epi16(bytes, count), all(some));
}

/* Characters, replaced at the places of a mask by bytes with some bits set. */
static inline __m512i put(__m512i characters, uint64_t places, __m512i bytes, uint8_t some) {
  return _mm512_mask_mov_epi8(characters, places, _mm512_or_si512(bytes, all(some)));
}

/* Characters, with the UTF-8 of code units in the last places of their escapes. */
static inline __m512i encoded(
    __m512i characters, __m512i values, assay_json_units units, assay_json_lengths lengths) {
  const __m512i previous = later(values, 1);
  /* All bits of two digits, and the upper six. */
  const __m512i eight = _mm512_or_si512(_mm512_slli_epi16(previous, 4), values);
  const __m512i six = _mm512_or_si512(_mm512_slli_epi16(previous, 2), down(values, 2, 0x03));
  const uint64_t two = lengths.two_or_more & ~lengths.three, three = lengths.three;
  characters = put(characters, units.taken << 5, eight, 0);
  characters = put(characters, lengths.two_or_more << 5, _mm512_and_si512(eight, all(0x3F)), 0x80);
  characters = put(characters, two << 4, six, 0xC0);
  characters = put(characters, three << 4, six, 0x80);
  characters = put(characters, three << 3, previous, 0xE0);
  if (units.high == 0) return characters;
  /* 110110ab cdefghij 110111kl mnopqrst is 11110ABC 10DEefgh 10ijklmn 10opqrst in UTF-8, where ABCDE is abcd + 1. */
  const __m512i low = _mm512_and_si512(six, all(0x0F));
  const __m512i plane = down(_mm512_add_epi8(low, all(1)), 2, 0x07);
  const __m512i middle = _mm512_and_si512(_mm512_add_epi8(down(eight, 2, 0x3F), all(0x10)), all(0x3F));
  const __m512i carried = _mm512_slli_epi16(_mm512_and_si512(later(values, 5), all(0x03)), 4);
  characters = put(characters, units.high << 4, plane, 0xF0);
  characters = put(characters, units.high << 5, middle, 0x80);
  return put(characters, units.low << 4, _mm512_or_si512(low, carried), 0x80);
}

assay_json_copy assay_json_unescape_avx512(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy copy = {0, 0};
  while (copy.read < count) {
    const size_t left = count - copy.read, size = left < 64 ? left : 64;
    const __m512i originals = block(text + copy.read, left);
    const uint64_t backslashes = _mm512_cmpeq_epi8_mask(originals, all('\\'));
    __m512i characters = originals;
    size_t taken = size, kept = size;
    if (backslashes != 0) {
      const __m512i meant = lookup(assay_json_contents, originals);
      const uint64_t begun = assay_json_begun(backslashes), units = unicode(originals, begun);
      const uint64_t simple = begun & have(meant, 0xFF) >> 1;
      uint64_t dropped = simple, ends = begun & ~simple;
      characters = _mm512_mask_mov_epi8(originals, simple << 1, meant);
      if (units != 0) {
        const __m512i digits = lookup(assay_json_digits, originals);
        const assay_json_digit_masks masks = digit_masks(digits);
        const assay_json_units found = assay_json_units_taken(units, masks);
        const assay_json_lengths lengths = assay_json_unit_lengths(found, masks);
        characters = encoded(characters, _mm512_and_si512(digits, all(0x0F)), found, lengths);
        dropped |= assay_json_units_dropped(found, lengths);
        ends &= ~found.taken;
      }
      /* An escape at the end of the block may continue beyond it; one at the beginning is invalid. */
      if ((ends & 1) != 0) break;
      /* A branch, so that the next step does not depend on this one. */
      if (__builtin_expect(ends != 0, false)) taken = (size_t)__builtin_ctzll(ends);
      const uint64_t lanes = ~dropped & (taken == 64 ? ~(uint64_t)0 : assay_json_before(taken));
      characters = _mm512_maskz_compress_epi8(lanes, characters);
      kept = (size_t)__builtin_popcountll(lanes);
    }
    /* No more is written than read: if 64 bytes are left to read, there is room for 64. */
    if (left >= 64) {
      _mm512_storeu_si512(output + copy.written, characters);
    } else {
      _mm512_mask_storeu_epi8(output + copy.written, assay_json_before(kept), characters);
    }
    copy.read += taken;
    copy.written += kept;
  }
  return copy;
}

#pragma clang attribute pop

#endif
