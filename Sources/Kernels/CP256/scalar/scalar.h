/* The scalar kernel: verification of signatures by signers with tables, one number at a time, in C for every
   architecture. Everything it is given and computes is public: its time depends on it. The functions are those of
   CP256.h without `scalar_`; a table made by any kernel serves all.

   Statuses are DONE and REFUSED: no signature, digest or key is left open. UNSURE is what a machine that computes
   wrongly or a damaged table gets. */

#ifndef ASSAY_P256_SCALAR_H
#define ASSAY_P256_SCALAR_H

#include "CP256.h"

bool assay_p256_scalar_make_table(const uint8_t *point, uint64_t *table);

void assay_p256_scalar_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses);

uint8_t assay_p256_scalar_verify_one(const uint64_t *generator, const assay_p256_signature *signature);

#endif
