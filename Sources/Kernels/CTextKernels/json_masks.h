#ifndef ASSAY_CTEXTKERNELS_JSON_MASKS_H
#define ASSAY_CTEXTKERNELS_JSON_MASKS_H

#include "json_escapes.h"

/* The escapes of a block of up to 64 bytes of a JSON string, all at once, for kernels whose vectors classify the bytes of a block. A
   mask has a bit for each byte of the block, the first byte's lowest.

   The bit of its backslash stands for an escape. An escape is taken when it is valid and ends within the block. Where one is not
   taken the block ends, and the next block begins with it; an escape that is not taken at the beginning of a block is invalid, or
   cut off by the end of the text. So no escape runs into a block. */

/* The backslashes that begin an escape: of those in a row, every other from the first. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_begun(uint64_t backslashes) {
  const uint64_t even = 0x5555555555555555, first = backslashes & ~(backslashes << 1);
  /* The sum clears the rows that begin at even places, by a carry to the byte behind them. Of these rows the even places begin
     an escape, of the others the odd places. */
  return backslashes & (even ^ (backslashes + (first & even)));
}

/* The bits below a place, which is less than 64. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_before(size_t place) { return ((uint64_t)1 << place) - 1; }

/* Hexadecimal digits, and those among them that are 0, that are 13, and whose values have the bits of 8 and of 4. In the other masks
   the bits of bytes that are no digits mean nothing. */
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

/* Which of the escapes that have a `u` behind their backslash are taken. */
ASSAY_ALWAYS_INLINE assay_json_units assay_json_units_taken(uint64_t begun, assay_json_digit_masks masks) {
  const uint64_t two = masks.digits & masks.digits >> 1, four = two >> 2 & two >> 4;
  const uint64_t surrogates = four & masks.thirteens >> 2 & masks.eights >> 3, low = surrogates & masks.fours >> 3;
  /* `begun` comes last: kernels know it later than the other masks, and the next block waits for the result. */
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

/* The bytes of escapes of code units that are left out when their last ones hold the UTF-8. */
ASSAY_ALWAYS_INLINE uint64_t assay_json_units_dropped(assay_json_units units, assay_json_lengths lengths) {
  const uint64_t taken = units.taken;
  return taken | taken << 1 | taken << 2 | (taken & ~lengths.three) << 3 | (taken & ~lengths.two_or_more) << 4;
}

#endif
