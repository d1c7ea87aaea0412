#ifndef ASSAY_CP256_H
#define ASSAY_CP256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* P-256 (SP 800-186) for many tokens at once: key agreement in constant time, and verification of signatures by signers
   with tables. Docs/decisions/0008-own-curve-arithmetic.md says what it may be used for, and
   Docs/decisions/0010-kernels-by-processor.md how it is divided into kernels, one for each kind of processor.

   Byte strings are big-endian and 32 bytes long unless it says otherwise. Nothing here allocates, keeps state, or holds
   a lock. An exceptional case is not decided here: its status is ASSAY_P256_UNSURE, and libcrypto decides. */

/* The outcome of one operation. */
enum {
  /* The secret has been computed, or the signature is genuine. */
  ASSAY_P256_DONE = 0,
  /* The peer is not a point of the curve, or the signature is not genuine. */
  ASSAY_P256_REFUSED = 1,
  /* Not decided: an addition that the formulas do not cover, or a result that is not a point of the curve. */
  ASSAY_P256_UNSURE = 2,
};

/* How many operations a call does at most. */
#define ASSAY_P256_BATCH 64

/* Bytes of a signer's table, and what its address must be a multiple of. */
#define ASSAY_P256_TABLE_SIZE 262144
#define ASSAY_P256_TABLE_ALIGNMENT 64

/* A key agreement (SP 800-56A 5.7.1.2). */
typedef struct {
  const uint8_t *peer;   /* x ‖ y, 64 bytes, public, anything */
  const uint8_t *scalar; /* secret, within 1...n-1 */
  uint8_t *secret;       /* receives Z where the status is DONE, else zeros */
} assay_p256_agreement;

/* A signature to verify (FIPS 186-5 6.4.2). Everything in it is public. */
typedef struct {
  const uint64_t *table; /* of the signer's key */
  uint8_t digest[32];
  uint8_t r[32]; /* anything */
  uint8_t s[32]; /* anything */
} assay_p256_signature;

/* An implementation for one kind of processor. A kernel has every symbol on every architecture; its functions may only
   be called where `is_supported` answers true, and are NULL on architectures that it is not compiled for.

   All kernels verify with the tables that assay_p256_make_table makes. */
typedef struct {
  /* What selects the kernel; that of an emulation is its model's and "-emulated". */
  const char *name;

  /* Whether this processor and this operating system run the kernel. */
  bool (*is_supported)(void);

  /* Whether it is a model in plain C of another kernel's lanes: the same formulas for tests and for valgrind, on every
     processor, but slow. Never selected by itself. */
  bool is_emulated;

  /* How many operations are computed at once: 1 without SIMD. Calls with a multiple of it waste nothing. */
  uint32_t lanes;

  /* From how many waiting operations on `agree` takes less time than libcrypto, and `verify` less than as many calls of
     `verify_one`: measured (`assay bench run kernel/`). */
  uint32_t minimum_agreements;
  uint32_t minimum_signatures;

  /* Computes `count` agreements, 1...64; `statuses` receives a status for each. NULL if the kernel has none.

     Secret: the scalars, Z and all intermediate values. No branch and no address depends on them. REFUSED depends on
     the peer alone, and says nothing about the other agreements. UNSURE is what a processor that computes wrongly gets;
     no scalar within 1...n-1 and no peer leads to it. The stack and the vector registers that held secrets are
     overwritten before the return. */
  void (*agree)(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses);

  /* Verifies `count` signatures, 1...64; `statuses` receives a status for each. `generator` is the generator's table. */
  void (*verify)(
      const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses);

  /* Verifies one signature in the shortest time; returns its status. NULL if the kernel has nothing better than `verify`
     with a count of 1. */
  uint8_t (*verify_one)(const uint64_t *generator, const assay_p256_signature *signature);
} assay_p256_kernel;

/* The kernels, on every architecture the same ones in the same order: the fastest first, emulations last. */
size_t assay_p256_kernel_count(void);
const assay_p256_kernel *assay_p256_kernel_at(size_t index);

/* Receives x ‖ y of the generator, 64 bytes. */
void assay_p256_generator(uint8_t *point);

/* Makes the table of a public point: j · 2^(8i) · point for i in 0..<32 and j in 1...128, i-major, each as x and y times
   2^260 modulo p, below p, in four words of 64 bits, the lowest first.

   point  x ‖ y, 64 bytes
   table  receives ASSAY_P256_TABLE_SIZE bytes, aligned
   Returns false if the point is not on the curve or a check of the result fails. The table must not be used then. */
bool assay_p256_make_table(const uint8_t *point, uint64_t *table);

#endif
