/* Inputs of the kernels with their answers, and libraries of kernels, for programs that run them. */

#ifndef ASSAY_PROOFS_INPUTS_H
#define ASSAY_PROOFS_INPUTS_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CP256.h"

#define SIGNERS 4

typedef struct {
  uint8_t peer[64], scalar[32], secret[32], digest[32], r[32], s[32], signer, agreed, verified;
} input;

static void fail(const char *reason) {
  fprintf(stderr, "%s\n", reason);
  exit(2);
}

static void require(int holds, const char *reason) {
  if (!holds) fail(reason);
}

typedef struct {
  size_t (*count)(void);
  const assay_p256_kernel *(*at)(size_t);
  void (*generator)(uint8_t *);
  bool (*make_table)(const uint8_t *, uint64_t *);
} library;

static library open_library(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  require(handle != NULL, "the kernels cannot be loaded");
  library kernels;
  *(void **)&kernels.count = dlsym(handle, "assay_p256_kernel_count");
  *(void **)&kernels.at = dlsym(handle, "assay_p256_kernel_at");
  *(void **)&kernels.generator = dlsym(handle, "assay_p256_generator");
  *(void **)&kernels.make_table = dlsym(handle, "assay_p256_make_table");
  require(kernels.count && kernels.at && kernels.generator && kernels.make_table, "a function is missing");
  return kernels;
}

/* The kernel of a name, or the fastest for NULL. */
static const assay_p256_kernel *kernel_named(const library *kernels, const char *name) {
  for (size_t i = 0; i < kernels->count(); i++) {
    const assay_p256_kernel *kernel = kernels->at(i);
    const bool is_wanted = name == NULL ? kernel->agree != NULL : strcmp(kernel->name, name) == 0;
    if (is_wanted && kernel->is_supported()) return kernel;
  }
  fail("this processor does not support the kernel");
  return NULL;
}

static uint64_t *table_of(const library *kernels, const uint8_t *point) {
  uint64_t *table = aligned_alloc(ASSAY_P256_TABLE_ALIGNMENT, ASSAY_P256_TABLE_SIZE);
  require(table != NULL && kernels->make_table(point, table), "no table");
  return table;
}

/* The signers' points, before the inputs. */
typedef struct {
  uint8_t point[SIGNERS][64];
} header;

typedef struct {
  uint8_t secrets[ASSAY_P256_BATCH][32], agreed[ASSAY_P256_BATCH], verified[ASSAY_P256_BATCH];
} answers;

/* A kernel with the tables that it needs, and inputs. */
typedef struct {
  const assay_p256_kernel *kernel;
  const uint64_t *generator;
  uint64_t *tables[SIGNERS];
  input inputs[ASSAY_P256_BATCH];
} batch;

static void set_up(batch *work, const library *kernels, const char *name, const header *head) {
  uint8_t base[64];
  kernels->generator(base);
  work->kernel = kernel_named(kernels, name);
  work->generator = table_of(kernels, base);
  for (int i = 0; i < SIGNERS; i++) work->tables[i] = table_of(kernels, head->point[i]);
}

/* Opens the inputs that `compare make` wrote, for the kernel of a name. */
static inline FILE *open_inputs(const char *path, const library *kernels, const char *name, batch *work) {
  FILE *file = fopen(path, "rb");
  header head;
  require(file != NULL && fread(&head, sizeof head, 1, file) == 1, "the inputs cannot be read");
  set_up(work, kernels, name, &head);
  return file;
}

/* Answers the first inputs of a batch. The first signature is verified alone if the kernel has a function for that. The
   scalar kernel has no key agreement. */
static void answer(const batch *work, size_t count, answers *result) {
  assay_p256_agreement agreements[ASSAY_P256_BATCH];
  assay_p256_signature signatures[ASSAY_P256_BATCH];
  for (size_t i = 0; i < count; i++) {
    const input *one = work->inputs + i;
    agreements[i] = (assay_p256_agreement){one->peer, one->scalar, result->secrets[i]};
    signatures[i].table = work->tables[one->signer];
    memcpy(signatures[i].digest, one->digest, 32);
    memcpy(signatures[i].r, one->r, 32);
    memcpy(signatures[i].s, one->s, 32);
  }
  if (work->kernel->agree != NULL) work->kernel->agree(agreements, count, result->agreed);
  work->kernel->verify(work->generator, signatures, count, result->verified);
  if (work->kernel->verify_one != NULL) result->verified[0] |= work->kernel->verify_one(work->generator, signatures);
}

/* Whether a kernel gave the answer that is written with input `i`. */
static inline bool is_same(const batch *work, const answers *result, size_t i) {
  const input *expected = work->inputs + i;
  if (result->verified[i] != expected->verified) return false;
  if (work->kernel->agree == NULL) return true;
  return result->agreed[i] == expected->agreed && memcmp(result->secrets[i], expected->secret, 32) == 0;
}

#endif
