/* Sums of entries of tables: the products of known points by public scalars. Everything here is public. */

#ifndef ASSAY_P256_COMB_H
#define ASSAY_P256_COMB_H

#include "CP256.h"
#include "point.h"

/* A table holds j · 2^(8i) · point for 32 positions i and 128 multiples j from 1 on: x and y in Montgomery's form,
   below p, four words of 64 bits each. */
enum { POSITIONS = 32, MULTIPLES_PER_POSITION = 128, ENTRY_WORDS = 8 };
_Static_assert(ASSAY_P256_TABLE_SIZE == POSITIONS * MULTIPLES_PER_POSITION * ENTRY_WORDS * 8, "the size of a table");

#if defined(ASSAY_P256_COMPILED)

/* What a lane adds in one step. */
typedef struct {
  const uint64_t *entry;
  bool is_negative;
  /* The digit is zero: nothing is added, though `entry` can be read. */
  bool is_absent;
} comb_term;

LANES_BEGIN

static inline const uint64_t *comb_entry(const uint64_t *table, int position, int multiple) {
  return table + ENTRY_WORDS * (MULTIPLES_PER_POSITION * position + multiple - 1);
}

/* Word i of row j to word j of row i. */
void assay_p256_transpose(lanes rows[8]);

/* Eight entries, one a lane. */
affine assay_p256_comb_load(const comb_term terms[8]);

/* The sum of each lane's terms; the lanes in which there was none are set in `empty`. An addition that the formulas do
   not cover leaves ZZ zero. */
extended assay_p256_comb_sum(const comb_term (*terms)[8], int steps, lane_mask *empty);

LANES_END
#endif

#endif
