#include "inverse.h"

#include "words.h"

#if defined(ASSAY_P256_COMPILED)

LANES_BEGIN

field assay_p256_inverses(const field *z) {
  const field pairs = f_mul(*z, f_exchange(*z, 1));
  const field fours = f_mul(pairs, f_exchange(pairs, 2));
  lanes words[4];
  f_to_words(f_leave(f_mul(fours, f_exchange(fours, 4))), words);
  uint64_t stored[4][8], product[4], inverse[4];
  for (int i = 0; i < 4; i++) {
    l_store(stored[i], words[i]);
    product[i] = stored[i][0];
  }
  assay_p256_invert(inverse, product, &assay_p256_field_prime);
  const field all = f_enter(f_from_constant_words(inverse));
  const field others = f_mul(f_exchange(fours, 4), f_exchange(pairs, 2));
  return f_mul(f_mul(all, f_exchange(*z, 1)), others);
}

LANES_END

#endif
