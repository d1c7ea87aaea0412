#ifndef ASSAY_CTEXTKERNELS_JSON_ESCAPES_H
#define ASSAY_CTEXTKERNELS_JSON_ESCAPES_H

#include "kernels.h"

/* Escapes of JSON strings (RFC 8259 section 7), and the UTF-8 of their scalar values. */

#define ASSAY_ALWAYS_INLINE static inline __attribute__((always_inline))

/* The character of an escape of two bytes, by its second byte; zero if there is no such escape. */
static const uint8_t assay_json_contents[256] __attribute__((aligned(64))) = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', ['b'] = '\b', ['f'] = '\f', ['n'] = '\n', ['r'] = '\r', ['t'] = '\t',
};

/* The values of hexadecimal digits of either case, plus 0x10; zero for all other characters. */
static const uint8_t assay_json_digits[256] __attribute__((aligned(64))) = {
    ['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15, ['6'] = 0x16, ['7'] = 0x17,
    ['8'] = 0x18, ['9'] = 0x19, ['A'] = 0x1A, ['B'] = 0x1B, ['C'] = 0x1C, ['D'] = 0x1D, ['E'] = 0x1E, ['F'] = 0x1F,
    ['a'] = 0x1A, ['b'] = 0x1B, ['c'] = 0x1C, ['d'] = 0x1D, ['e'] = 0x1E, ['f'] = 0x1F,
};

/* Reads a code unit, \u and four digits, at the beginning of a text. */
ASSAY_ALWAYS_INLINE bool assay_json_code_unit(const uint8_t *text, size_t count, uint32_t *unit) {
  if (count < 6 || text[0] != '\\' || text[1] != 'u') return false;
  const uint32_t first = assay_json_digits[text[2]], second = assay_json_digits[text[3]];
  const uint32_t third = assay_json_digits[text[4]], fourth = assay_json_digits[text[5]];
  *unit = (first & 0xF) << 12 | (second & 0xF) << 8 | (third & 0xF) << 4 | (fourth & 0xF);
  return (first & second & third & fourth) >= 0x10;
}

/* Reads the escape at the beginning of a text, whose first byte is a backslash. */
ASSAY_ALWAYS_INLINE assay_json_escape assay_json_escape_at(const uint8_t *text, size_t count) {
  const assay_json_escape none = {0, 0};
  if (count < 2) return none;
  const uint8_t meant = assay_json_contents[text[1]];
  if (meant != 0) return (assay_json_escape){2, meant};
  uint32_t unit, low;
  if (!assay_json_code_unit(text, count, &unit)) return none;
  if ((unit & 0xF800) != 0xD800) return (assay_json_escape){6, unit};
  /* Surrogates are valid only in pairs, high before low. */
  if (unit >= 0xDC00 || !assay_json_code_unit(text + 6, count - 6, &low) || (low & 0xFC00) != 0xDC00) return none;
  return (assay_json_escape){12, 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF)};
}

/* Writes a scalar value in UTF-8 and returns the number of bytes, 1 to 4, never more than its escape has. */
ASSAY_ALWAYS_INLINE size_t assay_json_encode(uint32_t scalar, uint8_t *output) {
  if (scalar < 0x80) {
    output[0] = (uint8_t)scalar;
    return 1;
  }
  const uint8_t last = (uint8_t)(0x80 | (scalar & 0x3F)), third = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
  if (scalar < 0x800) {
    output[0] = (uint8_t)(0xC0 | scalar >> 6);
    output[1] = last;
    return 2;
  }
  if (scalar < 0x10000) {
    output[0] = (uint8_t)(0xE0 | scalar >> 12);
    output[1] = third;
    output[2] = last;
    return 3;
  }
  output[0] = (uint8_t)(0xF0 | scalar >> 18);
  output[1] = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
  output[2] = third;
  output[3] = last;
  return 4;
}

#endif
