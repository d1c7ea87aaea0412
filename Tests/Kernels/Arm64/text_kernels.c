/* Compares every text kernel that this processor runs with a specification that reads one byte at a time.

   Scripts/check-arm64 compiles this for arm64 and runs it under qemu-user; it can be compiled for any other
   architecture just as well. Texts end where a page ends, or begin where one begins, and so does the room for the
   output, with no access to the pages around them: a byte read or written outside them ends the program. Three planted
   kernels show that the protected pages and the comparison find faults. Prints how many checks ran; exits with 1 after
   a finding. */

#include "text_specification.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* MARK: Texts at the ends of pages */

enum { ROOM = 4096 * 4, LONGEST = 1200 };

/* Accessible memory between two inaccessible pages. */
static uint8_t *fenced(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (ROOM + page - 1) / page * page;
  uint8_t *memory = mmap(NULL, room + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE) != 0 ||
      mprotect(memory + page + room, page, PROT_NONE) != 0) {
    perror("fenced");
    exit(2);
  }
  return memory + page;
}

static uint8_t *texts, *outputs, *end_of_texts, *end_of_outputs;

static void make_pages(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (ROOM + page - 1) / page * page;
  texts = fenced();
  outputs = fenced();
  end_of_texts = texts + room;
  end_of_outputs = outputs + room;
}

/* MARK: Checks */

static unsigned long long checks, findings;

static void report(const char *kernel, const char *operation, const uint8_t *text, size_t count) {
  if (findings++ >= 10) return;
  printf("%s: %s differs for %zu bytes:", kernel, operation, count);
  for (size_t i = 0; i < count && i < 160; i++) printf(" %02x", text[i]);
  printf("\n");
}

/* Checks one operation of a kernel with text and output at the given addresses. */
static void check_base64_at(const assay_text_kernel *kernel, const uint8_t *text, size_t count, uint8_t *output) {
  static uint8_t wanted[LONGEST];
  const size_t room = count / 4 * 3;
  const bool valid = specified_base64(text, count, wanted);
  memset(output, 0xA5, room);
  checks++;
  if (kernel->base64_decode(text, count, output) != valid || (valid && memcmp(output, wanted, room) != 0)) {
    report(kernel->name, "base64", text, count);
  }
}

static void check_json_at(const assay_text_kernel *kernel, const uint8_t *text, size_t count, uint8_t *output) {
  static uint8_t wanted[LONGEST];
  const assay_json_run run = kernel->json_run(text, count), wanted_run = specified_run(text, count);
  checks += 2;
  if (run.count != wanted_run.count || run.has_escapes != wanted_run.has_escapes) {
    report(kernel->name, "the run", text, count);
  }
  const assay_json_copy wanted_copy = specified_copy(text, count, wanted);
  memset(output, 0xA5, count);
  const assay_json_copy copy = kernel->json_unescape(text, count, output);
  if (copy.read != wanted_copy.read || copy.written != wanted_copy.written ||
      memcmp(output, wanted, copy.written) != 0) {
    report(kernel->name, "unescaping", text, count);
  }
}

typedef void check_at(const assay_text_kernel *, const uint8_t *, size_t, uint8_t *);

/* Checks a text at the end of a page, and at the beginning of one. */
static void check(
    check_at *at, const assay_text_kernel *kernel, const uint8_t *text, size_t count, size_t room) {
  memcpy(end_of_texts - count, text, count);
  at(kernel, end_of_texts - count, count, end_of_outputs - room);
  memcpy(texts, text, count);
  at(kernel, texts, count, outputs);
}

static void check_base64(const assay_text_kernel *kernel, const uint8_t *text, size_t count) {
  check(check_base64_at, kernel, text, count, count / 4 * 3);
}

static void check_json(const assay_text_kernel *kernel, const uint8_t *text, size_t count) {
  check(check_json_at, kernel, text, count, count);
}

/* MARK: Classes of texts */

static uint64_t state = 0x5EED;

static uint32_t random_below(uint32_t bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) % bound;
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void fill_base64(uint8_t *text, size_t count) {
  for (size_t i = 0; i < count; i++) text[i] = (uint8_t)alphabet[random_below(64)];
}

static void base64_classes(const assay_text_kernel *kernel) {
  uint8_t text[LONGEST];
  /* Every length, at every alignment. */
  for (size_t count = 0; count <= 300; count += 4) {
    fill_base64(text, count);
    check_base64(kernel, text, count);
    for (size_t offset = 1; offset < 64; offset++) {
      memcpy(texts + offset, text, count);
      check_base64_at(kernel, texts + offset, count, outputs + offset * 7 % 64);
    }
  }
  /* Every byte at every position, with lengths below, at and above each step of the kernels. */
  const size_t lengths[] = {4, 8, 16, 20, 28, 32, 36, 40, 44, 48, 60, 64, 68, 76, 80, 96, 108, 124, 128, 132, 196, 300};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    fill_base64(text, lengths[i]);
    for (size_t position = 0; position < lengths[i]; position++) {
      const uint8_t original = text[position];
      for (unsigned byte = 0; byte < 256; byte++) {
        text[position] = (uint8_t)byte;
        check_base64(kernel, text, lengths[i]);
      }
      text[position] = original;
    }
  }
  /* Two bytes outside the alphabet, which must not cancel out. */
  for (int i = 0; i < 20000; i++) {
    const size_t count = 4 * (1 + random_below(75));
    fill_base64(text, count);
    text[random_below((uint32_t)count)] = (uint8_t)random_below(256);
    text[random_below((uint32_t)count)] = (uint8_t)random_below(256);
    check_base64(kernel, text, count);
  }
}

static void json_classes(const assay_text_kernel *kernel) {
  uint8_t text[LONGEST];
  /* Every length, at every alignment. */
  for (size_t count = 0; count <= 300; count++) {
    memset(text, 'A', count);
    check_json(kernel, text, count);
    for (size_t offset = 1; offset < 64; offset++) {
      memcpy(texts + offset, text, count);
      check_json_at(kernel, texts + offset, count, outputs + offset * 7 % 64);
    }
  }
  /* Every byte at every position, alone, after a backslash and after two. */
  for (size_t count = 1; count <= 200; count += count < 140 ? 1 : 30) {
    for (size_t backslashes = 0; backslashes <= 2; backslashes++) {
      const size_t every = count <= 40 || count % 32 < 2 || count % 32 > 30 ? 1 : 13;
      for (size_t position = backslashes; position < count; position += every) {
        memset(text, 'n', count);
        memset(text + position - backslashes, '\\', backslashes);
        for (unsigned byte = 0; byte < 256; byte++) {
          text[position] = (uint8_t)byte;
          check_json(kernel, text, count);
        }
      }
    }
  }
  /* Rows of backslashes of every length from every position, before each kind of byte and at the end. */
  for (size_t before = 0; before < 70; before++) {
    for (size_t backslashes = 1; backslashes < 140; backslashes++) {
      for (const char *after = "n\"u\x01x\\"; *after != 0; after++) {
        memset(text, 'b', sizeof text);
        memset(text + before, '\\', backslashes);
        text[before + backslashes] = (uint8_t)*after;
        check_json(kernel, text, before + backslashes + 1 + (before & 1) * 67);
      }
    }
  }
  /* Random texts of the bytes that kernels treat differently. */
  static const char pieces[] = "\\\\\\\\\"/bfnrtuuAAAz ~\x7F\x1F\n\x80\xC3";
  for (int i = 0; i < 60000; i++) {
    const size_t count = random_below(301), often = 1 + random_below(40);
    for (size_t j = 0; j < count; j++) {
      text[j] = random_below((uint32_t)often) == 0 ? (uint8_t)pieces[random_below(sizeof pieces - 1)] : 'n';
    }
    check_json(kernel, text, count);
  }
  /* Strings without anything but escapes and plain text, long enough for every loop. */
  for (int i = 0; i < 4000; i++) {
    size_t count = 0;
    const uint32_t gap = 1 + random_below(100);
    while (count < 900) {
      for (uint32_t plain = random_below(gap); plain > 0; plain--) text[count++] = 'A';
      text[count++] = '\\';
      text[count++] = (uint8_t)"\"\\/bfnrt"[random_below(8)];
    }
    check_json(kernel, text, count);
  }
}

static size_t append_code_unit(uint8_t *text, uint32_t unit) {
  static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
  const char *digits = random_below(2) == 0 ? lower : upper;
  text[0] = '\\';
  text[1] = 'u';
  for (int i = 0; i < 4; i++) text[2 + i] = (uint8_t)digits[unit >> (12 - 4 * i) & 0xF];
  return 6;
}

static void code_unit_classes(const assay_text_kernel *kernel) {
  uint8_t text[LONGEST];
  /* Every code unit; a high surrogate is followed by a random low one. */
  for (uint32_t unit = 0; unit < 0x10000; unit++) {
    size_t count = random_below(70);
    memset(text, 'u', count);
    count += append_code_unit(text + count, unit);
    if (unit >= 0xD800 && unit < 0xDC00) count += append_code_unit(text + count, 0xDC00 + random_below(0x400));
    memset(text + count, 'd', 20);
    check_json(kernel, text, count + random_below(20));
  }
  /* Rows of escapes of each length, cut off everywhere. */
  static const char *const rows[] = {"\\n", "\\u0041", "\\u20aC", "\\uD83d\\udD12"};
  for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
    for (size_t before = 0; before < 20; before++) {
      const size_t length = strlen(rows[row]);
      memset(text, 'n', before);
      for (size_t i = before; i < 300; i++) text[i] = (uint8_t)rows[row][(i - before) % length];
      for (size_t count = before; count < 300; count++) check_json(kernel, text, count);
    }
  }
  /* Code units around every bound, surrogates in any order, other text between them, and one byte that may be wrong. */
  static const uint32_t bounds[] = {0,      0x7F,   0x80,   0x7FF,  0x800,  0xFFF,  0x1000,
                                    0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF};
  static const char *const between[] = {"", "\\n", "\\\\", "\\/", "d800", "u"};
  for (int i = 0; i < 20000; i++) {
    size_t count = 0;
    const uint32_t often = 1 + random_below(4);
    while (count < 300) {
      if (random_below(often) > 0) {
        for (uint32_t plain = random_below(30); plain > 0; plain--) text[count++] = 'u';
        const char *other = between[random_below(sizeof between / sizeof *between)];
        memcpy(text + count, other, strlen(other));
        count += strlen(other);
      }
      const uint32_t unit = random_below(3) == 0 ? bounds[random_below(14)] : random_below(0x10000);
      count += append_code_unit(text + count, unit);
      if (unit >= 0xD800 && unit < 0xDC00 && random_below(8) > 0) {
        count += append_code_unit(text + count, 0xDC00 + random_below(0x400));
      }
    }
    if (random_below(3) == 0) text[random_below((uint32_t)count)] = (uint8_t)random_below(256);
    check_json(kernel, text, count - random_below(64));
  }
}

/* Checks the inline functions that count plain text in short strings. */
static void plain_counts(void) {
  uint8_t text[16];
  for (size_t position = 0; position < 16; position++) {
    for (unsigned byte = 0; byte < 256; byte++) {
      for (int filling = 0; filling < 2; filling++) {
        memset(text, filling == 0 ? ' ' : 0x7F, 16);
        text[position] = (uint8_t)byte;
        /* Another mark after it must not matter. */
        for (size_t second = position; second < 16; second++) {
          if (second > position) text[second] = (uint8_t)random_below(256);
          size_t wanted = 0;
          while (wanted < 16 && text[wanted] != '\\' && specified_run(text + wanted, 1).count == 1) wanted++;
          checks++;
          const uint64_t marks = assay_json_marks(text);
          const size_t plain = marks == 0 ? 16 : (size_t)__builtin_ctzll(marks) / ASSAY_JSON_MARK_BITS;
          if (plain != wanted) report("inline", "the plain count", text, 16);
        }
      }
    }
  }
}

/* MARK: Planted kernels */

static bool yes(void) { return true; }

/* Accepts '-' for '+' in the last place. */
static bool lax_base64(const uint8_t *text, size_t count, uint8_t *output) {
  uint8_t copy[LONGEST];
  memcpy(copy, text, count);
  if (count > 0 && copy[count - 1] == '-') copy[count - 1] = '+';
  return specified_base64(copy, count, output);
}

/* Reads the byte after the text. */
static assay_json_run overlong_run(const uint8_t *text, size_t count) {
  (void)*(const volatile uint8_t *)(text + count);
  return specified_run(text, count);
}

static assay_json_run lax_run(const uint8_t *text, size_t count) {
  assay_json_run run = specified_run(text, count);
  if (run.count == 128 && count > 128 && text[128] == 0x1F) run.count++;
  return run;
}

/* Takes a low surrogate for a character. */
static assay_json_run lax_code_units(const uint8_t *text, size_t count) {
  assay_json_run run = specified_run(text, count);
  const long unit = code_unit(text + run.count, count - run.count);
  if (unit >= 0xDC00 && unit < 0xE000) run.count += 6;
  return run;
}

static const assay_text_kernel lax = {"planted", yes, lax_base64, lax_run, specified_copy};
static const assay_text_kernel surrogates = {"planted", yes, specified_base64, lax_code_units, specified_copy};
static const assay_text_kernel overlong = {"planted", yes, specified_base64, overlong_run, specified_copy};

enum { FOUND = 1, TRAPPED = 3 };

static void trap(int number) {
  (void)number;
  _exit(TRAPPED);
}

/* Whether the checks, in a process of their own, end as expected. */
static bool ends(const assay_text_kernel *kernel, void (*classes)(const assay_text_kernel *), int expected) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, trap);
    signal(SIGBUS, trap);
    findings = 10; /* prints nothing */
    classes(kernel);
    _exit(findings > 10 ? FOUND : 0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == expected;
}

int main(void) {
  make_pages();
  if (!ends(&lax, base64_classes, FOUND) || !ends(&lax, json_classes, FOUND) ||
      !ends(&surrogates, code_unit_classes, FOUND) || !ends(&overlong, json_classes, TRAPPED)) {
    printf("text kernels: a planted fault was not found: nothing was checked\n");
    return 1;
  }
  plain_counts();
  for (size_t index = 0; index < assay_text_kernel_count(); index++) {
    const assay_text_kernel *kernel = assay_text_kernel_at(index);
    if (!kernel->is_supported()) {
      printf("text kernels: %s: not run, this processor does not support it\n", kernel->name);
      continue;
    }
    const unsigned long long before = checks;
    base64_classes(kernel);
    json_classes(kernel);
    code_unit_classes(kernel);
    printf("text kernels: %s: %llu checks\n", kernel->name, checks - before);
  }
  printf("text kernels: %s in use, %llu checks, %llu findings; 4 planted faults found\n",
         assay_text_kernel_current()->name, checks, findings);
  return findings == 0 ? 0 : 1;
}
