/* Base64 by four tables, one for each character of a group. An entry is the sextet shifted into place, so three ORs
   yield the 24 bits of a group. The highest byte of an entry is set for a character outside the alphabet, so one OR
   over all groups detects errors. The tables take 4 kB. */

#include "../kernels.h"

#include <string.h>

#define INVALID 0x80000000u
#define SEXTET(c)                                                                                                      \
  ((c) >= 'A' && (c) <= 'Z'   ? (c) - 'A'                                                                              \
   : (c) >= 'a' && (c) <= 'z' ? (c) - 'a' + 26                                                                         \
   : (c) >= '0' && (c) <= '9' ? (c) - '0' + 52                                                                         \
   : (c) == '+'               ? 62                                                                                     \
   : (c) == '/'               ? 63                                                                                     \
                              : 64)

/* Bits of a group's three bytes, the first byte lowest, by the position of the character. */
#define FIRST(s) ((s) << 2)
#define SECOND(s) ((s) >> 4 | ((s) & 0x0Fu) << 12)
#define THIRD(s) ((s) >> 2 << 8 | ((s) & 0x03u) << 22)
#define FOURTH(s) ((s) << 16)

#define ENTRY(place, c) (SEXTET(c) == 64 ? INVALID : place((uint32_t)SEXTET(c)))
#define ENTRIES4(place, c) ENTRY(place, c), ENTRY(place, (c) + 1), ENTRY(place, (c) + 2), ENTRY(place, (c) + 3)
#define ENTRIES16(place, c)                                                                                            \
  ENTRIES4(place, c), ENTRIES4(place, (c) + 4), ENTRIES4(place, (c) + 8), ENTRIES4(place, (c) + 12)
#define ENTRIES64(place, c)                                                                                            \
  ENTRIES16(place, c), ENTRIES16(place, (c) + 16), ENTRIES16(place, (c) + 32), ENTRIES16(place, (c) + 48)
#define ENTRIES256(place) ENTRIES64(place, 0), ENTRIES64(place, 64), ENTRIES64(place, 128), ENTRIES64(place, 192)

static const uint32_t first[256] = {ENTRIES256(FIRST)};
static const uint32_t second[256] = {ENTRIES256(SECOND)};
static const uint32_t third[256] = {ENTRIES256(THIRD)};
static const uint32_t fourth[256] = {ENTRIES256(FOURTH)};

static inline uint32_t group(const uint8_t *text) {
  return first[text[0]] | second[text[1]] | third[text[2]] | fourth[text[3]];
}

/* Writes four bytes, of which the first three belong to the group. */
static inline void store4(uint32_t bytes, uint8_t *output) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  bytes = __builtin_bswap32(bytes);
#endif
  memcpy(output, &bytes, sizeof bytes);
}

bool assay_base64_decode_portable(const uint8_t *text, size_t count, uint8_t *output) {
  uint32_t errors = 0;
  /* While another group follows, the fourth byte is inside the output, and the next group overwrites it. */
  while (count >= 20) {
    const uint32_t a = group(text), b = group(text + 4), c = group(text + 8), d = group(text + 12);
    errors |= a | b | c | d;
    store4(a, output);
    store4(b, output + 3);
    store4(c, output + 6);
    store4(d, output + 9);
    text += 16;
    output += 12;
    count -= 16;
  }
  while (count >= 4) {
    const uint32_t bytes = group(text);
    errors |= bytes;
    output[0] = (uint8_t)bytes;
    output[1] = (uint8_t)(bytes >> 8);
    output[2] = (uint8_t)(bytes >> 16);
    text += 4;
    output += 3;
    count -= 4;
  }
  return (errors & INVALID) == 0;
}
