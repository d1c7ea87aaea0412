/* Checks every kernel of P-256 that this processor runs, including emulations, on cases from p256_cases.py.

   Scripts/check-arm64 compiles this for arm64 and runs it under qemu-user; it can be compiled for any other
   architecture just as well. The arguments are a file of cases and a seed, which decides how many cases a call is
   given. Prints each finding with the kernel and the case's line, and how many checks ran; exits with 1 after a
   finding. */

#include "CP256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32768, MOST_POINTS = 256, LONGEST = 1024 };

typedef struct {
  unsigned line;
  uint8_t scalar[32], peer[64], secret[32], status;
} agreement;

typedef struct {
  unsigned line;
  size_t point;
  uint8_t digest[32], r[32], s[32];
  bool is_genuine, meets;
} signature;

typedef struct {
  unsigned line;
  size_t point;
  unsigned long position, multiple;
  uint8_t bytes[64];
} entry;

/* A point of which a table is made. */
typedef struct {
  unsigned line;
  uint8_t bytes[64];
  bool is_point;
  uint64_t *table;
} point;

static agreement agreements[MOST];
static signature signatures[MOST];
static entry entries[MOST];
static point points[MOST_POINTS];
static size_t agreement_count, signature_count, meeting_count, entry_count, point_count;

/* MARK: Reading cases */

static void fail(unsigned line, const char *text) {
  fprintf(stderr, "p256 kernels: line %u: %s\n", line, text);
  exit(2);
}

static int digit(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *place = c == 0 ? NULL : strchr(digits, c);
  return place == NULL ? -1 : (int)(place - digits);
}

static void read_bytes(unsigned line, const char *text, uint8_t *bytes, size_t count) {
  if (text == NULL || strlen(text) != 2 * count) fail(line, "not as many digits as there must be");
  for (size_t i = 0; i < count; i++) {
    if (digit(text[2 * i]) < 0 || digit(text[2 * i + 1]) < 0) fail(line, "not a digit");
    bytes[i] = (uint8_t)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  }
}

/* Reads a point and returns its index in `points`. */
static size_t read_point(unsigned line, const char *text, bool is_point) {
  point read = {.line = line, .is_point = is_point};
  read_bytes(line, text, read.bytes, sizeof read.bytes);
  for (size_t i = 0; i < point_count; i++) {
    if (memcmp(points[i].bytes, read.bytes, sizeof read.bytes) == 0 && points[i].is_point == is_point) return i;
  }
  if (point_count == MOST_POINTS) fail(line, "too many points");
  points[point_count] = read;
  return point_count++;
}

static bool is_word(const char *word, const char *wanted) { return word != NULL && strcmp(word, wanted) == 0; }

static void read_agreement(unsigned line, char *words[6]) {
  agreement *read = &agreements[agreement_count++];
  read->line = line;
  read_bytes(line, words[1], read->scalar, 32);
  read_bytes(line, words[2], read->peer, 64);
  read_bytes(line, words[4], read->secret, 32);
  read->status = is_word(words[3], "done")      ? ASSAY_P256_DONE
                 : is_word(words[3], "refused") ? ASSAY_P256_REFUSED
                                                : ASSAY_P256_UNSURE;
}

static void read_signature(unsigned line, char *words[6], const char *last) {
  signature *read = &signatures[signature_count++];
  read->line = line;
  read->point = read_point(line, words[1], true);
  read_bytes(line, words[2], read->digest, 32);
  read_bytes(line, words[3], read->r, 32);
  read_bytes(line, words[4], read->s, 32);
  read->is_genuine = is_word(words[5], "genuine");
  read->meets = is_word(last, "meets");
  meeting_count += read->meets;
}

static void read_entry(unsigned line, char *words[6]) {
  entry *read = &entries[entry_count++];
  read->line = line;
  read->point = read_point(line, words[1], true);
  if (words[2] == NULL || words[3] == NULL) fail(line, "no position");
  read->position = strtoul(words[2], NULL, 10);
  read->multiple = strtoul(words[3], NULL, 10);
  if (read->position >= 32 || read->multiple < 1 || read->multiple > 128) fail(line, "not a place in a table");
  read_bytes(line, words[4], read->bytes, 64);
}

static void read_cases(const char *path) {
  char text[LONGEST];
  FILE *file = fopen(path, "r");
  if (file == NULL) fail(0, "no file of cases");
  for (unsigned line = 1; fgets(text, sizeof text, file) != NULL; line++) {
    if (line == MOST) fail(line, "too many cases");
    char *words[6], *last = NULL;
    for (int i = 0; i < 6; i++) words[i] = strtok(i == 0 ? text : NULL, " \n");
    last = words[5] == NULL ? NULL : strtok(NULL, " \n");
    if (is_word(words[0], "agree")) {
      read_agreement(line, words);
    } else if (is_word(words[0], "verify")) {
      read_signature(line, words, last);
    } else if (is_word(words[0], "table")) {
      read_point(line, words[1], is_word(words[2], "made"));
    } else if (is_word(words[0], "entry")) {
      read_entry(line, words);
    } else {
      fail(line, "not a case");
    }
  }
  fclose(file);
}

/* MARK: Checks */

static unsigned long long checks, findings;

static void check(bool holds, const char *name, unsigned line, const char *text) {
  checks++;
  if (holds) return;
  findings++;
  printf("p256 kernels: %s: line %u: %s\n", name, line, text);
}

static uint64_t state;

static size_t random_below(size_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (size_t)(state >> 33) % bound;
}

/* The random number of operations for the next call: few as often as many. */
static size_t call_size(size_t left) {
  const size_t size = 1 + random_below(random_below(2) == 0 ? 9 : ASSAY_P256_BATCH);
  return size < left ? size : left;
}

/* Writes the four words of a table's coordinate, the lowest first, as bytes in the format of the cases. */
static void write_words(uint8_t *bytes, const uint64_t *words) {
  for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)(words[3 - i / 8] >> (56 - 8 * (i % 8)));
}

/* Makes the table of each point, and compares entries with the expected ones. */
static void check_tables(void) {
  for (size_t i = 0; i < point_count; i++) {
    points[i].table = aligned_alloc(ASSAY_P256_TABLE_ALIGNMENT, ASSAY_P256_TABLE_SIZE);
    if (points[i].table == NULL) fail(points[i].line, "no memory");
    memset(points[i].table, 0xA5, ASSAY_P256_TABLE_SIZE);
    const bool is_made = assay_p256_make_table(points[i].bytes, points[i].table);
    check(is_made == points[i].is_point, "tables", points[i].line, is_made ? "a table was made" : "no table was made");
  }
  for (size_t i = 0; i < entry_count; i++) {
    const entry *wanted = &entries[i];
    const uint64_t *words = points[wanted->point].table + 8 * (128 * wanted->position + wanted->multiple - 1);
    uint8_t bytes[64];
    write_words(bytes, words);
    write_words(bytes + 32, words + 4);
    check(memcmp(bytes, wanted->bytes, sizeof bytes) == 0, "tables", wanted->line, "another entry");
  }
}

static void check_agreements(const assay_p256_kernel *kernel) {
  for (size_t first = 0, size; first < agreement_count; first += size) {
    size = call_size(agreement_count - first);
    assay_p256_agreement call[ASSAY_P256_BATCH];
    uint8_t secrets[ASSAY_P256_BATCH][32], statuses[ASSAY_P256_BATCH];
    memset(secrets, 0xA5, sizeof secrets);
    memset(statuses, 0xA5, sizeof statuses);
    for (size_t i = 0; i < size; i++) {
      const agreement *wanted = &agreements[first + i];
      call[i] = (assay_p256_agreement){wanted->peer, wanted->scalar, secrets[i]};
    }
    kernel->agree(call, size, statuses);
    for (size_t i = 0; i < size; i++) {
      const agreement *wanted = &agreements[first + i];
      check(
          statuses[i] == wanted->status && memcmp(secrets[i], wanted->secret, 32) == 0, kernel->name, wanted->line,
          statuses[i] == wanted->status ? "another secret" : "another status of an agreement");
    }
  }
}

/* How often a signature whose terms meet was left undecided. */
static size_t open_count;

/* Whether a status is right. Only kernels over lanes may leave a signature undecided, and only one that meets. */
static bool is_right(const assay_p256_kernel *kernel, const signature *wanted, uint8_t status) {
  if (status == ASSAY_P256_UNSURE && wanted->meets && kernel->lanes > 1) {
    open_count++;
    return true;
  }
  return status == (wanted->is_genuine ? ASSAY_P256_DONE : ASSAY_P256_REFUSED);
}

static void check_signatures(const assay_p256_kernel *kernel, const uint64_t *generator) {
  for (size_t first = 0, size; first < signature_count; first += size) {
    size = call_size(signature_count - first);
    assay_p256_signature call[ASSAY_P256_BATCH];
    uint8_t statuses[ASSAY_P256_BATCH];
    memset(statuses, 0xA5, sizeof statuses);
    for (size_t i = 0; i < size; i++) {
      const signature *wanted = &signatures[first + i];
      call[i].table = points[wanted->point].table;
      memcpy(call[i].digest, wanted->digest, 32);
      memcpy(call[i].r, wanted->r, 32);
      memcpy(call[i].s, wanted->s, 32);
    }
    kernel->verify(generator, call, size, statuses);
    for (size_t i = 0; i < size; i++) {
      const signature *wanted = &signatures[first + i];
      check(is_right(kernel, wanted, statuses[i]), kernel->name, wanted->line, "another status of a signature");
      if (kernel->verify_one == NULL) continue;
      const uint8_t alone = kernel->verify_one(generator, &call[i]);
      check(is_right(kernel, wanted, alone), kernel->name, wanted->line, "another status of a signature alone");
    }
  }
}

/* The table of the generator, which must be one of the cases' points. */
static const uint64_t *generator_table(void) {
  uint8_t bytes[64];
  assay_p256_generator(bytes);
  for (size_t i = 0; i < point_count; i++) {
    if (memcmp(points[i].bytes, bytes, sizeof bytes) == 0 && points[i].is_point) return points[i].table;
  }
  fail(0, "the generator is not among the cases' points");
  return NULL;
}

int main(int count, char **arguments) {
  if (count != 3) fail(0, "two arguments are needed: a file of cases and a seed");
  read_cases(arguments[1]);
  state = strtoull(arguments[2], NULL, 10);
  check_tables();
  printf("p256 kernels: %zu tables: %llu checks\n", point_count, checks);
  for (size_t index = 0; index < assay_p256_kernel_count(); index++) {
    const assay_p256_kernel *kernel = assay_p256_kernel_at(index);
    if (!kernel->is_supported()) {
      /* The scalar kernel and the emulations are plain C, which runs everywhere. */
      check(!kernel->is_emulated && strcmp(kernel->name, "scalar") != 0, kernel->name, 0, "not supported");
      printf("p256 kernels: %s: not run, this processor does not support it\n", kernel->name);
      continue;
    }
    const unsigned long long before = checks;
    open_count = 0;
    if (kernel->agree != NULL) check_agreements(kernel);
    check_signatures(kernel, generator_table());
    /* Each signature was verified twice: this is half of them. */
    check(open_count <= meeting_count, kernel->name, 0, "leaves most open of what it may");
    printf(
        "p256 kernels: %s: %zu agreements, %zu signatures, %zu times left open: %llu checks\n", kernel->name,
        kernel->agree == NULL ? 0 : agreement_count, signature_count, open_count, checks - before);
  }
  printf("p256 kernels: %llu checks, %llu findings\n", checks, findings);
  return findings == 0 ? 0 : 1;
}
