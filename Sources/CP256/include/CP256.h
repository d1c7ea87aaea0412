#ifndef ASSAY_CP256_H
#define ASSAY_CP256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* P-256 (SP 800-186) in eight lanes of AVX-512 IFMA: key agreement in constant time, and verification of signatures by
   signers with tables. Docs/decisions/0008-own-curve-arithmetic.md says what it may be used for.

   Octet strings are big-endian and 32 octets long unless it says otherwise. Nothing here allocates, keeps state, or
   holds a lock. What comes out of the ordinary is not decided here: it is answered with ASSAY_P256_UNSURE, and
   libcrypto decides. */

/* What became of a lane. */
enum {
  /* Done: the secret is there, or the signature is genuine. */
  ASSAY_P256_DONE = 0,
  /* The peer is not a point of the curve, or the signature is not genuine. */
  ASSAY_P256_REFUSED = 1,
  /* Not decided: an addition that the formulas do not cover, or a result that is no point of the curve. */
  ASSAY_P256_UNSURE = 2,
};

/* How many lanes there are, and how many operations a call does at most: groups of lanes share an inversion. */
#define ASSAY_P256_LANES 8
#define ASSAY_P256_BATCH 64

/* Octets of a signer's table, and what its address must be a multiple of. */
#define ASSAY_P256_TABLE_SIZE 262144
#define ASSAY_P256_TABLE_ALIGNMENT 64

/* Whether this CPU and operating system run the lanes; where not, nothing else here may be called. */
bool assay_p256_has_lanes(void);

/* A key agreement (SP 800-56A 5.7.1.2). */
typedef struct {
  const uint8_t *peer;   /* x ‖ y, 64 octets, public, anything */
  const uint8_t *scalar; /* secret, within 1...n-1 */
  uint8_t *secret;       /* receives Z where the status is DONE, else zeros */
} assay_p256_agreement;

/* Does `count` agreements, 1...64, eight at a time.

   statuses  receives a status for each
   Secret: the scalars, Z and all between. No branch and no address depends on them. REFUSED depends on the peer alone,
   and says nothing about the other lanes; UNSURE is what a machine that computes wrongly gets, and no scalar or peer
   does. Tables, spilled registers and the vector registers are overwritten before the return. */
void assay_p256_agree(const assay_p256_agreement *agreements, size_t count, uint8_t *statuses);

/* Makes the table of a public point: j · 2^(8i) · point for i in 0..<32 and j in 1...128.

   point  x ‖ y, 64 octets, public
   table  receives ASSAY_P256_TABLE_SIZE octets, aligned
   Returns false when the point is not on the curve, or a check of the result fails; it is then not to be used. */
bool assay_p256_make_table(const uint8_t *point, uint64_t *table);

/* Receives x ‖ y of the generator. */
void assay_p256_generator(uint8_t *point);

/* A signature to verify (FIPS 186-5 6.4.2). Everything in it is public. */
typedef struct {
  const uint64_t *table; /* of the signer's key */
  uint8_t digest[32];
  uint8_t r[32]; /* anything */
  uint8_t s[32]; /* anything */
} assay_p256_signature;

/* Verifies `count` signatures, 1...64, eight at a time. `generator` is the generator's table. */
void assay_p256_verify(
    const uint64_t *generator, const assay_p256_signature *signatures, size_t count, uint8_t *statuses);

/* Verifies one signature with all lanes; returns its status. */
uint8_t assay_p256_verify_one(const uint64_t *generator, const assay_p256_signature *signature);

#endif
