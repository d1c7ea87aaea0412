#ifndef CREDISTLS_SHIM_H
#define CREDISTLS_SHIM_H

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

// No passphrase: without a callback, OpenSSL asks for that of an encrypted key on the terminal, and waits.
static inline int credistls_no_passphrase(char *bytes, int size, int writes, void *data) { return 0; }

// Macros of OpenSSL, which Swift does not import. 1 for success.
static inline int credistls_restrict(SSL_CTX *context) {
  SSL_CTX_set_default_passwd_cb(context, credistls_no_passphrase);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
  return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}
static inline int credistls_set_server_name(SSL *connection, const char *name) {
  return SSL_set_tlsext_host_name(connection, name) == 1;
}

// Overwrites a secret in a way that no optimiser removes.
static inline void credistls_wipe(void *bytes, size_t count) { OPENSSL_cleanse(bytes, count); }

#endif
