/* What all backends of lanes have in common. LANES is defined before. */

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

#endif
