// Records the product modulo n (signature.c), whose words are plain C: as C++, with a class in place of uint64_t and
// another in place of unsigned __int128, whose operators write down what they are given. The file itself is unchanged.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long recorded_values;

[[noreturn]] static void not_recorded(const char *what) {
  fprintf(stderr, "recorder: %s is not recorded\n", what);
  exit(70);
}

struct Value {
  unsigned long number;
};

static Value written(const char *operation, unsigned long a) {
  printf("%lu %s %lu\n", ++recorded_values, operation, a);
  return {recorded_values};
}
static Value written(const char *operation, unsigned long a, unsigned long b) {
  printf("%lu %s %lu %lu\n", ++recorded_values, operation, a, b);
  return {recorded_values};
}

struct Wide;

struct Word {
  unsigned long number;
  Word() : Word(0UL) {}
  Word(int constant) : Word((unsigned long)constant) {}
  Word(unsigned long constant) : number(written("constant", constant).number) {}
  Word(unsigned constant) : Word((unsigned long)constant) {}
  Word(long constant) : Word((unsigned long)constant) {}
  Word(unsigned long long constant) : Word((unsigned long)constant) {}
  Word(Value value) : number(value.number) {}
  explicit Word(const Wide &wide);
  explicit operator int() const { not_recorded("a conversion to int"); }
};

struct Wide {
  unsigned long number;
  Wide(Value value) : number(value.number) {}
  Wide(const Word &word) : number(written("widen", word.number).number) {}
};

Word::Word(const Wide &wide) : number(written("low-word", wide.number).number) {}

static Word operator&(Word a, Word b) { return written("and", a.number, b.number); }
static Word operator|(Word a, Word b) { return written("or", a.number, b.number); }
static Word operator^(Word a, Word b) { return written("xor", a.number, b.number); }
static Word operator*(Word a, Word b) { return written("multiply-word", a.number, b.number); }
static Word operator~(Word a) { return written("not", a.number); }
static Word operator-(Word a) { return written("negate", a.number); }
static Word operator>>(Word, int) { not_recorded("a shift of a word"); }
static Word &operator^=(Word &a, Word b) { return a = a ^ b; }
static bool operator==(Word, int) { not_recorded("a comparison"); }
static Wide operator*(Wide a, Word b) { return written("multiply-wide", a.number, Wide(b).number); }
static Wide operator+(Wide a, Word b) { return written("add-wide", a.number, Wide(b).number); }
static Wide operator-(Wide a, Word b) { return written("subtract-wide", a.number, Wide(b).number); }
static Wide operator>>(Wide a, int bits) {
  if (bits != 64) not_recorded("a shift that is not by a word");
  return written("high-word", a.number);
}

#define _Static_assert static_assert
#define uint64_t Word
#define __builtin_bswap64(word) (not_recorded("a change of byte order"), word)
#define __int128 Wide
#define unsigned
#include "words.h"
#undef unsigned

static void write_words(const char *what, const Word words[4]) {
  printf("%s", what);
  for (int i = 0; i < 4; i++) printf(" %lu", words[i].number);
  printf("\n");
}

static Word traced_subtract(Word difference[4], const Word a[4], const Word b[4]) {
  const Word borrow = w_subtract(difference, a, b);
  write_words("difference", difference);
  return borrow;
}
#define w_subtract traced_subtract

#include "signature.c"

const prime62 assay_p256_order_prime = {};
void assay_p256_invert_public(Word[4], const Word[4], const prime62 *) { not_recorded("an inverse"); }

static void make_input(const char *name, Word words[4]) {
  printf("input words %s", name);
  for (int i = 0; i < 4; i++) printf(" %lu", words[i].number = ++recorded_values);
  printf("\n");
}

int main() {
  Word a[4], b[4], product[4];
  printf("program multiply\n");
  make_input("a", a);
  make_input("b", b);
  multiply(product, a, b);
  write_words("output product", product);
  return 0;
}
