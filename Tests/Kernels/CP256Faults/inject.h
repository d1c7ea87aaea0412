/* Included before a kernel's file, which is compiled again under another name and with a hook that injects faults. */

#ifndef ASSAY_CP256_INJECT_H
#define ASSAY_CP256_INJECT_H

/* Flips the planned bit of the sum after window `window`. The sum is three coordinates of five limbs of `lanes`
   words. */
void assay_p256_inject(void *sum, int window, int lanes);

#define AFTER_WINDOW(space, window) assay_p256_inject(&(space)->sum, window, LANES)

#endif
