/* Common to this kernel and its emulation: limbs are shifted as unsigned numbers, since AVX2 has no arithmetic shift of
   64 bits. */

#ifndef ASSAY_P256_FMA4_LANES_H
#define ASSAY_P256_FMA4_LANES_H

/* Exceeds every limb that is subtracted: three products, not carried, of less than 2^56. */
#define PADDING ((uint64_t)1 << 59)

LANES_BEGIN
INLINE lanes l_carry(lanes a) {
  BOUND(a[lane] >> 61 == 0)
  return l_shr(a, LIMB_BITS);
}

/* Added to the topmost limb, which may be below zero by less; see f_reduced. */
#define TOP_SLACK ((uint64_t)1 << 10)
INLINE lanes l_quotient(lanes top) {
  BOUND(top[lane] + TOP_SLACK < (uint64_t)16 << 48)
  return l_shr(l_add(top, l_all(TOP_SLACK)), 48);
}
INLINE lanes l_remainder(lanes top, lanes quotient) { return l_sub(top, l_shl(quotient, 48)); }
LANES_END

#endif
