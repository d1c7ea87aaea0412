// Puts a decryptor behind assay's line protocol, so that `assay diff` can compare it with others.
//
// The protocol, one JSON object per line:
//   in   {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
//   out  {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
//   in   {"id":…,"token":base64,"at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
//   out  {"id":…,"accepted":true,"plaintext":base64} or {"id":…,"accepted":false,"code":…,"reason":…}
//
// Usage, with C11 on a POSIX system and libcrypto of OpenSSL 3. Copy this file next to yours, and include it first:
//
//   #include "frame.c"
//   static frame_answer decrypt(frame_bytes token, const frame_key *key, const frame_request *request) {
//     my_payment payment;
//     if (my_decrypt(&payment, token.data, token.size, key->sec1_pem, request->roots, request->at))
//       return frame_refused(my_error(), NULL);  // a crash or exit() is no answer: let it end the program
//     return frame_accepted(payment.data, payment.size);
//   }
//   int main(void) { return frame_serve("mine", "1.0", (const char *[]){"EC_v1", "signature", NULL}, decrypt); }
//
// Build it with -lcrypto. Then: assay diff --external ./yours
//
// Apache 2.0; part of assay. You may copy this file into your own tests.

#define _DEFAULT_SOURCE
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const unsigned char *data;
  size_t size;
} frame_bytes;

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

// A JSON value. Members and items are a list. Text is UTF-8 and ends with a zero byte, which `size` does not count.
typedef struct frame_json {
  enum { FRAME_OBJECT, FRAME_ARRAY, FRAME_STRING, FRAME_NUMBER, FRAME_BOOLEAN, FRAME_NULL } kind;
  char *text;  // of a string, unescaped; of another value but objects and arrays, as written
  size_t size;
  struct frame_json *name;  // of a member, a string
  struct frame_json *first, *next;
} frame_json;

typedef frame_answer frame_decrypt(frame_bytes token, const frame_key *key, const frame_request *request);

// Answers every line of standard input, until it ends; returns 0. `supports` ends with NULL. `decrypt` gets the key
// that the token names, else the first of its version. Without one the token is refused.
int frame_serve(const char *name, const char *version, const char *const *supports, frame_decrypt *decrypt);
// What `decrypt` returns. `reason` is for people; `code` is one of assay's Docs/Verification.md, or NULL.
frame_answer frame_accepted(const unsigned char *plaintext, size_t size);
frame_answer frame_refused(const char *reason, const char *code);
// Key and certificate as PKCS #12 (.p12), DER.
frame_bytes frame_pkcs12(const frame_key *key, const char *password);
// Memory that lasts until the line is answered.
void *frame_allocate(size_t size);
// A JSON document, or NULL.
frame_json *frame_read_json(frame_bytes text);
// A member of an object, or NULL; also if `object` is NULL or another value.
frame_json *frame_member(const frame_json *object, const char *name);
// Decodes padded base64; `data` is NULL if it is none. `text` may be NULL.
frame_bytes frame_decoded(const frame_json *text);
const char *frame_base64(frame_bytes bytes);

// Memory

static struct block {
  struct block *next;
} *frame_blocks;

void *frame_allocate(size_t size) {
  struct block *block = calloc(1, sizeof *block + 16 + size);
  if (!block) abort();
  block->next = frame_blocks;
  frame_blocks = block;
  return (char *)block + 16;
}

static void free_until(struct block *last) {
  for (struct block *block; (block = frame_blocks) != last; free(block)) frame_blocks = block->next;
}

// JSON: RFC 8259, at most 32 levels

static frame_json *read_value(const unsigned char **at, const unsigned char *end, int depth);

static void skip_space(const unsigned char **at, const unsigned char *end) {
  while (*at < end && (**at == ' ' || **at == '\t' || **at == '\n' || **at == '\r')) ++*at;
}

static bool take(const unsigned char **at, const unsigned char *end, char byte) {
  skip_space(at, end);
  return *at < end && **at == byte && ++*at;
}

static frame_json *new_value(int kind, size_t size) {
  frame_json *value = frame_allocate(sizeof *value);
  *value = (frame_json){.kind = kind, .text = frame_allocate(size + 1)};
  return value;
}

static long hex4(const unsigned char *at, const unsigned char *end) {
  long value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = at + i < end ? OPENSSL_hexchar2int(at[i]) : -1;
    if (digit < 0) return -1;
    value = value << 4 | digit;
  }
  return value;
}

// Appends a character as UTF-8; false for a surrogate and above U+10FFFF.
static bool append(frame_json *string, long c) {
  if (c < 0 || (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF) return false;
  int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  string->text[string->size++] = (char)(more ? (0xFF00 >> (more + 1) & 0xFF) | c >> 6 * more : c);
  while (more--) string->text[string->size++] = (char)(0x80 | (c >> 6 * more & 0x3F));
  return true;
}

static bool read_escape(const unsigned char **at, const unsigned char *end, frame_json *string) {
  static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
  const char *letter = *at < end && **at ? strchr(letters, *(*at)++) : NULL;
  if (letter) return append(string, values[letter - letters]);
  if ((*at)[-1] != 'u') return false;
  long c = hex4(*at, end);
  if (c >= 0xD800 && c < 0xDC00 && end - *at >= 10 && (*at)[4] == '\\' && (*at)[5] == 'u') {
    long low = hex4(*at + 6, end);
    if (low < 0xDC00 || low > 0xDFFF) return false;
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
    *at += 6;
  }
  *at += 4;
  return append(string, c);
}

// One character that is not ASCII, in the shortest form: it is written again and compared.
static bool read_utf8(const unsigned char **at, const unsigned char *end, frame_json *string) {
  int more = **at >= 0xF0 ? 3 : **at >= 0xE0 ? 2 : 1;
  if (**at < 0xC0 || end - *at <= more) return false;
  long c = **at & (0x3F >> more);
  for (int i = 1; i <= more; i++) c = c << 6 | ((*at)[i] & 0x3F);
  size_t start = string->size;
  if (!append(string, c) || memcmp(string->text + start, *at, more + 1) != 0) return false;
  *at += more + 1;
  return true;
}

static frame_json *read_string(const unsigned char **at, const unsigned char *end) {
  if (!take(at, end, '"')) return NULL;
  frame_json *string = new_value(FRAME_STRING, end - *at);
  while (*at < end && **at != '"') {
    bool read = **at == '\\' ? (++*at, read_escape(at, end, string))
                : **at >= 0x80 ? read_utf8(at, end, string) : **at >= 0x20 && append(string, *(*at)++);
    if (!read) return NULL;
  }
  return take(at, end, '"') ? string : NULL;
}

static frame_json *read_list(const unsigned char **at, const unsigned char *end, int depth, bool named) {
  frame_json *list = new_value(named ? FRAME_OBJECT : FRAME_ARRAY, 0), **last = &list->first;
  char close = named ? '}' : ']';
  if (take(at, end, close)) return list;
  do {
    frame_json *name = named ? read_string(at, end) : NULL;
    if (named && !(name && take(at, end, ':'))) return NULL;
    frame_json *value = *last = read_value(at, end, depth);
    if (!value) return NULL;
    value->name = name;
    last = &value->next;
  } while (take(at, end, ','));
  return take(at, end, close) ? list : NULL;
}

static bool digits(const unsigned char **at, const unsigned char *end) {
  const unsigned char *start = *at;
  while (*at < end && **at >= '0' && **at <= '9') ++*at;
  return *at > start;
}

static bool one_of(const unsigned char **at, const unsigned char *end, const char *bytes) {
  return *at < end && **at && strchr(bytes, **at) && ++*at;
}

// A number, true, false or null.
static frame_json *read_word(const unsigned char **at, const unsigned char *end) {
  const unsigned char *start = *at;
  int kind = FRAME_NUMBER;
  static const char *const words[] = {"true", "false", "null"};
  for (int i = 0; i < 3; i++) {
    size_t size = strlen(words[i]);
    if ((size_t)(end - start) < size || memcmp(start, words[i], size)) continue;
    kind = i == 2 ? FRAME_NULL : FRAME_BOOLEAN;
    *at += size;
  }
  if (kind == FRAME_NUMBER) {
    one_of(at, end, "-");
    bool valid = one_of(at, end, "0") || digits(at, end);
    if (valid && one_of(at, end, ".")) valid = digits(at, end);
    if (valid && one_of(at, end, "eE")) valid = (one_of(at, end, "+-"), digits(at, end));
    if (!valid) return NULL;
  }
  frame_json *value = new_value(kind, *at - start);
  memcpy(value->text, start, value->size = *at - start);
  return value;
}

static frame_json *read_value(const unsigned char **at, const unsigned char *end, int depth) {
  skip_space(at, end);
  if (*at == end || depth == 32) return NULL;
  if (**at == '"') return read_string(at, end);
  if (one_of(at, end, "{")) return read_list(at, end, depth + 1, true);
  if (one_of(at, end, "[")) return read_list(at, end, depth + 1, false);
  return read_word(at, end);
}

frame_json *frame_read_json(frame_bytes text) {
  const unsigned char *at = text.data, *end = text.data + text.size;
  frame_json *value = read_value(&at, end, 0);
  skip_space(&at, end);
  return at == end ? value : NULL;
}

static bool is(const frame_json *string, const char *text) {
  bool is_string = string && string->kind == FRAME_STRING;
  return is_string && string->size == strlen(text) && !memcmp(string->text, text, string->size);
}

frame_json *frame_member(const frame_json *object, const char *name) {
  frame_json *member = object && object->kind == FRAME_OBJECT ? object->first : NULL;
  while (member && !is(member->name, name)) member = member->next;
  return member;
}

// Base64 and keys

const char *frame_base64(frame_bytes bytes) {
  char *text = frame_allocate(bytes.size / 3 * 4 + 5);
  EVP_EncodeBlock((unsigned char *)text, bytes.data, (int)bytes.size);
  return text;
}

frame_bytes frame_decoded(const frame_json *text) {
  if (!text || text->kind != FRAME_STRING || text->size % 4) return (frame_bytes){0};
  unsigned char *data = frame_allocate(text->size + 1);
  int size = EVP_DecodeBlock(data, (const unsigned char *)text->text, (int)text->size);
  for (size_t end = text->size; size > 0 && end > text->size - 2 && text->text[end - 1] == '='; end--) size--;
  frame_bytes bytes = {data, size < 0 ? 0 : (size_t)size};
  return size >= 0 && is(text, frame_base64(bytes)) ? bytes : (frame_bytes){0};
}

// What was written to a BIO.
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

// Lines. `fault` is set to what makes a line unusable; it repeats nothing of the line.

static const char *fault;

static void demand(bool holds, const char *message) {
  if (!holds && !fault) fault = message;
}

// Checks that an object has only these members, each once: another could be a requirement that nobody checks.
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
