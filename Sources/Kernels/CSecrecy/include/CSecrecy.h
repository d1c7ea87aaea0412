#ifndef ASSAY_CSECRECY_H
#define ASSAY_CSECRECY_H

#include <stddef.h>

/* Marks of secrets, and wiping of the stack.

   The marks are for the check of constant time (Scripts/check-secrecy): a secret counts as undefined memory, so that
   valgrind's memcheck reports every branch on it, and every load or store at an address that depends on it. They exist
   only in builds with -DASSAY_SECRECY. In every other build the functions are empty and leave no code. */

/* Overwrites the vector registers (on arm64 all but v8 to v15) and 16 kB of stack below the caller, where the functions
   it called may have left secrets. */
void assay_wipe_stack(void);

#if defined(ASSAY_SECRECY)

#if !__has_include(<valgrind/memcheck.h>)
#error "-DASSAY_SECRECY needs valgrind's headers (Debian: apt-get install valgrind)"
#endif
#include <valgrind/memcheck.h>

/* Whether assay_declassify does nothing. Scripts/check-secrecy uses it to prove that the plaintext is tracked as a
   secret. */
extern int assay_declassification_is_off;

/* Marks `count` bytes as secret. Values computed from them are secret too. */
static inline void assay_mark_secret(const void *bytes, size_t count) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
}

/* Marks `count` bytes as public, so that code may branch on them from here on. */
static inline void assay_declassify(const void *bytes, size_t count) {
  if (!assay_declassification_is_off) (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}

/* Switches assay_declassify off. */
static inline void assay_keep_all_secret(void) { assay_declassification_is_off = 1; }

/* Whether the marks are compiled in and valgrind is running. */
static inline int assay_secrets_are_tracked(void) { return RUNNING_ON_VALGRIND != 0; }

#else

static inline void assay_mark_secret(const void *bytes, size_t count) { (void)bytes, (void)count; }
static inline void assay_declassify(const void *bytes, size_t count) { (void)bytes, (void)count; }
static inline void assay_keep_all_secret(void) {}
static inline int assay_secrets_are_tracked(void) { return 0; }

#endif

#endif
