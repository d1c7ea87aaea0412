/* Compares two builds of the kernels on random inputs.

     compare make INPUTS COUNT KERNELS.so           writes agreements and genuine signatures, with the kernels' answers
     compare run INPUTS KERNELS.so NAME             prints how many inputs the kernel of that name answered before it
                                                    gave another answer than is written, or "same"

   Keys and signatures are made by libcrypto, whose random numbers make them. Each answer is made by the fastest kernel
   that the processor supports, and libcrypto's own is compared with it for one in 1,000. */

/* The interface of OpenSSL 1.1 has keys and signatures in fewer steps. */
#define OPENSSL_API_COMPAT 0x10101000L

#include <openssl/ec.h>
#include <openssl/ecdh.h>
#include <openssl/ecdsa.h>
#include <openssl/obj_mac.h>
#include <openssl/rand.h>

#include "inputs.h"

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

/* Makes a key agreement and a signature. Returns the key of the scalar. */
static EC_KEY *make_input(input *made, EC_KEY *const *signers) {
  EC_KEY *peer = new_key(), *own = new_key();
  write_point(peer, made->peer);
  require(BN_bn2binpad(EC_KEY_get0_private_key(own), made->scalar, 32) == 32, "no scalar");
  require(RAND_bytes(made->digest, 32) == 1, "no digest");
  made->signer = made->digest[0] % SIGNERS;
  ECDSA_SIG *signature = ECDSA_do_sign(made->digest, 32, signers[made->signer]);
  require(signature != NULL, "no signature");
  BN_bn2binpad(ECDSA_SIG_get0_r(signature), made->r, 32);
  BN_bn2binpad(ECDSA_SIG_get0_s(signature), made->s, 32);
  ECDSA_SIG_free(signature);
  EC_KEY_free(peer);
  return own;
}

static void make(const char *path, size_t count, const library *kernels) {
  header head;
  EC_KEY *signers[SIGNERS];
  for (int i = 0; i < SIGNERS; i++) {
    signers[i] = new_key();
    write_point(signers[i], head.point[i]);
  }
  batch work;
  set_up(&work, kernels, NULL, &head);
  FILE *file = fopen(path, "wb");
  require(file != NULL && fwrite(&head, sizeof head, 1, file) == 1, "the inputs cannot be written");
  for (size_t first = 0; first < count; first += ASSAY_P256_BATCH) {
    const size_t size = count - first < ASSAY_P256_BATCH ? count - first : ASSAY_P256_BATCH;
    EC_KEY *own = NULL;
    for (size_t i = 0; i < size; i++) {
      EC_KEY_free(own);
      own = make_input(work.inputs + i, signers);
    }
    answers result;
    answer(&work, size, &result);
    for (size_t i = 0; i < size; i++) {
      memcpy(work.inputs[i].secret, result.secrets[i], 32);
      work.inputs[i].agreed = result.agreed[i];
      work.inputs[i].verified = result.verified[i];
    }
    if (first / ASSAY_P256_BATCH % 16 == 0) check(work.inputs + size - 1, own);
    EC_KEY_free(own);
    require(fwrite(work.inputs, sizeof *work.inputs, size, file) == size, "the inputs cannot be written");
  }
  require(fclose(file) == 0, "the inputs cannot be written");
}

static void run(const char *path, const library *kernels, const char *name) {
  batch work;
  FILE *file = open_inputs(path, kernels, name, &work);
  answers result;
  for (size_t first = 0;; first += ASSAY_P256_BATCH) {
    const size_t count = fread(work.inputs, sizeof *work.inputs, ASSAY_P256_BATCH, file);
    if (count == 0) break;
    answer(&work, count, &result);
    for (size_t i = 0; i < count; i++) {
      if (is_same(&work, &result, i)) continue;
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
