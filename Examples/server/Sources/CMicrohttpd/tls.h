#ifndef CMICROHTTPD_TLS_H
#define CMICROHTTPD_TLS_H

#include <gnutls/abstract.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>

// TLS by GnuTLS, which libmicrohttpd uses. A connection gets its certificate when it begins, so that new files apply to
// all later connections. The daemon itself has no certificate.

#define CMICROHTTPD_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

static int cmicrohttpd_no_certificate(
    gnutls_session_t session, const gnutls_datum_t *names, int name_count, const gnutls_pk_algorithm_t *algorithms,
    int algorithm_count, gnutls_pcert_st **certificates, unsigned int *count, gnutls_privkey_t *key) {
  (void)session, (void)names, (void)name_count, (void)algorithms, (void)algorithm_count;
  (void)certificates, (void)count, (void)key;
  return -1;
}

// The session of a connection; NULL when it has none.
static inline gnutls_session_t cmicrohttpd_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info ? (gnutls_session_t)info->tls_session : NULL;
}

// Zero if the client's certificate is valid now, is for TLS clients, and chains to a trusted authority; otherwise flags
// of gnutls_certificate_status_t.
static inline unsigned int cmicrohttpd_client_problems(gnutls_session_t session) {
  unsigned char purpose[] = GNUTLS_KP_TLS_WWW_CLIENT;
  gnutls_typed_vdata_st demand = {GNUTLS_DT_KEY_PURPOSE_OID, purpose, 0};
  unsigned int problems = 0;
  if (gnutls_certificate_verify_peers(session, &demand, 1, &problems) < 0) return GNUTLS_CERT_INVALID;
  return problems;
}

// GnuTLS calls it during the handshake.
static int cmicrohttpd_verify_client(gnutls_session_t session) {
  return cmicrohttpd_client_problems(session) == 0 ? 0 : GNUTLS_E_CERTIFICATE_ERROR;
}

// Checks the certificates of a PEM file alone, and gets the end of validity of the first one. Zero or an error of
// GnuTLS.
static inline int cmicrohttpd_read_certificates(const gnutls_datum_t *file, int64_t *expiry) {
  gnutls_x509_crt_t *list = NULL;
  unsigned int count = 0;
  int result = gnutls_x509_crt_list_import2(&list, &count, file, GNUTLS_X509_FMT_PEM, 0);
  if (result < 0) return result;
  if (count > 0) *expiry = gnutls_x509_crt_get_expiration_time(list[0]);
  for (unsigned int i = 0; i < count; i++) gnutls_x509_crt_deinit(list[i]);
  gnutls_free(list);
  return count > 0 ? 0 : GNUTLS_E_NO_CERTIFICATE_FOUND;
}

// Checks the key of a PEM file alone. Zero or an error of GnuTLS.
static inline int cmicrohttpd_check_key(const gnutls_datum_t *file) {
  gnutls_privkey_t key;
  int result = gnutls_privkey_init(&key);
  if (result < 0) return result;
  result = gnutls_privkey_import_x509_raw(key, file, GNUTLS_X509_FMT_PEM, NULL, 0);
  gnutls_privkey_deinit(key);
  return result;
}

// Loads a certificate with its key and, unless NULL, the authorities of clients, all PEM. Zero or an error of GnuTLS;
// then `culprit` is the index of the parameter that is to blame, or 3 if key and certificate do not fit each other.
static inline int cmicrohttpd_load_certificate(
    gnutls_certificate_credentials_t *made, const gnutls_datum_t *certificate, const gnutls_datum_t *key,
    const gnutls_datum_t *authorities, int64_t *expiry, int *culprit) {
  *culprit = 0;
  int result = cmicrohttpd_read_certificates(certificate, expiry);
  if (result < 0) return result;
  *culprit = 1;
  result = cmicrohttpd_check_key(key);
  if (result < 0) return result;
  *culprit = 3;
  result = gnutls_certificate_allocate_credentials(made);
  if (result < 0) return result;
  result = gnutls_certificate_set_x509_key_mem2(*made, certificate, key, GNUTLS_X509_FMT_PEM, NULL, 0);
  if (result >= 0 && authorities) {
    *culprit = 2;
    result = gnutls_certificate_set_x509_trust_mem(*made, authorities, GNUTLS_X509_FMT_PEM);
    if (result == 0) result = GNUTLS_E_NO_CERTIFICATE_FOUND;
    gnutls_certificate_set_verify_function(*made, cmicrohttpd_verify_client);
  }
  if (result >= 0) return 0;
  gnutls_certificate_free_credentials(*made);
  *made = NULL;
  return result;
}

// Gives a session its certificate, before its handshake. Zero or an error of GnuTLS.
static inline int cmicrohttpd_set_certificate(
    gnutls_session_t session, gnutls_certificate_credentials_t certificate, int demands_client) {
  gnutls_certificate_server_set_request(session, demands_client ? GNUTLS_CERT_REQUIRE : GNUTLS_CERT_IGNORE);
  return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, certificate);
}

// The problems that the client of a session would have in a handshake with these credentials now; zero for none.
static inline unsigned int cmicrohttpd_problems_under(
    gnutls_session_t session, gnutls_certificate_credentials_t credentials) {
  void *own = NULL;
  if (gnutls_credentials_get(session, GNUTLS_CRD_CERTIFICATE, &own) < 0 ||
      gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, credentials) < 0)
    return GNUTLS_CERT_INVALID;
  unsigned int problems = cmicrohttpd_client_problems(session);
  return gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, own) == 0 ? problems : GNUTLS_CERT_INVALID;
}

// The earliest end of validity that is later than `after`, among the certificates that the client has sent and the
// authorities above them, which contain the chain that was verified; INT64_MAX if there is none.
static inline int64_t cmicrohttpd_client_expiry(gnutls_session_t session, int64_t after) {
  void *own = NULL;
  unsigned int count = 0;
  const gnutls_datum_t *sent = gnutls_certificate_get_peers(session, &count);
  if (!sent || gnutls_credentials_get(session, GNUTLS_CRD_CERTIFICATE, &own) < 0) return INT64_MAX;
  int64_t earliest = INT64_MAX;
  for (unsigned int i = 0; i < count; i++) {
    gnutls_x509_crt_t certificate, issuer;
    if (gnutls_x509_crt_init(&certificate) < 0) return 0;
    int64_t ends[] = {0, INT64_MAX};
    if (gnutls_x509_crt_import(certificate, &sent[i], GNUTLS_X509_FMT_DER) >= 0) {
      ends[0] = gnutls_x509_crt_get_expiration_time(certificate);
      if (gnutls_certificate_get_issuer((gnutls_certificate_credentials_t)own, certificate, &issuer, 0) >= 0) {
        ends[1] = gnutls_x509_crt_get_expiration_time(issuer);
      }
    }
    gnutls_x509_crt_deinit(certificate);
    for (int each = 0; each < 2; each++) {
      if (ends[each] > after && ends[each] < earliest) earliest = ends[each];
    }
  }
  return earliest;
}

static inline int cmicrohttpd_is_text(const char *text, size_t size, const char *name) {
  return size == strlen(name) && memcmp(text, name, size) == 0;
}

// Whether the client's certificate has a subject alternative name that equals `name` byte by byte. `name` is a URI if
// it has a colon, a mail address if it has an @, otherwise a DNS name. Names of other kinds do not count, nor does the
// common name (RFC 9525, section 2): an authority's name constraints do not bind them.
static inline int cmicrohttpd_client_is(gnutls_session_t session, const char *name) {
  const int wanted =
      strchr(name, ':') ? GNUTLS_SAN_URI : strchr(name, '@') ? GNUTLS_SAN_RFC822NAME : GNUTLS_SAN_DNSNAME;
  unsigned int count = 0;
  const gnutls_datum_t *chain = gnutls_certificate_get_peers(session, &count);
  gnutls_x509_crt_t leaf;
  if (!chain || count == 0 || gnutls_x509_crt_init(&leaf) < 0) return 0;
  int found = 0;
  int kind = gnutls_x509_crt_import(leaf, &chain[0], GNUTLS_X509_FMT_DER);
  for (unsigned int i = 0; kind >= 0 || kind == GNUTLS_E_SHORT_MEMORY_BUFFER; i++) {
    char text[512];
    size_t size = sizeof text;
    kind = gnutls_x509_crt_get_subject_alt_name(leaf, i, text, &size, NULL);
    if (kind == wanted) found |= cmicrohttpd_is_text(text, size, name);
  }
  gnutls_x509_crt_deinit(leaf);
  return found;
}

#endif
