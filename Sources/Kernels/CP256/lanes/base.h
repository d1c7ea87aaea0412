/* Common to all backends, which define LANES before. */

#ifndef ASSAY_P256_BASE_H
#define ASSAY_P256_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

#define LIMB_BITS 52
#define LIMB_MASK (((uint64_t)1 << LIMB_BITS) - 1)

/* A bit for each lane. */
#define ALL_LANES ((1U << LANES) - 1)

/* The logarithm of LANES. */
enum { LANE_BITS = LANES == 8 ? 3 : LANES == 4 ? 2 : 1 };
_Static_assert(1 << LANE_BITS == LANES, "a power of two");

#endif
