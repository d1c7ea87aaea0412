#include "signature.h"

#include "constants.h"

/* product = a · b / 2^256 modulo n, for factors below n. */
static void multiply(uint64_t product[4], const uint64_t a[4], const uint64_t b[4]) {
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
  /* t is below 2n. It is below n if the subtraction borrows and the fifth word of t is 0. */
  w_choose(t, 1 ^ (borrow & ~t[4] & 1), less);
  memcpy(product, t, 4 * sizeof *t);
}

static bool is_scalar(const uint64_t words[4]) { return !w_is_zero(words) && w_is_below(words, N_WORDS); }

bool assay_p256_read_signature(signature_numbers *result, const assay_p256_signature *signature) {
  static const uint64_t one[4] = {1, 0, 0, 0};
  uint64_t less[4];
  w_read(result->r, signature->r);
  w_read(result->s, signature->s);
  w_read(result->digest, signature->digest);
  w_choose(result->digest, 1 ^ w_subtract(less, result->digest, N_WORDS), less);
  const bool is_in_range = is_scalar(result->r) && is_scalar(result->s);
  if (!is_in_range) memcpy(result->s, one, sizeof one);
  return is_in_range;
}

/* Products divide by 2^256 = R: the product of `count` factors is divided by R^(count - 1). */
void assay_p256_invert_signatures(signature_numbers *signatures, size_t count) {
  uint64_t products[ASSAY_P256_BATCH][4], inverse[4];
  memcpy(products[0], signatures[0].s, sizeof products[0]);
  for (size_t i = 1; i < count; i++) multiply(products[i], products[i - 1], signatures[i].s);
  assay_p256_invert_public(inverse, products[count - 1], &assay_p256_order_prime);
  /* The inverse of products[i] has the factor R^i, which a product with R² makes R^(i + 1). The product of that and
     products[i - 1] is R / s. */
  multiply(inverse, inverse, N_R2_WORDS);
  for (size_t i = count; i-- > 1;) {
    multiply(signatures[i].inverse, inverse, products[i - 1]);
    multiply(inverse, inverse, signatures[i].s);
  }
  memcpy(signatures[0].inverse, inverse, sizeof inverse);
}

static void split_scalar(const uint64_t scalar[4], int16_t digits[POSITIONS]) {
  uint64_t u[4], less[4];
  memcpy(u, scalar, sizeof u);
  const bool is_negative = w_is_below(HALF_N_WORDS, u);
  w_subtract(less, N_WORDS, u);
  w_choose(u, is_negative, less);
  int carry = 0;
  for (int i = 0; i < POSITIONS; i++) {
    int digit = (int)(u[i / 8] >> (i % 8 * 8) & 0xFF) + carry;
    /* The last digit is at most 0x7F plus a carry, so no carry is left. */
    carry = digit > MULTIPLES_PER_POSITION;
    digit -= carry * 256;
    digits[i] = (int16_t)(is_negative ? -digit : digit);
  }
}

bool assay_p256_split_signature(const signature_numbers *signature, int16_t digits[2 * POSITIONS]) {
  static const uint64_t one[4] = {1, 0, 0, 0};
  uint64_t u[4];
  multiply(u, signature->inverse, signature->s);
  const bool is_inverse = memcmp(u, one, sizeof u) == 0;
  multiply(u, signature->inverse, signature->digest);
  split_scalar(u, digits);
  multiply(u, signature->inverse, signature->r);
  split_scalar(u, digits + POSITIONS);
  return is_inverse;
}
