/* Compares two builds of the kernels on random inputs.

     compare make INPUTS COUNT KERNELS.so           writes agreements and genuine signatures, with the kernels' answers
     compare run INPUTS KERNELS.so NAME             prints how many inputs the kernel of that name answered before it
                                                    gave another answer than is written, or "same"

   Keys and signatures are made by libcrypto, whose random numbers make them. Each answer is made by the fastest kernel
   that the processor supports, and libcrypto's own is compared with it for one in 1,000. */

/* The interface of OpenSSL 1.1 has keys and signatures in fewer steps. */
#define OPENSSL_API_COMPAT 0x10101000L

#include <dlfcn.h>
#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CP256.h"

#define SIGNERS 4

typedef struct {
  uint8_t peer[64], scalar[32], secret[32], digest[32], r[32], s[32], signer, agreed, verified;
} input;

static void fail(const char *reason) {
  fprintf(stderr, "compare: %s\n", reason);
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

static void write_point(const EC_KEY *key, uint8_t *bytes) {
  uint8_t text[65];
  const EC_GROUP *group = EC_KEY_get0_group(key);
  const EC_POINT *point = EC_KEY_get0_public_key(key);
  require(EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, text, 65, NULL) == 65, "no point");
  memcpy(bytes, text + 1, 64);
}

static EC_KEY *new_key(void) {
  EC_KEY *key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1);
  require(key != NULL && EC_KEY_generate_key(key) == 1, "no key");
  return key;
}

/* The signers' points, before the inputs. */
typedef struct {
  uint8_t point[SIGNERS][64];
} header;

typedef struct {
  uint8_t secrets[ASSAY_P256_BATCH][32], agreed[ASSAY_P256_BATCH], verified[ASSAY_P256_BATCH];
} answers;

/* Answers a batch. The scalar kernel has no key agreement. */
static void answer(
    const assay_p256_kernel *kernel, const uint64_t *generator, uint64_t *const *tables, const input *inputs,
    size_t count, answers *result) {
  assay_p256_agreement agreements[ASSAY_P256_BATCH];
  assay_p256_signature signatures[ASSAY_P256_BATCH];
  for (size_t i = 0; i < count; i++) {
    agreements[i] = (assay_p256_agreement){inputs[i].peer, inputs[i].scalar, result->secrets[i]};
    signatures[i].table = tables[inputs[i].signer];
    memcpy(signatures[i].digest, inputs[i].digest, 32);
    memcpy(signatures[i].r, inputs[i].r, 32);
    memcpy(signatures[i].s, inputs[i].s, 32);
  }
  if (kernel->agree != NULL) kernel->agree(agreements, count, result->agreed);
  kernel->verify(generator, signatures, count, result->verified);
}

/* Compares the answers on a genuine input with libcrypto's. */
static void check(const input *made, const EC_KEY *own) {
  uint8_t text[65] = {4}, secret[32];
  const EC_GROUP *group = EC_KEY_get0_group(own);
  EC_POINT *peer = EC_POINT_new(group);
  memcpy(text + 1, made->peer, 64);
  require(EC_POINT_oct2point(group, peer, text, 65, NULL) == 1, "no peer");
  require(ECDH_compute_key(secret, 32, peer, own, NULL) == 32, "no secret");
  require(made->agreed == ASSAY_P256_DONE && memcmp(secret, made->secret, 32) == 0, "libcrypto has another secret");
  require(made->verified == ASSAY_P256_DONE, "a genuine signature is refused");
  EC_POINT_free(peer);
}

static void make(const char *path, size_t count, const library *kernels) {
  const assay_p256_kernel *kernel = kernel_named(kernels, NULL);
  header head;
  uint64_t *tables[SIGNERS];
  EC_KEY *signers[SIGNERS];
  for (int i = 0; i < SIGNERS; i++) {
    signers[i] = new_key();
    write_point(signers[i], head.point[i]);
    tables[i] = table_of(kernels, head.point[i]);
  }
  uint8_t base[64];
  kernels->generator(base);
  const uint64_t *generator = table_of(kernels, base);
  FILE *file = fopen(path, "wb");
  require(file != NULL && fwrite(&head, sizeof head, 1, file) == 1, "the inputs cannot be written");
  input batch[ASSAY_P256_BATCH];
  for (size_t first = 0; first < count; first += ASSAY_P256_BATCH) {
    EC_KEY *own = NULL;
    const size_t size = count - first < ASSAY_P256_BATCH ? count - first : ASSAY_P256_BATCH;
    for (size_t i = 0; i < size; i++) {
      input *made = batch + i;
      EC_KEY *peer = new_key();
      write_point(peer, made->peer);
      EC_KEY_free(own);
      own = new_key();
      require(BN_bn2binpad(EC_KEY_get0_private_key(own), made->scalar, 32) == 32, "no scalar");
      require(RAND_bytes(made->digest, 32) == 1, "no digest");
      made->signer = made->digest[0] % SIGNERS;
      ECDSA_SIG *signature = ECDSA_do_sign(made->digest, 32, signers[made->signer]);
      require(signature != NULL, "no signature");
      BN_bn2binpad(ECDSA_SIG_get0_r(signature), made->r, 32);
      BN_bn2binpad(ECDSA_SIG_get0_s(signature), made->s, 32);
      ECDSA_SIG_free(signature);
      EC_KEY_free(peer);
    }
    answers result;
    answer(kernel, generator, tables, batch, size, &result);
    for (size_t i = 0; i < size; i++) {
      memcpy(batch[i].secret, result.secrets[i], 32);
      batch[i].agreed = result.agreed[i];
      batch[i].verified = result.verified[i];
    }
    if (first / ASSAY_P256_BATCH % 16 == 0) check(batch + size - 1, own);
    EC_KEY_free(own);
    require(fwrite(batch, sizeof *batch, size, file) == size, "the inputs cannot be written");
  }
  require(fclose(file) == 0, "the inputs cannot be written");
}

static bool is_same(const input *expected, const answers *result, size_t i, bool agrees) {
  if (result->verified[i] != expected->verified) return false;
  return !agrees ||
         (result->agreed[i] == expected->agreed && memcmp(result->secrets[i], expected->secret, 32) == 0);
}

static void run(const char *path, const library *kernels, const char *name) {
  const assay_p256_kernel *kernel = kernel_named(kernels, name);
  FILE *file = fopen(path, "rb");
  header head;
  require(file != NULL && fread(&head, sizeof head, 1, file) == 1, "the inputs cannot be read");
  uint64_t *tables[SIGNERS];
  uint8_t base[64];
  /* Another table than before, or none, is another answer. */
  for (int i = 0; i < SIGNERS; i++) tables[i] = table_of(kernels, head.point[i]);
  kernels->generator(base);
  const uint64_t *generator = table_of(kernels, base);
  input batch[ASSAY_P256_BATCH];
  answers result;
  for (size_t first = 0;; first += ASSAY_P256_BATCH) {
    const size_t count = fread(batch, sizeof *batch, ASSAY_P256_BATCH, file);
    if (count == 0) break;
    answer(kernel, generator, tables, batch, count, &result);
    for (size_t i = 0; i < count; i++) {
      if (is_same(batch + i, &result, i, kernel->agree != NULL)) continue;
      printf("%zu\n", first + i);
      return;
    }
  }
  printf("same\n");
}

int main(int count, char **words) {
  if (count == 5 && strcmp(words[1], "make") == 0) {
    const library kernels = open_library(words[4]);
    make(words[2], strtoull(words[3], NULL, 10), &kernels);
  } else if (count == 5 && strcmp(words[1], "run") == 0) {
    const library kernels = open_library(words[3]);
    run(words[2], &kernels, words[4]);
  } else {
    fail("make INPUTS COUNT KERNELS.so | run INPUTS KERNELS.so NAME");
  }
  return 0;
}
