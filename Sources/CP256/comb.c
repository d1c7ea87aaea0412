#include "comb.h"

#if defined(ASSAY_P256_COMPILED)

LANES_BEGIN

#if defined(ASSAY_P256_EMULATED)
void assay_p256_transpose(lanes rows[8]) {
  lanes columns[8];
  for (int i = 0; i < 8; i++) {
    for (int j = 0; j < 8; j++) columns[i].v[j] = rows[j].v[i];
  }
  memcpy(rows, columns, sizeof columns);
}
#else
void assay_p256_transpose(lanes rows[8]) {
  lanes pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm512_unpacklo_epi64(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm512_unpackhi_epi64(rows[i], rows[i + 1]);
  }
  /* Words 0 and 4, or 2 and 6, of four rows. */
  for (int i = 0; i < 8; i += 4) {
    for (int j = 0; j < 2; j++) {
      fours[i + j] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + j + 2], 0x88);
      fours[i + j + 2] = _mm512_shuffle_i64x2(pairs[i + j], pairs[i + j + 2], 0xDD);
    }
  }
  for (int j = 0; j < 2; j++) {
    rows[j] = _mm512_shuffle_i64x2(fours[j], fours[4 + j], 0x88);
    rows[4 + j] = _mm512_shuffle_i64x2(fours[j], fours[4 + j], 0xDD);
    rows[2 + j] = _mm512_shuffle_i64x2(fours[2 + j], fours[6 + j], 0x88);
    rows[6 + j] = _mm512_shuffle_i64x2(fours[2 + j], fours[6 + j], 0xDD);
  }
}
#endif

affine assay_p256_comb_load(const comb_term terms[8]) {
  lanes rows[8];
  unsigned negative = 0;
  for (int lane = 0; lane < 8; lane++) {
    rows[lane] = l_load(terms[lane].entry);
    negative |= (unsigned)terms[lane].is_negative << lane;
  }
  assay_p256_transpose(rows);
  affine result = {f_from_words(rows), f_from_words(rows + 4)};
  /* y is not 0, as the order is odd: p - y is below p. */
  result.y = f_select((lane_mask)negative, result.y, f_carry(f_negated(result.y, 1)));
  return result;
}

HOT static void add_terms(extended *sum, const comb_term terms[8]) {
  const affine entry = assay_p256_comb_load(terms);
  *sum = e_add_affine(sum, &entry);
}

/* Has entries of a later step brought near. */
static inline void fetch(const comb_term terms[8]) {
  for (int lane = 0; lane < 8; lane++) __builtin_prefetch(terms[lane].entry);
}

extended assay_p256_comb_sum(const comb_term (*terms)[8], int steps, lane_mask *empty) {
  extended sum = e_from_affine(assay_p256_comb_load(terms[0]));
  unsigned started = 0;
  for (int lane = 0; lane < 8; lane++) started |= (unsigned)!terms[0][lane].is_absent << lane;
  for (int step = 1; step < steps; step++) {
    unsigned present = 0;
    if (step + 2 < steps) fetch(terms[step + 2]);
    for (int lane = 0; lane < 8; lane++) present |= (unsigned)!terms[step][lane].is_absent << lane;
    if (started == 0xFF && present == 0xFF) {
      add_terms(&sum, terms[step]);
      continue;
    }
    const extended first = e_from_affine(assay_p256_comb_load(terms[step]));
    extended both = sum;
    add_terms(&both, terms[step]);
    sum = e_select((lane_mask)(present & started), sum, both);
    sum = e_select((lane_mask)(present & ~started), sum, first);
    started |= present;
  }
  *empty = (lane_mask)~started;
  return sum;
}

LANES_END

#endif
