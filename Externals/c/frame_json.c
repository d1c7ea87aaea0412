// JSON, base64 and memory for frame.c, which includes this file. A decryptor may read tokens with them.
//
// Apache 2.0; part of assay. You may copy this file into your own tests.

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const unsigned char *data;
  size_t size;
} frame_bytes;

// A JSON value. Members and items are a list. Text is UTF-8 and ends with a zero byte, which `size` does not count.
typedef struct frame_json {
  enum { FRAME_OBJECT, FRAME_ARRAY, FRAME_STRING, FRAME_NUMBER, FRAME_BOOLEAN, FRAME_NULL } kind;
  char *text;  // of a string, unescaped; of another value but objects and arrays, as written
  size_t size;
  struct frame_json *name;  // of a member, a string
  struct frame_json *first, *next;
} frame_json;

// Memory

static struct block {
  struct block *next;
} *frame_blocks;

// Memory that lasts until the line is answered.
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

// One character that is not ASCII. It must be in the shortest form, so it is written again and compared.
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

// A JSON document, or NULL.
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

// A member of an object, or NULL; also if `object` is NULL or another value.
frame_json *frame_member(const frame_json *object, const char *name) {
  frame_json *member = object && object->kind == FRAME_OBJECT ? object->first : NULL;
  while (member && !is(member->name, name)) member = member->next;
  return member;
}

// Base64

const char *frame_base64(frame_bytes bytes) {
  char *text = frame_allocate(bytes.size / 3 * 4 + 5);
  EVP_EncodeBlock((unsigned char *)text, bytes.data, (int)bytes.size);
  return text;
}

// Decodes padded base64; `data` is NULL if it is none. `text` may be NULL.
frame_bytes frame_decoded(const frame_json *text) {
  if (!text || text->kind != FRAME_STRING || text->size % 4) return (frame_bytes){0};
  unsigned char *data = frame_allocate(text->size + 1);
  int size = EVP_DecodeBlock(data, (const unsigned char *)text->text, (int)text->size);
  for (size_t end = text->size; size > 0 && end > text->size - 2 && text->text[end - 1] == '='; end--) size--;
  frame_bytes bytes = {data, size < 0 ? 0 : (size_t)size};
  return size >= 0 && is(text, frame_base64(bytes)) ? bytes : (frame_bytes){0};
}
