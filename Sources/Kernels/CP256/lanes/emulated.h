/* The operations on lanes in plain C with the compiler's vectors, for kernels of any number of lanes and for every
   processor: see lanes/kernel.h for what each must do. No branch and no address depends on a lane. */

#ifndef ASSAY_P256_EMULATED_H
#define ASSAY_P256_EMULATED_H

#include "base.h"

/* The ABI of vectors depends on the target's registers. That does not matter: all functions here are internal. */
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES_BEGIN
#define LANES_END
#define HOT NOINLINE

/* With -DASSAY_CHECK_BOUNDS a value beyond the bounds of field.h traps. Such a build branches on secrets. */
#if defined(ASSAY_CHECK_BOUNDS)
#define BOUND(condition)                                                   \
  for (int lane = 0; lane < LANES; lane++) {                               \
    if (!(condition)) __builtin_trap();                                    \
  }
#else
#define BOUND(condition)
#endif

typedef uint64_t lanes __attribute__((vector_size(8 * LANES)));
/* All bits of a word, or none. */
typedef lanes lane_mask;

INLINE lanes l_all(uint64_t x) { return (lanes){0} + x; }
INLINE lanes l_add(lanes a, lanes b) { return a + b; }
INLINE lanes l_sub(lanes a, lanes b) { return a - b; }
INLINE lanes l_and(lanes a, lanes b) { return a & b; }
INLINE lanes l_or(lanes a, lanes b) { return a | b; }
INLINE lanes l_xor(lanes a, lanes b) { return a ^ b; }
INLINE lanes l_shl(lanes a, int bits) { return a << (uint64_t)bits; }
INLINE lanes l_shr(lanes a, int bits) { return a >> (uint64_t)bits; }
INLINE lanes l_sar(lanes a, int bits) {
  const lanes sign = l_all(0) - (a >> 63);
  return (a >> (uint64_t)bits) | (sign << (uint64_t)(64 - bits));
}
INLINE lanes l_pinned(lanes a) { return a; }
INLINE lanes l_factor(lanes a) {
  BOUND(a[lane] <= LIMB_MASK)
  return a;
}
INLINE lanes l_integer(lanes a) { return a; }

/* sum + the low, or the high, 52 bits of the product of two numbers of 52 bits. */
INLINE unsigned __int128 product52(uint64_t a, uint64_t b) {
  return (unsigned __int128)(a & LIMB_MASK) * (b & LIMB_MASK);
}
INLINE lanes l_mul_low(lanes sum, lanes a, lanes b) {
  for (int i = 0; i < LANES; i++) sum[i] += (uint64_t)product52(a[i], b[i]) & LIMB_MASK;
  return sum;
}
INLINE lanes l_mul_high(lanes sum, lanes a, lanes b) {
  for (int i = 0; i < LANES; i++) sum[i] += (uint64_t)(product52(a[i], b[i]) >> LIMB_BITS);
  return sum;
}

INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { return a ^ ((a ^ b) & mask); }
INLINE lane_mask l_is_zero(lanes a) { return ((a | (l_all(0) - a)) >> 63) - 1; }
INLINE lane_mask l_is_negative(lanes a) { return l_all(0) - (a >> 63); }
INLINE unsigned l_bits(lane_mask mask) {
  unsigned bits = 0;
  for (int i = 0; i < LANES; i++) bits |= (unsigned)(mask[i] & 1) << i;
  return bits;
}
INLINE lane_mask l_mask(unsigned bits) {
  lane_mask mask = l_all(0);
  for (int i = 0; i < LANES; i++) mask[i] = -(uint64_t)((bits >> i) & 1);
  return mask;
}

INLINE lanes l_exchange(lanes a, int distance) {
  lanes result = a;
  for (int i = 0; i < LANES; i++) result[i] = a[i ^ distance];
  return result;
}

INLINE void l_load_entries(const uint64_t *const entries[LANES], lanes words[8]) {
  for (int i = 0; i < LANES; i++) {
    for (int j = 0; j < 8; j++) words[j][i] = entries[i][j];
  }
}

typedef struct {
  char unused;
} float_state;
INLINE float_state set_float_state(void) { return (float_state){0}; }
INLINE void restore_float_state(float_state state) { (void)state; }

#endif
