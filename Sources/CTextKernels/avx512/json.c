/* JSON strings, 64 bytes a step. Backslashes are told from what they escape in a mask of 64 bits, so that a step with escapes takes
   one pass; unescaped, the bytes that remain are moved together by a compression. */

#include "../kernels.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2"))), \
                             apply_to = function)

/* What a backslash and a character stand for, zero where they are no escape of two bytes. */
static const uint8_t contents[128] __attribute__((aligned(64))) = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/* A block of 64 bytes, or of as many as there are, with zeros beyond them. */
static inline __m512i block(const uint8_t *text, size_t count) {
  if (count >= 64) return _mm512_loadu_si512(text);
  return _mm512_maskz_loadu_epi8(((__mmask64)1 << count) - 1, text);
}

/* Which of a block's backslashes begin an escape: of those side by side, every other. No escape runs into the block. */
static inline uint64_t escapes(uint64_t backslashes) {
  if ((backslashes & backslashes << 1) == 0) return backslashes;
  uint64_t first = 0;
  while (backslashes != 0) {
    const uint64_t lowest = backslashes & -backslashes;
    first |= lowest;
    backslashes &= ~(lowest | lowest << 1);
  }
  return first;
}

/* Of a block's characters that an escape's backslash stands before, those that do not end an escape of two bytes, and what
   the others stand for. A zero is none of them, so that nothing beyond the text is taken for a character of it. */
static inline __mmask64 strangers(__m512i characters, __mmask64 escaped, __m512i *meant) {
  const __m512i low = _mm512_load_si512(contents), high = _mm512_load_si512(contents + 64);
  *meant = _mm512_permutex2var_epi8(low, characters, high);
  return escaped & (_mm512_movepi8_mask(characters) | _mm512_testn_epi8_mask(*meant, *meant));
}

assay_json_run assay_json_run_avx512(const uint8_t *text, size_t count) {
  const __m512i quote = _mm512_set1_epi8('"'), backslash = _mm512_set1_epi8('\\'), space = _mm512_set1_epi8(' ');
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
    __m512i meant;
    const uint64_t begun = escapes(backslashes), escaped = begun << 1;
    /* An escape that is none of these ends the run where its backslash stands. */
    const uint64_t ends = (others & ~escaped) | strangers(characters, escaped, &meant) >> 1;
    if (ends != 0) {
      const uint64_t before = (ends & -ends) - 1;
      run.has_escapes |= (begun & before) != 0;
      run.count += (size_t)__builtin_ctzll(ends);
      return run;
    }
    /* A backslash at the end of the block begins the next one. */
    const uint64_t last = begun >> 63;
    run.has_escapes |= begun << 1 != 0;
    run.count += 64 - last;
  }
}

assay_json_copy assay_json_unescape_avx512(const uint8_t *text, size_t count, uint8_t *output) {
  const __m512i backslash = _mm512_set1_epi8('\\');
  assay_json_copy copy = {0, 0};
  while (copy.read < count) {
    const size_t left = count - copy.read, size = left < 64 ? left : 64;
    __m512i characters = block(text + copy.read, left);
    const __mmask64 backslashes = _mm512_cmpeq_epi8_mask(characters, backslash);
    size_t taken = size, kept = size;
    uint64_t ends = 0;
    if (backslashes != 0) {
      __m512i meant;
      const uint64_t begun = escapes(backslashes), escaped = begun << 1;
      /* An escape of more bytes ends the run where its backslash stands; a backslash that ends the block begins the next. */
      ends = strangers(characters, escaped, &meant) >> 1;
      taken = ends != 0 ? (size_t)__builtin_ctzll(ends) : size - (begun >> 63);
      const __mmask64 lanes = ~begun & (taken == 64 ? ~(uint64_t)0 : ((uint64_t)1 << taken) - 1);
      characters = _mm512_maskz_compress_epi8(lanes, _mm512_mask_mov_epi8(characters, escaped, meant));
      kept = (size_t)__builtin_popcountll(lanes);
    }
    /* What was written is no longer than what was read: where 64 bytes are left to read, there is room for 64. */
    if (left >= 64) {
      _mm512_storeu_si512(output + copy.written, characters);
    } else {
      _mm512_mask_storeu_epi8(output + copy.written, ((__mmask64)1 << kept) - 1, characters);
    }
    copy.read += taken;
    copy.written += kept;
    if (ends != 0) break;
  }
  return copy;
}

#pragma clang attribute pop

#endif
