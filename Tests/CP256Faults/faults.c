#include "CP256Faults.h"

#include <stdint.h>

typedef struct {
  int window, coordinate, limb, bit, lane;
} fault;

static _Thread_local fault planned;

/* The sum is three coordinates of five limbs of eight lanes. */
static void inject(void *sum, int window) {
  if (window != planned.window) return;
  uint64_t *words = sum;
  words[8 * (5 * planned.coordinate + planned.limb) + planned.lane] ^= (uint64_t)1 << planned.bit;
}

#define AFTER_WINDOW(space, window) inject(&(space)->sum, window)
#define assay_p256_agree assay_p256_agree_faulty

void assay_p256_agree_faulty(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses);

#include "../../Sources/CP256/agree.c"

void assay_p256_agree_with_fault(
    const assay_p256_agreement *agreements, size_t count, uint8_t *statuses, int window, int coordinate, int limb,
    int bit, int lane) {
  planned = (fault){window, coordinate, limb, bit, lane};
#if defined(ASSAY_P256_COMPILED)
  assay_p256_agree_faulty(agreements, count, statuses);
#else
  (void)agreements, (void)count, (void)statuses;
#endif
}
