/* JSON strings by words of eight bytes, and the last bytes one by one. */

#include "../json_steps.h"

#include <string.h>

enum { STEP = 8 };

static const uint64_t ones = 0x0101010101010101;

/* The eight bytes at text as a word, the first lowest. */
static inline uint64_t load(const uint8_t *text) {
  uint64_t word;
  memcpy(&word, text, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  word = __builtin_bswap64(word);
#endif
  return word;
}

/* Sets the highest bit of each byte that is less than `bound`, which is below 0x80. Only the lowest bit set is
   reliable: borrows can set wrong bits above it. */
static inline uint64_t below(uint64_t word, uint8_t bound) { return (word - ones * bound) & ~word & ones * 0x80; }

static inline uint64_t marks(const uint8_t *text) {
  const uint64_t word = load(text);
  return below(word, ' ') | below(word ^ ones * '"', 1) | below(word ^ ones * '\\', 1) | (word & ones * 0x80);
}

static inline uint64_t copy(const uint8_t *text, uint8_t *output) {
  memcpy(output, text, STEP);
  return below(load(text) ^ ones * '\\', 1);
}

assay_json_run assay_json_run_portable(const uint8_t *text, size_t count) {
  assay_json_run run = assay_json_run_steps(text, count, STEP, 8, marks);
  while (run.count < count) {
    const uint8_t character = text[run.count];
    if (character == '\\') {
      const size_t length = assay_json_escape_at(text + run.count, count - run.count).length;
      if (length == 0) break;
      run.has_escapes = true;
      run.count += length;
    } else {
      if (character == '"' || character < ' ' || character >= 0x80) break;
      run.count += 1;
    }
  }
  return run;
}

assay_json_copy assay_json_unescape_portable(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy done = assay_json_unescape_steps(text, count, output, STEP, 8, copy);
  while (done.read < count) {
    const uint8_t character = text[done.read];
    if (character == '\\') {
      const assay_json_escape escape = assay_json_escape_at(text + done.read, count - done.read);
      if (escape.length == 0) break;
      done.read += escape.length;
      done.written += assay_json_encode(escape.scalar, output + done.written);
    } else {
      output[done.written] = character;
      done.read += 1;
      done.written += 1;
    }
  }
  return done;
}
