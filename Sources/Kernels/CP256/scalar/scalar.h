/* The scalar kernel: verification of signatures by signers with tables, one number at a time, in C for every
   architecture, and the tables that all kernels verify with. Everything it is given and computes is public: its time
   depends on it. The functions are those of CP256.h without `scalar_`.

   Every signature is decided as DONE or REFUSED. UNSURE indicates a hardware fault or a damaged table. */

#ifndef ASSAY_P256_SCALAR_H
#define ASSAY_P256_SCALAR_H

#include "../signature.h"
#include "point.h"

void assay_p256_scalar_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses);

uint8_t assay_p256_scalar_verify_one(const uint64_t *generator, const assay_p256_signature *signature);

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
