#ifndef ASSAY_CTEXTKERNELS_JSON_MASKS_H
#define ASSAY_CTEXTKERNELS_JSON_MASKS_H

#include "json_escapes.h"

/* Finds all escapes of a block of up to 64 bytes of a JSON string at once, by bit operations, for kernels that classify
   the bytes of a block with vectors. A mask has a bit for each byte of the block, the lowest for the first byte.

   An escape is represented by the bit of its backslash. It is taken if it is valid and ends within the block. Otherwise
   the block ends before it, and the next block begins with it. An escape at the beginning of a block that is not taken
   is invalid or cut off by the end of the text. So no escape crosses the beginning of a block. */

/* The backslashes that begin an escape: every other one of a run, from its first. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_begun(uint64_t backslashes) {
  const uint64_t even = 0x5555555555555555, first = backslashes & ~(backslashes << 1);
  /* The sum clears the runs that begin at even places, by a carry to the byte after them. In these runs the even places
     begin an escape, in the others the odd places. */
  return backslashes & (even ^ (backslashes + (first & even)));
}

/* The bits below a place, which is less than 64. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_before(size_t place) { return ((uint64_t)1 << place) - 1; }

/* The hexadecimal digits, and those of value 0, of value 13, and with the bits 8 and 4. In the latter masks the bits of
   other characters are undefined. */
typedef struct {
  uint64_t digits;
  uint64_t zeros;
  uint64_t thirteens;
  uint64_t eights;
  uint64_t fours;
} assay_json_digit_masks;

/* The escapes of code units that are taken: \u and four digits. */
typedef struct {
  uint64_t taken;
  /* Those of a surrogate pair: the high surrogates, and the low ones, six bytes later. */
  uint64_t high;
  uint64_t low;
} assay_json_units;

/* The taken ones among the escapes with a `u` after the backslash. */
ASSAY_ALWAYS_INLINE assay_json_units assay_json_units_taken(uint64_t begun, assay_json_digit_masks masks) {
  const uint64_t two = masks.digits & masks.digits >> 1, four = two >> 2 & two >> 4;
  const uint64_t surrogates = four & masks.thirteens >> 2 & masks.eights >> 3, low = surrogates & masks.fours >> 3;
  /* `begun` is used last: kernels compute it after the other masks, and the next block depends on the result. */
  const uint64_t paired = begun & begun >> 6 & (surrogates & ~low & low >> 6);
  const uint64_t alone = begun & (four & ~surrogates);
  return (assay_json_units){alone | paired | paired << 6, paired, paired << 6};
}

/* The lengths of code units in UTF-8. */
typedef struct {
  /* Two bytes or more. Each surrogate of a pair counts as two of the four bytes. */
  uint64_t two_or_more;
  uint64_t three;
} assay_json_lengths;

ASSAY_ALWAYS_INLINE assay_json_lengths assay_json_unit_lengths(assay_json_units units, assay_json_digit_masks masks) {
  const uint64_t from_0x800 = ~(masks.zeros >> 2) | masks.eights >> 3;
  const uint64_t from_0x80 = from_0x800 | ~(masks.zeros >> 3) | masks.eights >> 4;
  return (assay_json_lengths){units.taken & from_0x80, units.taken & from_0x800 & ~(units.high | units.low)};
}

/* The bytes of code unit escapes to drop. The UTF-8 is in their last bytes. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_units_dropped(assay_json_units units, assay_json_lengths lengths) {
  const uint64_t taken = units.taken;
  return taken | taken << 1 | taken << 2 | (taken & ~lengths.three) << 3 | (taken & ~lengths.two_or_more) << 4;
}

#endif
