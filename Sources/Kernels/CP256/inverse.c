#include "words.h"

#include "constants.h"

/* Modular inverses by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion",
   2019).

   A step on (delta, f, g), f odd:
     delta > 0 and g odd   (1 - delta, g, (g - f) / 2)
     else                  (1 + delta, f, (g + (g mod 2) · f) / 2)
   At first f is the prime and g the number. A round computes its steps from the lowest limbs of f and g, which
   determine up to 62 steps. Their product is a matrix, each row of which has absolute values that sum to at most 2^62;
   it is then applied to f and g (exactly) and to d and e (modulo the prime). Invariant: f = d · number and
   g = e · number modulo the prime. When g is 0, f is 1 or -1.

   Bounds. |f|, |g| < 2^256 throughout: steps do not make the larger of the two grow. d and e are within
   (-2 · prime, prime): see apply_modulo. Long numbers are five limbs of 62 bits, the top one signed; sums of two
   products of a limb below 2^62 and an entry, and of a third product with a multiple above -2^63, are below 2^126. */

#define INLINE static inline __attribute__((always_inline))

#define MASK62 ((int64_t)(UINT64_MAX >> 2))

const prime62 assay_p256_field_prime = {P_LIMBS_62, P_INVERSE_62};
const prime62 assay_p256_order_prime = {N_LIMBS_62, N_INVERSE_62};

typedef __int128 int128;

/* The matrix of a round: (u·f + v·g, q·f + r·g) is 2^62 times the (f, g) after its steps. */
typedef struct {
  int64_t u, v, q, r;
} matrix;

/* (f, g) = matrix · (f, g) / 2^62, exactly; both have `count` limbs. */
INLINE void apply(int64_t *f, int64_t *g, const matrix *m, int count) {
  int128 sum_f = ((int128)m->u * f[0] + (int128)m->v * g[0]) >> 62;
  int128 sum_g = ((int128)m->q * f[0] + (int128)m->r * g[0]) >> 62;
  for (int i = 1; i < count; i++) {
    sum_f += (int128)m->u * f[i] + (int128)m->v * g[i];
    sum_g += (int128)m->q * f[i] + (int128)m->r * g[i];
    f[i - 1] = (int64_t)sum_f & MASK62;
    g[i - 1] = (int64_t)sum_g & MASK62;
    sum_f >>= 62;
    sum_g >>= 62;
  }
  f[count - 1] = (int64_t)sum_f;
  g[count - 1] = (int64_t)sum_g;
}

/* (d, e) = matrix · (d, e) / 2^62 modulo the prime. A row of the matrix has |u| + |v| of at most 2^62, so that numbers
   within (-prime, prime) stay there. Negative numbers get there by adding the prime. Clearing the lowest limb subtracts
   less than 2^62 primes, so the result is within (-2 · prime, prime). */
INLINE void apply_modulo(int64_t d[5], int64_t e[5], const matrix *m, const prime62 *prime) {
  const int64_t *p = prime->limbs;
  const int64_t d_sign = d[4] >> 63, e_sign = e[4] >> 63;
  int64_t multiple_d = (m->u & d_sign) + (m->v & e_sign);
  int64_t multiple_e = (m->q & d_sign) + (m->r & e_sign);
  int128 sum_d = (int128)m->u * d[0] + (int128)m->v * e[0];
  int128 sum_e = (int128)m->q * d[0] + (int128)m->r * e[0];
  multiple_d -= (int64_t)((prime->inverse * (uint64_t)sum_d + (uint64_t)multiple_d) & (uint64_t)MASK62);
  multiple_e -= (int64_t)((prime->inverse * (uint64_t)sum_e + (uint64_t)multiple_e) & (uint64_t)MASK62);
  sum_d = (sum_d + (int128)p[0] * multiple_d) >> 62;
  sum_e = (sum_e + (int128)p[0] * multiple_e) >> 62;
  for (int i = 1; i < 5; i++) {
    sum_d += (int128)m->u * d[i] + (int128)m->v * e[i] + (int128)p[i] * multiple_d;
    sum_e += (int128)m->q * d[i] + (int128)m->r * e[i] + (int128)p[i] * multiple_e;
    d[i - 1] = (int64_t)sum_d & MASK62;
    e[i - 1] = (int64_t)sum_e & MASK62;
    sum_d >>= 62;
    sum_e >>= 62;
  }
  d[4] = (int64_t)sum_d;
  e[4] = (int64_t)sum_e;
}

/* Brings all limbs except the top one within 0..<2^62. */
INLINE void carry(int64_t limbs[5]) {
  for (int i = 0; i < 4; i++) {
    limbs[i + 1] += limbs[i] >> 62;
    limbs[i] &= MASK62;
  }
}

/* The residue within 0..<prime of a number within (-2 · prime, prime), negated where `sign` is -1 rather than 0. */
INLINE void normalize(int64_t d[5], int64_t sign, const prime62 *prime) {
  int64_t negative = d[4] >> 63;
  for (int i = 0; i < 5; i++) d[i] = ((d[i] + (prime->limbs[i] & negative)) ^ sign) - sign;
  carry(d);
  negative = d[4] >> 63;
  for (int i = 0; i < 5; i++) d[i] += prime->limbs[i] & negative;
  carry(d);
}

INLINE void to_limbs(int64_t limbs[5], const uint64_t words[4]) {
  limbs[0] = (int64_t)(words[0] & (uint64_t)MASK62);
  limbs[1] = (int64_t)((words[0] >> 62 | words[1] << 2) & (uint64_t)MASK62);
  limbs[2] = (int64_t)((words[1] >> 60 | words[2] << 4) & (uint64_t)MASK62);
  limbs[3] = (int64_t)((words[2] >> 58 | words[3] << 6) & (uint64_t)MASK62);
  limbs[4] = (int64_t)(words[3] >> 56);
}

INLINE void to_words(uint64_t words[4], const int64_t limbs[5]) {
  const uint64_t *l = (const uint64_t *)limbs;
  words[0] = l[0] | l[1] << 62;
  words[1] = l[1] >> 2 | l[2] << 60;
  words[2] = l[2] >> 4 | l[3] << 58;
  words[3] = l[3] >> 6 | l[4] << 56;
}

/* In constant time, with delta starting at 1/2: 590 steps suffice for 256 bits (Docs/Proofs.md), ten rounds of 59. */
enum { ROUNDS = 10, STEPS = 59 };

/* Takes STEPS steps; zeta = -(delta + 1/2). */
INLINE int64_t steps(int64_t zeta, uint64_t f, uint64_t g, matrix *result) {
  /* 8 = 2^(62 - STEPS). */
  uint64_t u = 8, v = 0, q = 0, r = 8;
  for (int i = 0; i < STEPS; i++) {
    uint64_t swaps = (uint64_t)(zeta >> 63);
    const uint64_t odd = -(g & 1);
    /* g + f, or g - f where the roles change, if g is odd. */
    g += ((f ^ swaps) - swaps) & odd;
    q += ((u ^ swaps) - swaps) & odd;
    r += ((v ^ swaps) - swaps) & odd;
    swaps &= odd;
    zeta = (zeta ^ (int64_t)swaps) - 1;
    f += g & swaps;
    u += q & swaps;
    v += r & swaps;
    g >>= 1;
    u <<= 1;
    v <<= 1;
  }
  *result = (matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
  return zeta;
}

void assay_p256_invert(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime) {
  int64_t f[5], g[5], d[5] = {0}, e[5] = {1};
  memcpy(f, prime->limbs, sizeof f);
  to_limbs(g, words);
  int64_t zeta = -1;
  for (int i = 0; i < ROUNDS; i++) {
    matrix m;
    zeta = steps(zeta, (uint64_t)f[0], (uint64_t)g[0], &m);
    apply_modulo(d, e, &m, prime);
    apply(f, g, &m, 5);
  }
  /* f is now 1 or -1, and d is f over the number; for the number 0, d is 0. */
  normalize(d, f[4] >> 63, prime);
  to_words(inverse, d);
}

/* In variable time, with delta starting at 1: trailing zeros of g are shifted out together, up to six bits of an odd g
   are cleared by one multiple of f (Wuille, "safegcd-bounded implementation notes", libsecp256k1, 2021), and the loop
   ends when g is 0: after at most 724 steps, in twelve rounds. */
enum { PUBLIC_STEPS = 62 };

/* Takes PUBLIC_STEPS steps; returns the new delta. */
INLINE int64_t public_steps(int64_t delta, uint64_t f, uint64_t g, matrix *result) {
  uint64_t u = 1, v = 0, q = 0, r = 1;
  int left = PUBLIC_STEPS;
  for (;;) {
    /* Steps on an even g halve it; instead of halving the matrix, the unchanged row is doubled. */
    const int zeros = __builtin_ctzll(g | UINT64_MAX << left);
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    delta += zeros;
    left -= zeros;
    if (left == 0) break;
    if (delta > 0) {
      const uint64_t old_f = f, old_u = u, old_v = v;
      delta = -delta;
      f = g;
      u = q;
      v = r;
      g = -old_f;
      q = -old_u;
      r = -old_v;
    }
    /* f and g do not swap again for 1 - delta steps, in which multiples of f clear the lowest bits of g. With
       f² = 1 modulo 8, f · (f² - 2) is -1/f modulo 64. */
    const int64_t same = 1 - delta;
    const int bits = same < left ? (int)same : left;
    const uint64_t multiple = g * f * (f * f - 2) & UINT64_MAX >> (64 - bits) & 63;
    g += f * multiple;
    q += u * multiple;
    r += v * multiple;
  }
  *result = (matrix){(int64_t)u, (int64_t)v, (int64_t)q, (int64_t)r};
  return delta;
}

static bool is_zero(const int64_t *limbs, int count) {
  int64_t all = 0;
  for (int i = 0; i < count; i++) all |= limbs[i];
  return all == 0;
}

void assay_p256_invert_public(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime) {
  int64_t f[5], g[5], d[5] = {0}, e[5] = {1};
  memcpy(f, prime->limbs, sizeof f);
  to_limbs(g, words);
  int64_t delta = 1;
  int count = 5;
  while (!is_zero(g, count)) {
    matrix m;
    delta = public_steps(delta, (uint64_t)f[0], (uint64_t)g[0], &m);
    apply_modulo(d, e, &m, prime);
    apply(f, g, &m, count);
    /* A top limb that contains only the sign is merged into the one below. */
    const int64_t top_f = f[count - 1], top_g = g[count - 1];
    if (count > 2 && (top_f ^ top_f >> 63) == 0 && (top_g ^ top_g >> 63) == 0) {
      f[count - 2] |= (int64_t)((uint64_t)top_f << 62);
      g[count - 2] |= (int64_t)((uint64_t)top_g << 62);
      count--;
    }
  }
  normalize(d, f[count - 1] >> 63, prime);
  to_words(inverse, d);
}
