#ifndef ASSAY_CSECRECY_H
#define ASSAY_CSECRECY_H

#include <stddef.h>

/* What keeps secrets secret that no library has.

   Marks for the check of constant time (Scripts/check-secrecy): a secret counts as undefined memory, so that valgrind's
   memcheck reports a branch on it, or a load or store at an address that depends on it. The marks are there in a build with
   -DASSAY_SECRECY alone. In every other one the functions are empty, and nothing of them is in the binary. */

/* Overwrites the vector registers and 16 kB of stack below the caller: what functions it called have left there. */
void assay_wipe_stack(void);

#if defined(ASSAY_SECRECY)

#if !__has_include(<valgrind/memcheck.h>)
#error "-DASSAY_SECRECY needs valgrind's headers (Debian: apt-get install valgrind)"
#endif
#include <valgrind/memcheck.h>

/* Whether assay_declassify does nothing; for Scripts/check-secrecy, which proves with it that the plaintext was a secret. */
extern int assay_declassification_is_off;

/* What is in these `count` bytes is a secret, and what is computed from it too. */
static inline void assay_mark_secret(const void *bytes, size_t count) { (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count); }

/* What is in these `count` bytes may be branched on from here on. */
static inline void assay_declassify(const void *bytes, size_t count) {
  if (!assay_declassification_is_off) (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}

/* Switches assay_declassify off. */
static inline void assay_keep_all_secret(void) { assay_declassification_is_off = 1; }

/* Whether the marks are compiled in and valgrind is there to see them. */
static inline int assay_secrets_are_tracked(void) { return RUNNING_ON_VALGRIND != 0; }

#else

static inline void assay_mark_secret(const void *bytes, size_t count) { (void)bytes, (void)count; }
static inline void assay_declassify(const void *bytes, size_t count) { (void)bytes, (void)count; }
static inline void assay_keep_all_secret(void) {}
static inline int assay_secrets_are_tracked(void) { return 0; }

#endif

#endif
