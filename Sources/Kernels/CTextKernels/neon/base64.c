/* Base64, 64 characters per step: the load separates the first, second, third and fourth characters of 16 groups into
   registers, two lookups of 64 entries yield their sextets, shifts join the bytes, and the store interleaves them
   again. */

#include "../kernels.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include "../base64_values.h"

static inline uint8x16_t sextets(uint8x16x4_t low, uint8x16x4_t high, uint8x16_t characters, uint8x16_t *errors) {
  /* The first lookup yields zero for characters from 64 on; the second replaces those of 64 to 127. Characters beyond
     ASCII yield zero, and are detected by their own highest bit. */
  const uint8x16_t first = vqtbl4q_u8(low, characters);
  const uint8x16_t both = vqtbx4q_u8(first, high, vsubq_u8(characters, vdupq_n_u8(64)));
  *errors = vorrq_u8(*errors, vorrq_u8(characters, both));
  return both;
}

/* Decodes 64 characters into exactly 48 bytes. */
static inline void decode(
    uint8x16x4_t low, uint8x16x4_t high, const uint8_t *text, uint8_t *output, uint8x16_t *errors) {
  const uint8x16x4_t groups = vld4q_u8(text);
  const uint8x16_t a = sextets(low, high, groups.val[0], errors), b = sextets(low, high, groups.val[1], errors);
  const uint8x16_t c = sextets(low, high, groups.val[2], errors), d = sextets(low, high, groups.val[3], errors);
  const uint8x16x3_t bytes = {{
      vorrq_u8(vshlq_n_u8(a, 2), vshrq_n_u8(b, 4)),
      vorrq_u8(vshlq_n_u8(b, 4), vshrq_n_u8(c, 2)),
      vorrq_u8(vshlq_n_u8(c, 6), d),
  }};
  vst3q_u8(output, bytes);
}

bool assay_base64_decode_neon(const uint8_t *text, size_t count, uint8_t *output) {
  if (count < 64) return assay_base64_decode_portable(text, count, output);
  const uint8x16x4_t low = vld1q_u8_x4(assay_base64_values), high = vld1q_u8_x4(assay_base64_values + 64);
  uint8x16_t errors = vdupq_n_u8(0);
  size_t read = 0;
  while (count - read >= 64) {
    decode(low, high, text + read, output + read / 4 * 3, &errors);
    read += 64;
  }
  /* The last 64 characters, some of them again. */
  if (read < count) decode(low, high, text + count - 64, output + (count - 64) / 4 * 3, &errors);
  return vmaxvq_u8(errors) < 0x80;
}

#endif
