#include "words.h"

#include "constants.h"

/* The inverse by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion",
   2019), with delta starting at 1/2: 590 steps suffice for 256 bits. Ten rounds of 59 steps on the lowest words give
   ten matrices, by which the long numbers are multiplied. */
enum { ROUNDS = 10, STEPS = 59 };

#define MASK62 ((int64_t)(UINT64_MAX >> 2))

const prime62 assay_p256_field_prime = {P_LIMBS_62, P_INVERSE_62};
const prime62 assay_p256_order_prime = {N_LIMBS_62, N_INVERSE_62};

typedef __int128 int128;

/* 2^62 times what takes (f, g) to the pair after the steps: their new values are (u·f + v·g, q·f + r·g) / 2^62. */
typedef struct {
  int64_t u, v, q, r;
} matrix;

/* Takes STEPS steps on the lowest words of f and g; zeta = -(delta + 1/2). */
static int64_t steps(int64_t zeta, uint64_t f, uint64_t g, matrix *result) {
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

/* (f, g) = matrix · (f, g) / 2^62, exactly. */
static void apply(int64_t f[5], int64_t g[5], const matrix *m) {
  int128 sum_f = (int128)m->u * f[0] + (int128)m->v * g[0];
  int128 sum_g = (int128)m->q * f[0] + (int128)m->r * g[0];
  sum_f >>= 62;
  sum_g >>= 62;
  for (int i = 1; i < 5; i++) {
    sum_f += (int128)m->u * f[i] + (int128)m->v * g[i];
    sum_g += (int128)m->q * f[i] + (int128)m->r * g[i];
    f[i - 1] = (int64_t)sum_f & MASK62;
    g[i - 1] = (int64_t)sum_g & MASK62;
    sum_f >>= 62;
    sum_g >>= 62;
  }
  f[4] = (int64_t)sum_f;
  g[4] = (int64_t)sum_g;
}

/* (d, e) = matrix · (d, e) / 2^62 modulo the prime; d and e stay within (-2 · prime, prime). */
static void apply_modulo(int64_t d[5], int64_t e[5], const matrix *m, const prime62 *prime) {
  const int64_t *p = prime->limbs;
  const int64_t d_sign = d[4] >> 63, e_sign = e[4] >> 63;
  /* Multiples of the prime that make negative d and e positive, and the lowest 62 bits of the sums zero. */
  int64_t multiple_d = (m->u & d_sign) + (m->v & e_sign);
  int64_t multiple_e = (m->q & d_sign) + (m->r & e_sign);
  int128 sum_d = (int128)m->u * d[0] + (int128)m->v * e[0];
  int128 sum_e = (int128)m->q * d[0] + (int128)m->r * e[0];
  multiple_d -= (int64_t)((prime->inverse * (uint64_t)sum_d + (uint64_t)multiple_d) & (uint64_t)MASK62);
  multiple_e -= (int64_t)((prime->inverse * (uint64_t)sum_e + (uint64_t)multiple_e) & (uint64_t)MASK62);
  sum_d += (int128)p[0] * multiple_d;
  sum_e += (int128)p[0] * multiple_e;
  sum_d >>= 62;
  sum_e >>= 62;
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

static void carry(int64_t limbs[5]) {
  for (int i = 0; i < 4; i++) {
    limbs[i + 1] += limbs[i] >> 62;
    limbs[i] &= MASK62;
  }
}

/* The residue within 0..<prime of a number within (-2 · prime, prime), negated where `sign` is -1 rather than 0. */
static void normalize(int64_t d[5], int64_t sign, const prime62 *prime) {
  int64_t negative = d[4] >> 63;
  for (int i = 0; i < 5; i++) d[i] = ((d[i] + (prime->limbs[i] & negative)) ^ sign) - sign;
  carry(d);
  negative = d[4] >> 63;
  for (int i = 0; i < 5; i++) d[i] += prime->limbs[i] & negative;
  carry(d);
}

void assay_p256_invert(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime) {
  int64_t f[5], d[5] = {0}, e[5] = {1};
  int64_t g[5] = {
      (int64_t)(words[0] & (uint64_t)MASK62), (int64_t)((words[0] >> 62 | words[1] << 2) & (uint64_t)MASK62),
      (int64_t)((words[1] >> 60 | words[2] << 4) & (uint64_t)MASK62),
      (int64_t)((words[2] >> 58 | words[3] << 6) & (uint64_t)MASK62), (int64_t)(words[3] >> 56)};
  memcpy(f, prime->limbs, sizeof f);
  int64_t zeta = -1;
  for (int i = 0; i < ROUNDS; i++) {
    matrix m;
    zeta = steps(zeta, (uint64_t)f[0], (uint64_t)g[0], &m);
    apply_modulo(d, e, &m, prime);
    apply(f, g, &m);
  }
  /* f is now 1 or -1 and d as much over the number; for the number 0, d is 0. */
  normalize(d, f[4] >> 63, prime);
  const uint64_t *l = (const uint64_t *)d;
  inverse[0] = l[0] | l[1] << 62;
  inverse[1] = l[1] >> 2 | l[2] << 60;
  inverse[2] = l[2] >> 4 | l[3] << 58;
  inverse[3] = l[3] >> 6 | l[4] << 56;
}

void assay_p256_multiply_modulo_order(uint64_t product[4], const uint64_t a[4], const uint64_t b[4]) {
  uint64_t t[6] = {0};
  for (int i = 0; i < 4; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 4; j++) {
      const uint128 sum = (uint128)a[i] * b[j] + t[j] + carry;
      t[j] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
    const uint128 above = (uint128)t[4] + carry;
    const uint64_t m = t[0] * N_NEGATED_INVERSE_64;
    carry = (uint64_t)(((uint128)m * N_WORDS[0] + t[0]) >> 64);
    for (int j = 1; j < 4; j++) {
      const uint128 sum = (uint128)m * N_WORDS[j] + t[j] + carry;
      t[j - 1] = (uint64_t)sum;
      carry = (uint64_t)(sum >> 64);
    }
    const uint128 top = above + carry;
    t[3] = (uint64_t)top;
    t[4] = (uint64_t)(top >> 64);
  }
  uint64_t less[4];
  const uint64_t borrow = w_subtract(less, t, N_WORDS);
  /* t is below 2n: it is below n where there is a borrow that its fifth word does not pay. */
  w_choose(t, 1 ^ (borrow & ~t[4] & 1), less);
  memcpy(product, t, 4 * sizeof *t);
}
