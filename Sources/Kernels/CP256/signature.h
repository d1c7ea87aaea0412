/* The steps of verification before points are added, which all kernels share, and the format of tables. Everything here
   is public. */

#ifndef ASSAY_P256_SIGNATURE_H
#define ASSAY_P256_SIGNATURE_H

#include "CP256.h"
#include "words.h"

/* The format of a table; see assay_p256_make_table. */
enum { POSITIONS = 32, MULTIPLES_PER_POSITION = 128, ENTRY_WORDS = 8 };
_Static_assert(ASSAY_P256_TABLE_SIZE == POSITIONS * MULTIPLES_PER_POSITION * ENTRY_WORDS * 8, "the size of a table");

/* The index of the first word of an entry. */
static inline size_t entry_offset(int position, int multiple) {
  return (size_t)(ENTRY_WORDS * (MULTIPLES_PER_POSITION * position + multiple - 1));
}

/* A signature in numbers below n. */
typedef struct {
  uint64_t r[4], s[4], digest[4];
  /* 1/s · 2^256. */
  uint64_t inverse[4];
} signature_numbers;

/* Sets r, s and the digest modulo n. Returns false if r or s is out of range: then s is set to 1, so that it can be
   inverted together with those of other signatures. */
bool assay_p256_read_signature(signature_numbers *result, const assay_p256_signature *signature);

/* Sets the inverses of `count` signatures, 1...64, by one inversion. */
void assay_p256_invert_signatures(signature_numbers *signatures, size_t count);

/* Sets the digits of u1 = e / s, followed by those of u2 = r / s. A scalar, brought below n/2 by a change of sign, is
   the sum of 32 digits within -128...128 times powers of 256. Returns false if 1/s is wrong, which indicates a hardware
   fault. */
bool assay_p256_split_signature(const signature_numbers *signature, int16_t digits[2 * POSITIONS]);

#endif
