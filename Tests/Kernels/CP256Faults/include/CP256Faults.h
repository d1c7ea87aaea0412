#ifndef ASSAY_CP256_FAULTS_H
#define ASSAY_CP256_FAULTS_H

#include "CP256.h"

/* The kernel over lanes of this name, compiled once more with a place for faults in its key agreement; NULL if there is
   none. */
const assay_p256_kernel *assay_p256_faulty_kernel(const char *name);

/* Plans the fault of all following key agreements of this thread by faulty kernels: after window `window` (0...50), bit
   `bit` (0...51) of limb `limb` (0...4) of coordinate `coordinate` (0...2) of the sum is flipped in lane `lane` of each
   group of lanes. A window of -1 means no fault. */
void assay_p256_plan_fault(int window, int coordinate, int limb, int bit, int lane);

#endif
