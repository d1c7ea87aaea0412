#ifndef ASSAY_COPENSSL_SHIM_H
#define ASSAY_COPENSSL_SHIM_H

/* The low-level EC, ECDSA and SHA-256 calls used here are deprecated in OpenSSL 3 but have no replacement that works without
   a provider fetch or an allocation per token. */
#define OPENSSL_SUPPRESS_DEPRECATED

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/opensslv.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

/* What macros and typed stacks hide from Swift's importer. */
static inline STACK_OF(X509) *assay_sk_X509_new(void) { return sk_X509_new_null(); }
static inline int assay_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline int assay_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *assay_sk_X509_value(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }
static inline void assay_sk_X509_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }
static inline void assay_sk_X509_pop_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }
static inline void assay_OPENSSL_free(void *pointer) { OPENSSL_free(pointer); }
static inline void *assay_OPENSSL_malloc(size_t count) { return OPENSSL_malloc(count); }

#endif
