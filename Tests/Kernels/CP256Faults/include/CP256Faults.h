#ifndef ASSAY_CP256_FAULTS_H
#define ASSAY_CP256_FAULTS_H

#include "CP256.h"

/* The kernel over lanes of this name, compiled once more with a place for faults in its key agreement; NULL if there is
   none. */
const assay_p256_kernel *assay_p256_faulty_kernel(const char *name);

/* What the key agreements of all faulty kernels that this thread calls next do wrong: after window `window`, 0...50,
   bit `bit`, 0...51, of limb `limb`, 0...4, of coordinate `coordinate` of the sum, 0...2, of a lane of the kernel, is
   flipped, in each group of lanes. No fault for a window of -1. */
void assay_p256_plan_fault(int window, int coordinate, int limb, int bit, int lane);

#endif
