#ifndef ASSAY_COPENSSL_SHIM_H
#define ASSAY_COPENSSL_SHIM_H

/* The low-level EC, ECDSA and SHA-256 functions are deprecated in OpenSSL 3, but their replacements need a provider
   fetch or an allocation per token. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/opensslv.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

/* Inline functions for macros and typed stacks, which Swift cannot import. */
static inline STACK_OF(X509) *assay_sk_X509_new(void) { return sk_X509_new_null(); }
static inline int assay_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) {
  return sk_X509_push(stack, certificate);
}
static inline int assay_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *assay_sk_X509_value(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline void assay_sk_X509_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline void assay_sk_X509_pop_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline int assay_sk_PKCS7_num(const STACK_OF(PKCS7) *stack) { return sk_PKCS7_num(stack); }
static inline PKCS7 *assay_sk_PKCS7_value(const STACK_OF(PKCS7) *stack, int index) {
  return sk_PKCS7_value(stack, index);
}
static inline void assay_sk_PKCS7_pop_free(STACK_OF(PKCS7) *stack) { sk_PKCS7_pop_free(stack, PKCS7_free); }
static inline int assay_sk_PKCS12_SAFEBAG_num(const STACK_OF(PKCS12_SAFEBAG) *stack) {
  return sk_PKCS12_SAFEBAG_num(stack);
}
static inline PKCS12_SAFEBAG *assay_sk_PKCS12_SAFEBAG_value(const STACK_OF(PKCS12_SAFEBAG) *stack, int index) {
  return sk_PKCS12_SAFEBAG_value(stack, index);
}
static inline void assay_sk_PKCS12_SAFEBAG_pop_free(STACK_OF(PKCS12_SAFEBAG) *stack) {
  sk_PKCS12_SAFEBAG_pop_free(stack, PKCS12_SAFEBAG_free);
}
static inline int assay_PKCS7_type_is_data(const PKCS7 *value) { return PKCS7_type_is_data(value); }
static inline int assay_PKCS7_type_is_encrypted(const PKCS7 *value) { return PKCS7_type_is_encrypted(value); }
/* Whether an error means that an algorithm is unknown or that no provider supports it. */
static inline int assay_ERR_is_unsupported(unsigned long error) {
  int reason = ERR_GET_REASON(error);
  if (reason == ERR_R_UNSUPPORTED) return 1;
  if (ERR_GET_LIB(error) == ERR_LIB_PKCS12) return reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM;
  if (ERR_GET_LIB(error) != ERR_LIB_EVP) return 0;
  return reason == EVP_R_UNKNOWN_PBE_ALGORITHM || reason == EVP_R_UNSUPPORTED_PRF ||
         reason == EVP_R_UNSUPPORTED_CIPHER || reason == EVP_R_UNKNOWN_CIPHER ||
         reason == EVP_R_UNSUPPORTED_ALGORITHM || reason == EVP_R_UNSUPPORTED_KEY_DERIVATION_FUNCTION ||
         reason == EVP_R_UNKNOWN_DIGEST;
}
/* Whether an error means that an allocation failed. */
static inline int assay_ERR_is_of_memory(unsigned long error) { return ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE; }
static inline void assay_ERR_raise(
    unsigned long code, const char *file, int line, const char *function, const char *data) {
  ERR_new();
  ERR_set_debug(file, line, function);
  ERR_set_error(ERR_GET_LIB(code), ERR_GET_REASON(code), "%s", data);
}
/* Sets the IV's size of a provider's cipher (provider-cipher(7)). */
static inline int assay_set_iv_size(OSSL_FUNC_cipher_set_ctx_params_fn *set, void *context, size_t size) {
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_size_t(OSSL_CIPHER_PARAM_IVLEN, &size), OSSL_PARAM_END};
  return set(context, parameters);
}
/* Begins authenticated decryption by a provider's cipher, with the expected tag. The provider takes the tag by a
   mutable pointer but only reads it. */
static inline int assay_begin_opening(
    OSSL_FUNC_cipher_decrypt_init_fn *begin, void *context, const unsigned char *key, size_t key_size,
    const unsigned char *iv, size_t iv_size, const unsigned char *tag, size_t tag_size) {
  const OSSL_PARAM parameters[] = {
      {OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, (void *)tag, tag_size, OSSL_PARAM_UNMODIFIED},
      OSSL_PARAM_END};
  return begin(context, key, key_size, iv, iv_size, parameters);
}
static inline void assay_OPENSSL_free(void *pointer) { OPENSSL_free(pointer); }
static inline void *assay_OPENSSL_malloc(size_t count) { return OPENSSL_malloc(count); }

#endif
