/* Inverses of many numbers by one inversion (Montgomery's trick), and the entries of tables. */

#ifndef ASSAY_P256_SCALAR_SUMS_H
#define ASSAY_P256_SCALAR_SUMS_H

#include "CP256.h"
#include "inverse.h"
#include "point.h"

/* A table holds j · 2^(8i) · point for 32 positions i and 128 multiples j from 1 on, as CP256.h and comb.h say. */
enum { POSITIONS = 32, MULTIPLES_PER_POSITION = 128 };
_Static_assert(ASSAY_P256_TABLE_SIZE == POSITIONS * MULTIPLES_PER_POSITION * sizeof(affine), "the size of a table");

INLINE affine load_entry(const uint64_t *table, int position, int multiple) {
  const uint64_t *words = table + 8 * (MULTIPLES_PER_POSITION * position + multiple - 1);
  return (affine){f_constant(words), f_constant(words + 4)};
}

INLINE void store_entry(uint64_t *table, int position, int multiple, const affine *entry) {
  memcpy(table + 8 * (MULTIPLES_PER_POSITION * position + multiple - 1), entry, sizeof *entry);
}

/* 1 / a in Montgomery form, for a in Montgomery form; of 0 it is 0. */
INLINE field f_inverse(const field *a) {
  field inverse;
  assay_p256_scalar_invert(inverse.w, a->w, &assay_p256_field_prime);
  const field factor = f_constant(INVERSE_WORDS);
  return f_multiply(&inverse, &factor);
}

#endif
