/* The operations on lanes in plain C, for kernels of any number of them: see lanes/kernel.h for what each must do. No
   branch and no address depends on a lane. */

#ifndef ASSAY_P256_EMULATED_H
#define ASSAY_P256_EMULATED_H

#include "base.h"

#define LANES_BEGIN
#define LANES_END
#define HOT NOINLINE

typedef struct {
  uint64_t v[LANES];
} __attribute__((aligned(8 * LANES))) lanes;
typedef uint8_t lane_mask;

#define EACH(expression)            \
  lanes result;                     \
  for (int i = 0; i < LANES; i++) { \
    result.v[i] = (expression);     \
  }                                 \
  return result

INLINE lanes l_all(uint64_t x) { EACH(x); }
INLINE lanes l_add(lanes a, lanes b) { EACH(a.v[i] + b.v[i]); }
INLINE lanes l_sub(lanes a, lanes b) { EACH(a.v[i] - b.v[i]); }
INLINE lanes l_and(lanes a, lanes b) { EACH(a.v[i] & b.v[i]); }
INLINE lanes l_or(lanes a, lanes b) { EACH(a.v[i] | b.v[i]); }
INLINE lanes l_xor(lanes a, lanes b) { EACH(a.v[i] ^ b.v[i]); }
INLINE lanes l_shl(lanes a, int bits) { EACH(a.v[i] << bits); }
INLINE lanes l_shr(lanes a, int bits) { EACH(a.v[i] >> bits); }
INLINE lanes l_sar(lanes a, int bits) { EACH((uint64_t)((int64_t)a.v[i] >> bits)); }
INLINE lanes l_pinned(lanes a) { return a; }

INLINE unsigned __int128 product52(uint64_t a, uint64_t b) {
  return (unsigned __int128)(a & LIMB_MASK) * (b & LIMB_MASK);
}
/* sum + the low, or the high, 52 bits of the product of two numbers of 52 bits. */
INLINE lanes l_mul_low(lanes sum, lanes a, lanes b) { EACH(sum.v[i] + ((uint64_t)product52(a.v[i], b.v[i]) & LIMB_MASK)); }
INLINE lanes l_mul_high(lanes sum, lanes a, lanes b) { EACH(sum.v[i] + (uint64_t)(product52(a.v[i], b.v[i]) >> 52)); }

/* All bits where the lane's bit of the mask is set; the compiler does not see that there are but two values. */
INLINE uint64_t lane_bits(lane_mask mask, int lane) {
  uint64_t bits = -(uint64_t)((mask >> lane) & 1);
  __asm__("" : "+r"(bits));
  return bits;
}
INLINE lanes l_select(lane_mask mask, lanes a, lanes b) { EACH(a.v[i] ^ ((a.v[i] ^ b.v[i]) & lane_bits(mask, i))); }
INLINE lane_mask l_is_zero(lanes a) {
  unsigned mask = 0;
  for (int i = 0; i < LANES; i++) mask |= (unsigned)(((a.v[i] | -a.v[i]) >> 63) ^ 1) << i;
  return (lane_mask)mask;
}
INLINE lane_mask l_is_negative(lanes a) {
  unsigned mask = 0;
  for (int i = 0; i < LANES; i++) mask |= (unsigned)(a.v[i] >> 63) << i;
  return (lane_mask)mask;
}
INLINE unsigned l_bits(lane_mask mask) { return mask & ALL_LANES; }
INLINE lane_mask l_mask(unsigned bits) { return (lane_mask)bits; }

INLINE lanes l_exchange(lanes a, int distance) { EACH(a.v[i ^ distance]); }

INLINE void l_load_entries(const uint64_t *const entries[LANES], lanes words[8]) {
  for (int i = 0; i < LANES; i++) {
    for (int j = 0; j < 8; j++) words[j].v[i] = entries[i][j];
  }
}
INLINE void l_store_entries(uint64_t *const entries[LANES], const lanes words[8]) {
  for (int i = 0; i < LANES; i++) {
    for (int j = 0; j < 8; j++) entries[i][j] = words[j].v[i];
  }
}

typedef struct {
  char unused;
} float_state;
INLINE float_state enter_lanes(void) { return (float_state){0}; }
INLINE void leave_lanes(float_state state) { (void)state; }

/* Compilers use some registers of the vectors for this code too; what they leave there is a few words of it. */
INLINE void clear_registers(void) {}

#endif
