/* The contract of CTextKernels.h as code that reads one byte at a time. */

#include "CTextKernels.h"

#include <string.h>

static int sextet(uint8_t c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

static bool specified_base64(const uint8_t *text, size_t count, uint8_t *output) {
  for (size_t i = 0; i < count; i += 4) {
    uint32_t group = 0;
    for (size_t j = i; j < i + 4; j++) {
      if (sextet(text[j]) < 0) return false;
      group = group << 6 | (uint32_t)sextet(text[j]);
    }
    for (int j = 0; j < 3; j++) *output++ = (uint8_t)(group >> (16 - 8 * j));
  }
  return true;
}

/* The code unit of \u and four digits; -1 if a text does not begin with them. */
static long code_unit(const uint8_t *text, size_t count) {
  static const char digits[] = "0123456789abcdefABCDEF";
  if (count < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  long unit = 0;
  for (int i = 2; i < 6; i++) {
    const char *place = text[i] == 0 ? NULL : strchr(digits, text[i]);
    if (place == NULL) return -1;
    unit = 16 * unit + (place - digits < 16 ? place - digits : place - digits - 6);
  }
  return unit;
}

/* The length of the escape that a text begins with (RFC 8259 section 7), or 0; sets the scalar that it stands for. */
static size_t escape(const uint8_t *text, size_t count, unsigned long *scalar) {
  static const char written[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (count < 2) return 0;
  const char *place = text[1] == 0 ? NULL : strchr(written, text[1]);
  if (place != NULL) {
    *scalar = (unsigned char)meant[place - written];
    return 2;
  }
  const long unit = code_unit(text, count);
  if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return 0;
  *scalar = (unsigned long)unit;
  if (unit < 0xD800 || unit >= 0xE000) return 6;
  const long low = code_unit(text + 6, count - 6);
  if (low < 0xDC00 || low >= 0xE000) return 0;
  *scalar = 0x10000 + 0x400 * (unsigned long)(unit - 0xD800) + (unsigned long)(low - 0xDC00);
  return 12;
}

/* Writes a scalar in UTF-8 (RFC 3629 section 3), and returns the number of bytes. */
static size_t encode(unsigned long scalar, uint8_t *output) {
  const size_t count = scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4;
  static const uint8_t leads[] = {0x00, 0x00, 0xC0, 0xE0, 0xF0};
  for (size_t i = count - 1; i > 0; i--) {
    output[i] = (uint8_t)(0x80 + scalar % 0x40);
    scalar /= 0x40;
  }
  output[0] = (uint8_t)(leads[count] + scalar);
  return count;
}

static assay_json_run specified_run(const uint8_t *text, size_t count) {
  assay_json_run run = {0, false};
  while (run.count < count) {
    const uint8_t c = text[run.count];
    if (c == '"' || c < 0x20 || c > 0x7F) break;
    size_t length = 1;
    if (c == '\\') {
      unsigned long scalar;
      length = escape(text + run.count, count - run.count, &scalar);
      if (length == 0) break;
      run.has_escapes = true;
    }
    run.count += length;
  }
  return run;
}

static assay_json_copy specified_copy(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy copy = {0, 0};
  while (copy.read < count) {
    if (text[copy.read] != '\\') {
      output[copy.written++] = text[copy.read++];
      continue;
    }
    unsigned long scalar;
    const size_t length = escape(text + copy.read, count - copy.read, &scalar);
    if (length == 0) break;
    copy.read += length;
    copy.written += encode(scalar, output + copy.written);
  }
  return copy;
}
