#ifndef ASSAY_CP256_FAULTS_H
#define ASSAY_CP256_FAULTS_H

#include "CP256.h"

/* The kernel's key agreement, compiled once more with a place for faults in it; see assay_p256_agree. After window
   `window`, 0...50, bit `bit`, 0...51, of limb `limb`, 0...4, of coordinate `coordinate`, 0...2, of lane `lane`, 0...7,
   is changed; no fault for a window of -1. */
void assay_p256_agree_with_fault(
    const assay_p256_agreement *agreements, size_t count, uint8_t *statuses, int window, int coordinate, int limb,
    int bit, int lane);

#endif
