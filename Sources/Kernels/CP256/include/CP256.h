#ifndef ASSAY_CP256_H
#define ASSAY_CP256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* P-256 (SP 800-186) for batches of tokens: key agreement in constant time, and verification of signatures by signers
   with tables. Docs/decisions/0008-own-curve-arithmetic.md states its scope, and
   Docs/decisions/0010-kernels-by-processor.md its division into kernels, one for each kind of processor.

   Byte strings are big-endian, 32 bytes unless stated otherwise. Nothing here allocates (`kernel/` in
   Benchmarks/Thresholds.json), keeps state or takes a lock. Where a kernel cannot decide, the status is
   ASSAY_P256_UNSURE, and libcrypto decides. */

/* The outcome of one operation. */
enum {
  /* The secret has been computed, or the signature is genuine. */
  ASSAY_P256_DONE = 0,
  /* The peer is not a point on the curve, or the signature is not genuine. */
  ASSAY_P256_REFUSED = 1,
  /* Not decided: an addition that the formulas do not cover, or a result that is not a point on the curve. */
  ASSAY_P256_UNSURE = 2,
};

/* The most operations of a call. */
#define ASSAY_P256_BATCH 64

/* The size of a signer's table and the alignment of its address, in bytes. */
#define ASSAY_P256_TABLE_SIZE 262144
#define ASSAY_P256_TABLE_ALIGNMENT 64

/* A key agreement (SP 800-56A 5.7.1.2). */
typedef struct {
  const uint8_t *peer;   /* x ‖ y, 64 bytes, public, not checked */
  const uint8_t *scalar; /* secret, within 1...n-1 */
  uint8_t *secret;       /* receives Z if the status is DONE, else zeros */
} assay_p256_agreement;

/* A signature to verify (FIPS 186-5 6.4.2). Everything in it is public. */
typedef struct {
  const uint64_t *table; /* of the signer's key */
  uint8_t digest[32];
  uint8_t r[32]; /* not checked */
  uint8_t s[32]; /* not checked */
} assay_p256_signature;

/* Sets everything but the table: a digest of 32 bytes; r and s as big-endian magnitudes of at most 32 bytes each. */
static inline void assay_p256_fill_signature(
    assay_p256_signature *signature, const void *digest, const void *r, size_t r_size, const void *s, size_t s_size) {
  if (r_size > sizeof signature->r || s_size > sizeof signature->s) __builtin_trap();
  memcpy(signature->digest, digest, sizeof signature->digest);
  memset(signature->r, 0, sizeof signature->r);
  memset(signature->s, 0, sizeof signature->s);
  if (r_size > 0) memcpy(signature->r + sizeof signature->r - r_size, r, r_size);
  if (s_size > 0) memcpy(signature->s + sizeof signature->s - s_size, s, s_size);
}

/* An implementation for one kind of processor. Every kernel is defined on every architecture. Its functions may be
   called only if `is_supported` returns true, and are NULL on architectures that it is not compiled for.

   All kernels verify with the tables that assay_p256_make_table makes. */
typedef struct {
  /* The name that selects the kernel; an emulation appends "-emulated" to the name of its kernel. */
  const char *name;

  /* Whether this processor and operating system can run the kernel. */
  bool (*is_supported)(void);

  /* Whether it emulates the lanes of another kernel in plain C: the same formulas, on every processor, for tests and
     valgrind. Slow; never selected by default. */
  bool is_emulated;

  /* The number of operations that are computed at once: 1 without SIMD. A multiple of it fills all lanes. */
  uint32_t lanes;

  /* The minimum numbers of waiting operations for which `agree` is faster than libcrypto, and `verify` faster than a
     call of `verify_one` for each: measured (`assay bench run kernel/`). */
  uint32_t minimum_agreements;
  uint32_t minimum_signatures;

  /* Computes `count` agreements, 1...64; `statuses` receives a status for each. NULL if the kernel has none.

     Secret: the scalars, Z and all intermediate values. No branch and no address depends on them (Scripts/check-kernel,
     Scripts/check-secrecy). REFUSED depends only on the peer, and reveals nothing about the other agreements. UNSURE
     indicates a hardware fault: no scalar within 1...n-1 and no peer leads to it. The stack and the vector registers
     that held secrets are overwritten before the return. */
  void (*agree)(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses);

  /* Verifies `count` signatures, 1...64; `statuses` receives a status for each. `generator` is the generator's
     table. */
  void (*verify)(
      const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses);

  /* Verifies one signature with the least latency; returns its status. */
  uint8_t (*verify_one)(const uint64_t *generator, const assay_p256_signature *signature);
} assay_p256_kernel;

/* The kernels, the fastest first, emulations last. The list is the same on every architecture. */
size_t assay_p256_kernel_count(void);
const assay_p256_kernel *assay_p256_kernel_at(size_t index);

/* Receives x ‖ y of the generator, 64 bytes. */
void assay_p256_generator(uint8_t *point);

/* Makes the table of a public point: j · 2^(8i) · point for i in 0..<32 and j in 1...128, i-major, each as x and y
   times 2^260 modulo p, below p, in four words of 64 bits, the lowest first.

   point  x ‖ y, 64 bytes
   table  receives ASSAY_P256_TABLE_SIZE bytes, aligned
   Returns false if the point is not on the curve or a check of the result fails. The table must not be used then. */
bool assay_p256_make_table(const uint8_t *point, uint64_t *table);

#endif
