#ifndef ASSAY_P256_INVERSE_H
#define ASSAY_P256_INVERSE_H

#include "field.h"

#if defined(ASSAY_P256_COMPILED)
LANES_BEGIN

/* 1 / z in each lane, in Montgomery's form; z is a field value below 2p and 0 in no lane, or all lanes come out 0. In
   constant time: one inversion of the product of all lanes. */
field assay_p256_inverses(const field *z);

LANES_END
#endif

#endif
