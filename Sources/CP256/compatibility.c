/* The functions that were there before there was more than one kernel; to be deleted with their last caller. */

#include "kernels.h"

#if defined(ASSAY_SECRECY)
#define LANES_KERNEL assay_p256_ifma8_emulated
#else
#define LANES_KERNEL assay_p256_ifma8
#endif

bool assay_p256_has_lanes(void) { return LANES_KERNEL.is_supported(); }

void assay_p256_agree(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses) {
  LANES_KERNEL.agree(agreements, count, statuses);
}

bool assay_p256_make_table(const uint8_t *point, uint64_t *table) { return LANES_KERNEL.make_table(point, table); }

void assay_p256_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses) {
  LANES_KERNEL.verify(generator, signatures, count, statuses);
}

uint8_t assay_p256_verify_one(const uint64_t *generator, const assay_p256_signature *signature) {
  return LANES_KERNEL.verify_one(generator, signature);
}
