// Puts a decryptor behind assay's line protocol, so that `assay diff` can compare it with others.
//
// The protocol, one JSON object per line:
//   in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
//   out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
//   in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
//   out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}
//
// Usage, with C11 on a POSIX system and libcrypto of OpenSSL 3. Copy this file and frame_json.c next to yours, and
// include it first:
//
//   #include "frame.c"
//   static frame_answer decrypt(frame_bytes token, const frame_key *key, const frame_request *request) {
//     my_payment payment;
//     if (my_decrypt(&payment, token.data, token.size, key->sec1_pem, request->roots, request->at))
//       return frame_refused(my_error(), NULL);  // a crash or exit() is not a refusal: it ends the program
//     return frame_accepted(payment.data, payment.size);
//   }
//   int main(void) { return frame_serve("mine", "1.0", (const char *[]){"EC_v1", "signature", NULL}, decrypt); }
//
// Build it with -lcrypto. Then: assay diff --external ./yours
//
// Apache 2.0; part of assay. You may copy this file into your own tests.

#define _DEFAULT_SOURCE
#include "frame_json.c"

#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

// A merchant's private key in the forms that libraries ask for.
typedef struct {
  EVP_PKEY *private_key;
  const char *version;          // of the tokens that it decrypts: EC_v1 or RSA_v1
  const char *pkcs8_pem;        // -----BEGIN PRIVATE KEY-----
  const char *sec1_pem;         // -----BEGIN EC PRIVATE KEY-----, NULL for an RSA key
  X509 *certificate;            // or NULL
  const char *certificate_pem;  // or NULL
  const char *merchant_id;      // or NULL
  bool has_merchant_id_hash;
  unsigned char merchant_id_hash[32];  // SHA-256 of the merchant ID: from the certificate, else of merchant_id
  unsigned char public_key_hash[32];   // SHA-256 of the SubjectPublicKeyInfo, which a token names the key by
} frame_key;

// A line with a token, and what hello gave.
typedef struct {
  const frame_key *keys;
  size_t key_count;
  const char **roots;  // PEM; trust no other
  size_t root_count;
  long long window;     // seconds that the signing time may be from `at`; -1 where it is not checked
  time_t at;            // the verification time
  const char *at_text;  // as RFC 3339
  struct {
    const char *envelope;          // apple, the bare token, if not given
    bool accepts_unsigned, replay;
    const char *currency;          // expected; NULL for any
    const char *amount;            // expected, in digits; NULL for any
    const char *application_data;  // expected, in hex; NULL for any
    const char **revoked;          // SHA-256 in hex
    size_t revoked_count;
  } policy;
  const frame_bytes *prelude;  // tokens to decrypt before this one, for replay detection
  size_t prelude_count;
} frame_request;

typedef struct {
  bool accepted;
  frame_bytes plaintext;
  const char *reason, *code;
} frame_answer;

typedef frame_answer frame_decrypt(frame_bytes token, const frame_key *key, const frame_request *request);

// Answers every line of standard input, until it ends; returns 0. `supports` ends with NULL. `decrypt` gets the key
// that the token names, else the first of its version. Without one the token is refused.
int frame_serve(const char *name, const char *version, const char *const *supports, frame_decrypt *decrypt);
// What `decrypt` returns. `reason` is for people; `code` is one of assay's Docs/Verification.md, or NULL.
frame_answer frame_accepted(const unsigned char *plaintext, size_t size);
frame_answer frame_refused(const char *reason, const char *code);
// Key and certificate as PKCS #12 (.p12), DER.
frame_bytes frame_pkcs12(const frame_key *key, const char *password);
// Keys

// The bytes that were written to a BIO.
static frame_bytes written(BIO *bio) {
  char *data;
  long size = BIO_get_mem_data(bio, &data);
  frame_bytes bytes = {memcpy(frame_allocate(size + 1), data, size), size};
  BIO_free(bio);
  return bytes;
}

frame_bytes frame_pkcs12(const frame_key *key, const char *password) {
  BIO *bio = BIO_new(BIO_s_mem());
  PKCS12 *file = PKCS12_create(password, NULL, key->private_key, key->certificate, NULL, 0, 0, 0, 0, 0);
  i2d_PKCS12_bio(bio, file);
  PKCS12_free(file);
  return written(bio);
}

static void find_merchant_id_hash(frame_key *key) {
  ASN1_OBJECT *identifier = OBJ_txt2obj("1.2.840.113635.100.6.32", 1);
  int index = key->certificate ? X509_get_ext_by_OBJ(key->certificate, identifier, -1) : -1;
  ASN1_OBJECT_free(identifier);
  if (index >= 0) {  // It ends with 64 digits in hex.
    ASN1_OCTET_STRING *value = X509_EXTENSION_get_data(X509_get_ext(key->certificate, index));
    char *text = frame_allocate(65);
    if (value->length >= 64) memcpy(text, value->data + value->length - 64, 64);
    size_t size;
    key->has_merchant_id_hash = OPENSSL_hexstr2buf_ex(key->merchant_id_hash, 32, &size, text, 0) == 1 && size == 32;
  } else if (key->merchant_id) {
    SHA256((const unsigned char *)key->merchant_id, strlen(key->merchant_id), key->merchant_id_hash);
    key->has_merchant_id_hash = true;
  }
}

static bool load_key(frame_key *key, const char *pem) {
  BIO *input = BIO_new_mem_buf(pem, -1);
  key->private_key = PEM_read_bio_PrivateKey(input, NULL, NULL, "");
  BIO_free(input);
  if (key->certificate_pem) {
    input = BIO_new_mem_buf(key->certificate_pem, -1);
    key->certificate = PEM_read_bio_X509(input, NULL, NULL, NULL);
    BIO_free(input);
  }
  if (!key->private_key || (key->certificate_pem && !key->certificate)) return false;
  bool is_ec = EVP_PKEY_get_base_id(key->private_key) == EVP_PKEY_EC;
  key->version = is_ec ? "EC_v1" : "RSA_v1";
  BIO *pkcs8 = BIO_new(BIO_s_mem()), *sec1 = BIO_new(BIO_s_mem()), *public = BIO_new(BIO_s_mem());
  PEM_write_bio_PKCS8PrivateKey(pkcs8, key->private_key, NULL, NULL, 0, NULL, NULL);
  PEM_write_bio_PrivateKey_traditional(sec1, key->private_key, NULL, NULL, 0, NULL, NULL);
  i2d_PUBKEY_bio(public, key->private_key);
  key->pkcs8_pem = (const char *)written(pkcs8).data;
  const char *traditional = (const char *)written(sec1).data;
  key->sec1_pem = is_ec ? traditional : NULL;
  frame_bytes information = written(public);
  SHA256(information.data, information.size, key->public_key_hash);
  find_merchant_id_hash(key);
  return true;
}

// Lines. `fault` says why a line is unusable; it repeats nothing of the line.

static const char *fault;

static void demand(bool holds, const char *message) {
  if (!holds && !fault) fault = message;
}

// Checks that an object has only these members, each once. An unknown one could be a requirement that is not checked.
static void demand_known(const frame_json *object, const char *const *names) {
  if (!object) return;
  demand(object->kind == FRAME_OBJECT, "an object is missing");
  for (const frame_json *member = object->first; member; member = member->next) {
    bool known = false;
    for (int i = 0; names[i]; i++) known |= is(member->name, names[i]);
    demand(known && frame_member(object, member->name->text) == member, "a member is unknown, or there twice");
  }
}

// A member, NULL if it is absent or null.
static frame_json *optional(const frame_json *object, const char *name, int kind) {
  frame_json *value = frame_member(object, name);
  if (!value || value->kind == FRAME_NULL) return NULL;
  demand((int)value->kind == kind, "a member has another type");
  return (int)value->kind == kind ? value : NULL;
}

static const char *text(const frame_json *value) { return value ? value->text : NULL; }

static bool is_true(const frame_json *value) { return value && value->text[0] == 't'; }

static bool is_whole_number(const frame_json *value) { return !value || !strpbrk(value->text, ".eE"); }

static size_t count(const frame_json *array, int kind) {
  size_t count = 0;
  for (const frame_json *item = array ? array->first : NULL; item; item = item->next, count++)
    demand((int)item->kind == kind, "an item has another type");
  return fault ? 0 : count;
}

static const char **texts(const frame_json *array, size_t *size) {
  *size = count(array, FRAME_STRING);
  const char **texts = frame_allocate((*size + 1) * sizeof *texts);
  for (size_t i = 0; i < *size; i++) texts[i] = (i ? (array = array->next) : (array = array->first))->text;
  return texts;
}

static frame_bytes token_of(const frame_json *text) {
  frame_bytes token = frame_decoded(text);
  demand(token.data, "a token is missing or not padded base64");
  return token;
}

static void read_hello(frame_request *hello, const frame_json *message) {
  demand_known(message, (const char *[]){"hello", "keys", "rootsPem", "windowSeconds", NULL});
  frame_json *version = optional(message, "hello", FRAME_NUMBER), *keys = optional(message, "keys", FRAME_ARRAY);
  frame_json *roots = optional(message, "rootsPem", FRAME_ARRAY);
  frame_json *window = optional(message, "windowSeconds", FRAME_NUMBER);
  demand(version && !strcmp(version->text, "1"), "hello is not 1");
  demand(keys && roots && frame_member(message, "windowSeconds"), "keys, rootsPem or windowSeconds is missing");
  demand(is_whole_number(window) && (!window || window->text[0] != '-'), "windowSeconds is not a whole number");
  *hello = (frame_request){.key_count = count(keys, FRAME_OBJECT), .window = window ? atoll(window->text) : -1};
  hello->roots = texts(roots, &hello->root_count);
  frame_key *key = frame_allocate((hello->key_count + 1) * sizeof *key);
  hello->keys = key;
  for (frame_json *item = keys ? keys->first : NULL; item && !fault; item = item->next, key++) {
    demand_known(item, (const char *[]){"privateKeyPem", "certificatePem", "merchantId", NULL});
    frame_json *private_key = optional(item, "privateKeyPem", FRAME_STRING);
    key->certificate_pem = text(optional(item, "certificatePem", FRAME_STRING));
    key->merchant_id = text(optional(item, "merchantId", FRAME_STRING));
    demand(private_key && load_key(key, private_key->text), "a key or its certificate cannot be read");
  }
}

static void read_policy(frame_request *request, const frame_json *policy) {
  demand_known(policy, (const char *[]){"envelope", "unsigned", "expect", "replay", "revoked", NULL});
  const frame_json *expect = optional(policy, "expect", FRAME_OBJECT);
  const frame_json *amount = optional(expect, "amount", FRAME_NUMBER);
  demand_known(expect, (const char *[]){"currency", "amount", "applicationData", NULL});
  demand(is_whole_number(amount), "amount is not a whole number");
  const char *envelope = text(optional(policy, "envelope", FRAME_STRING));
  request->policy.envelope = envelope ? envelope : "apple";
  request->policy.accepts_unsigned = is_true(optional(policy, "unsigned", FRAME_BOOLEAN));
  request->policy.replay = is_true(optional(policy, "replay", FRAME_BOOLEAN));
  request->policy.currency = text(optional(expect, "currency", FRAME_STRING));
  request->policy.amount = text(amount);
  request->policy.application_data = text(optional(expect, "applicationData", FRAME_STRING));
  request->policy.revoked = texts(optional(policy, "revoked", FRAME_ARRAY), &request->policy.revoked_count);
}

static void read_request(frame_request *request, const frame_json *message) {
  demand_known(message, (const char *[]){"id", "token", "at", "policy", "prelude", NULL});
  const char *at = text(optional(message, "at", FRAME_STRING));
  struct tm parts = {0};
  char again[32] = "";
  if (at && sscanf(at, "%4d-%2d-%2dT%2d:%2d:%2dZ", &parts.tm_year, &parts.tm_mon, &parts.tm_mday, &parts.tm_hour,
                   &parts.tm_min, &parts.tm_sec) == 6) {
    parts.tm_year -= 1900, parts.tm_mon--;
    request->at = timegm(&parts);  // A 30th of February becomes another day, which the comparison shows.
    strftime(again, sizeof again, "%Y-%m-%dT%H:%M:%SZ", &parts);
  }
  demand(at && !strcmp(at, again), "at is not a time like 2026-01-31T12:00:00Z");
  request->at_text = at;
  read_policy(request, optional(message, "policy", FRAME_OBJECT));
  frame_json *prelude = optional(message, "prelude", FRAME_ARRAY);
  request->prelude_count = count(prelude, FRAME_STRING);
  frame_bytes *token = frame_allocate((request->prelude_count + 1) * sizeof *token);
  request->prelude = token;
  for (frame_json *item = prelude ? prelude->first : NULL; item && !fault; item = item->next) *token++ = token_of(item);
}

// Whether `supports` lists all that the line needs.
static bool is_supported(const frame_request *request, const char *version, const char *const *supports) {
  bool expects = request->policy.currency || request->policy.amount || request->policy.application_data;
  const char *needs[] = {version,
                         strcmp(request->policy.envelope, "apple") ? "envelopes" : NULL,
                         expects ? "expect" : NULL,
                         request->policy.replay ? "replay" : NULL,
                         request->policy.revoked_count ? "revoked" : NULL,
                         request->policy.accepts_unsigned ? "unsigned" : NULL};
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
    bool listed = !needs[i];
    for (int j = 0; supports[j]; j++) listed |= needs[i] && !strcmp(needs[i], supports[j]);
    if (!listed) return false;
  }
  return true;
}

static const frame_key *choose_key(const frame_request *request, const char *version, const frame_json *token) {
  frame_bytes named = frame_decoded(frame_member(frame_member(token, "header"), "publicKeyHash"));
  const frame_key *chosen = NULL;
  for (const frame_key *key = request->keys + request->key_count; key-- > request->keys;) {
    if (version && strcmp(version, key->version)) continue;
    if (named.size == 32 && !memcmp(named.data, key->public_key_hash, 32)) return key;
    chosen = key;
  }
  return chosen;
}

// Writes a JSON string of `limit` characters at most.
static void write_string(FILE *output, const char *text, size_t size, size_t limit) {
  fputc('"', output);
  for (size_t i = 0; i < size; i++) {
    if ((text[i] & 0xC0) != 0x80 && limit-- == 0) break;
    if ((unsigned char)text[i] < 0x20) fprintf(output, "\\u%04x", text[i]);
    else fprintf(output, text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c", text[i]);
  }
  fputc('"', output);
}

static void write_answer(FILE *output, frame_answer answer) {
  if (answer.accepted) {
    fprintf(output, ",\"accepted\":true,\"plaintext\":\"%s\"}", frame_base64(answer.plaintext));
    return;
  }
  fputs(",\"accepted\":false,\"code\":", output);
  if (answer.code) write_string(output, answer.code, strlen(answer.code), 200);
  else fputs("null", output);
  char *reason = strcpy(frame_allocate(strlen(answer.reason) + 1), answer.reason);
  for (char *c = reason; *c; c++) *c = (unsigned char)*c < 0x20 ? ' ' : *c;
  fputs(",\"reason\":", output);
  write_string(output, reason, strlen(reason), 200);
  fputc('}', output);
}

frame_answer frame_accepted(const unsigned char *plaintext, size_t size) {
  return (frame_answer){.accepted = true, .plaintext = {plaintext, size}};
}

frame_answer frame_refused(const char *reason, const char *code) {
  return (frame_answer){.reason = reason, .code = code};
}

// Answers a line with a token.
static void answer_token(FILE *output, const frame_json *message, frame_request request, const char *const *supports,
                         frame_decrypt *decrypt) {
  frame_bytes token = token_of(optional(message, "token", FRAME_STRING));
  read_request(&request, message);
  demand(!request.policy.replay || request.window >= 0, "replay needs a window");
  if (fault) return;
  const frame_json *members = frame_read_json(token), *version = frame_member(members, "version");
  const char *known = is(version, "EC_v1") || is(version, "RSA_v1") ? version->text : NULL;
  const frame_key *key = choose_key(&request, known, members);
  if (!is_supported(&request, known, supports)) fputs(",\"unsupported\":true}", output);
  else write_answer(output, key ? decrypt(token, key, &request) : frame_refused("hello has no merchant key", NULL));
}

int frame_serve(const char *name, const char *version, const char *const *supports, frame_decrypt *decrypt) {
  FILE *output = fdopen(dup(STDOUT_FILENO), "w");
  dup2(STDERR_FILENO, STDOUT_FILENO);  // Only answers go to standard output, whatever a library prints.
  frame_request hello = {0};
  bool greeted = false;
  struct block *kept = NULL;
  char *line = NULL;
  size_t capacity = 0;
  for (ssize_t size; (size = getline(&line, &capacity, stdin)) >= 0; free_until(kept)) {
    fault = NULL;
    frame_json *message = frame_read_json((frame_bytes){(unsigned char *)line, size});
    frame_json *id = optional(message, "id", FRAME_STRING);
    demand(message && message->kind == FRAME_OBJECT, "the line is not a JSON object");
    if (frame_member(message, "hello") || (!greeted && !id)) {
      demand(!greeted, "hello was accepted before");
      if (!greeted) read_hello(&hello, message);
      fputs("{\"hello\":1", output);
      if (!fault) {
        greeted = true;
        kept = frame_blocks;
        fprintf(output, ",\"name\":\"%s\",\"version\":\"%s\",\"supports\":[", name, version);
        for (int i = 0; supports[i]; i++) fprintf(output, "%s\"%s\"", i ? "," : "", supports[i]);
        fputs("]}", output);
      }
    } else {
      fputs("{\"id\":", output);
      if (id) write_string(output, id->text, id->size, (size_t)-1);
      else fputs("null", output);
      demand(id, "id is missing or not a string");
      demand(greeted, "hello comes first");
      if (!fault) answer_token(output, message, hello, supports, decrypt);
    }
    if (fault) fprintf(output, ",\"error\":\"%s\"}", fault);
    fputc('\n', output);
    fflush(output);
  }
  free(line);
  return 0;
}
