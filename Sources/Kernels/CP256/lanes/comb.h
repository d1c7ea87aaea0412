/* Products of points with tables by public scalars, as sums of entries (fixed-base comb). Everything here is public. */

#ifndef ASSAY_P256_COMB_H
#define ASSAY_P256_COMB_H

#include "../signature.h"
#include "point.h"

/* The term that a lane adds in one step. */
typedef struct {
  const uint64_t *entry;
  bool is_negative;
  /* The digit is zero: nothing is added. `entry` is readable all the same. */
  bool is_absent;
} comb_term;

LANES_BEGIN

/* Loads an entry for each lane, and returns the lanes whose term is the negated entry. */
INLINE affine load_terms(const comb_term terms[LANES], lane_mask *is_negative) {
  const uint64_t *entries[LANES];
  lanes words[8];
  unsigned negative = 0;
  for (int lane = 0; lane < LANES; lane++) {
    entries[lane] = terms[lane].entry;
    negative |= (unsigned)terms[lane].is_negative << lane;
  }
  l_load_entries(entries, words);
  *is_negative = l_mask(negative);
  return (affine){f_from_words(words), f_from_words(words + 4)};
}

HOT static void add_terms(extended *sum, const comb_term terms[LANES]) {
  lane_mask is_negative;
  const affine entry = load_terms(terms, &is_negative);
  e_add_affine(sum, &entry, is_negative);
}

NOINLINE static void start_sum(extended *sum, const comb_term terms[LANES]) {
  lane_mask is_negative;
  affine entry = load_terms(terms, &is_negative);
  /* y is not 0, as the order is odd: p - y is below p. */
  entry.y = f_select(is_negative, entry.y, f_carry(f_negated(entry.y, 1)));
  *sum = e_from_affine(&entry);
}

/* The lanes that have a term. */
static inline unsigned present_terms(const comb_term terms[LANES]) {
  unsigned present = 0;
  for (int lane = 0; lane < LANES; lane++) present |= (unsigned)!terms[lane].is_absent << lane;
  return present;
}

/* Prefetches the entries of a later step. */
static inline void fetch(const comb_term terms[LANES]) {
  for (int lane = 0; lane < LANES; lane++) __builtin_prefetch(terms[lane].entry);
}

/* Replaces the lanes of the mask by those of `other`. */
NOINLINE static void replace_lanes(extended *sum, unsigned mask, const extended *other) {
  *sum = e_select(l_mask(mask), *sum, *other);
}

/* Computes the sum of each lane's terms; returns the lanes without terms. An addition that the formulas do not cover
   makes ZZ zero. Branches on the digits, which are public. */
NOINLINE static unsigned comb_sum(extended *sum, const comb_term (*terms)[LANES], int steps) {
  start_sum(sum, terms[0]);
  unsigned started = present_terms(terms[0]);
  for (int step = 1; step < steps; step++) {
    if (step + 2 < steps) fetch(terms[step + 2]);
    const unsigned present = present_terms(terms[step]);
    if (started == ALL_LANES && present == ALL_LANES) {
      add_terms(sum, terms[step]);
      continue;
    }
    extended first, both = *sum;
    start_sum(&first, terms[step]);
    add_terms(&both, terms[step]);
    replace_lanes(sum, present & started, &both);
    replace_lanes(sum, present & ~started, &first);
    started |= present;
  }
  return ALL_LANES & ~started;
}

LANES_END

#endif
