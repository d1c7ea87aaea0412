/* JSON strings, 32 bytes a step. */

#include "../json_steps.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,bmi"))), apply_to = function)

enum { STEP = 32 };

static inline __m256i load(const uint8_t *text) { return _mm256_loadu_si256((const __m256i *)(const void *)text); }

static inline uint64_t bits(__m256i marks) { return (uint32_t)_mm256_movemask_epi8(marks); }

static inline uint64_t marks(const uint8_t *text) {
  const __m256i characters = load(text);
  /* As signed numbers, control characters and those beyond ASCII are all below the space. */
  const __m256i low = _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), characters);
  const __m256i quotes = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8('"'));
  const __m256i backslashes = _mm256_cmpeq_epi8(characters, _mm256_set1_epi8('\\'));
  return bits(_mm256_or_si256(low, _mm256_or_si256(quotes, backslashes)));
}

static inline uint64_t copy(const uint8_t *text, uint8_t *output) {
  const __m256i characters = load(text);
  _mm256_storeu_si256((__m256i *)(void *)output, characters);
  return bits(_mm256_cmpeq_epi8(characters, _mm256_set1_epi8('\\')));
}

assay_json_run assay_json_run_avx2(const uint8_t *text, size_t count) {
  assay_json_run run = assay_json_run_steps(text, count, STEP, 1, marks);
  if (count - run.count >= STEP) return run;
  const assay_json_run rest = assay_json_run_portable(text + run.count, count - run.count);
  return (assay_json_run){run.count + rest.count, run.has_escapes || rest.has_escapes};
}

assay_json_copy assay_json_unescape_avx2(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy done = assay_json_unescape_steps(text, count, output, STEP, 1, copy);
  if (count - done.read >= STEP) return done;
  const assay_json_copy rest =
      assay_json_unescape_portable(text + done.read, count - done.read, output + done.written);
  return (assay_json_copy){done.read + rest.read, done.written + rest.written};
}

#pragma clang attribute pop

#endif
