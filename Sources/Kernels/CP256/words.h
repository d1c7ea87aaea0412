/* Numbers of four words of 64 bits, the lowest first, in plain C, for operations that occur once per lane or batch. No
   branch and no address depends on a value (Scripts/check-secrecy), except in functions named public. */

#ifndef ASSAY_P256_WORDS_H
#define ASSAY_P256_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 uint128;

/* Reads 32 bytes, big-endian. */
static inline void w_read(uint64_t words[4], const uint8_t *bytes) {
  for (int i = 0; i < 4; i++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * (3 - i), sizeof word);
    words[i] = __builtin_bswap64(word);
  }
}

/* Writes 32 bytes, big-endian. */
static inline void w_write(uint8_t *bytes, const uint64_t words[4]) {
  for (int i = 0; i < 4; i++) {
    const uint64_t word = __builtin_bswap64(words[i]);
    memcpy(bytes + 8 * (3 - i), &word, sizeof word);
  }
}

/* difference = a - b modulo 2^256; returns the borrow, 0 or 1. */
static inline uint64_t w_subtract(uint64_t difference[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; i++) {
    const uint128 word = (uint128)a[i] - b[i] - borrow;
    difference[i] = (uint64_t)word;
    borrow = (uint64_t)(word >> 64) & 1;
  }
  return borrow;
}

/* words = choice ? other : words; the choice is 0 or 1. */
static inline void w_choose(uint64_t words[4], uint64_t choice, const uint64_t other[4]) {
  for (int i = 0; i < 4; i++) words[i] ^= (words[i] ^ other[i]) & -choice;
}

static inline bool w_is_below(const uint64_t a[4], const uint64_t b[4]) {
  uint64_t difference[4];
  return w_subtract(difference, a, b) == 1;
}

static inline bool w_is_zero(const uint64_t a[4]) { return (a[0] | a[1] | a[2] | a[3]) == 0; }

/* A prime of 256 bits to invert by. */
typedef struct {
  /* Limbs of 62 bits, the lowest first. */
  int64_t limbs[5];
  /* 1 / prime modulo 2^62. */
  uint64_t inverse;
} prime62;

extern const prime62 assay_p256_field_prime, assay_p256_order_prime;

/* inverse = 1 / words modulo the prime, for words within 0..<prime; of 0 it is 0. */
void assay_p256_invert(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime);

/* The same for a public number, in variable time, which is shorter. */
void assay_p256_invert_public(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime);

#endif
