/* The inverse modulo a prime of a public number. */

#ifndef ASSAY_P256_SCALAR_INVERSE_H
#define ASSAY_P256_SCALAR_INVERSE_H

#include "../words.h"

/* inverse = 1 / words modulo the prime, for words within 0..<prime; of 0 it is 0. Takes a time that depends on the
   number. */
void assay_p256_scalar_invert(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime);

#endif
