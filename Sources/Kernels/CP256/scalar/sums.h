/* Inverses of many numbers by one inversion (Montgomery's trick), and the entries of tables. */

#ifndef ASSAY_P256_SCALAR_SUMS_H
#define ASSAY_P256_SCALAR_SUMS_H

#include "../signature.h"
#include "point.h"

_Static_assert(sizeof(affine) == ENTRY_WORDS * sizeof(uint64_t), "an entry of a table");

INLINE affine load_entry(const uint64_t *table, int position, int multiple) {
  const uint64_t *words = table + entry_offset(position, multiple);
  return (affine){f_constant(words), f_constant(words + 4)};
}

INLINE void store_entry(uint64_t *table, int position, int multiple, const affine *entry) {
  memcpy(table + entry_offset(position, multiple), entry, sizeof *entry);
}

/* 1 / a in Montgomery form, for a in Montgomery form; of 0 it is 0. */
INLINE field f_inverse(const field *a) {
  field inverse;
  assay_p256_invert_public(inverse.w, a->w, &assay_p256_field_prime);
  const field factor = f_constant(INVERSE_WORDS);
  return f_multiply(&inverse, &factor);
}

#endif
