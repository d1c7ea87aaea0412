// Records the products and the reduction of scalar/field.h as C++, with a class in place of uint64_t and another in
// place of unsigned __int128, whose operators write down what they are given. The file itself is unchanged.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

static unsigned long values;

[[noreturn]] static void not_recorded(const char *what) {
  fprintf(stderr, "recorder: %s is not recorded\n", what);
  exit(70);
}

static unsigned long written(const char *operation, unsigned long a, unsigned long b = 0, unsigned long c = 0) {
  printf("%lu %s %lu %lu %lu\n", ++values, operation, a, b, c);
  return values;
}

struct Word {
  unsigned long number;
  Word() = default;
  Word(unsigned long constant) : number(written("constant", constant)) {}
  Word(int constant) : Word((unsigned long)constant) {}
  Word(unsigned constant) : Word((unsigned long)constant) {}
  explicit operator bool() const { not_recorded("a branch"); }
};
static Word word(unsigned long number) {
  Word result;
  result.number = number;
  return result;
}

struct Wide {
  unsigned long number;
  Wide() = default;
  Wide(Word word) : number(written("widen", word.number)) {}
  explicit operator Word() const { return word(written("low", number)); }
};
static Wide wide_of(unsigned long number) {
  Wide result;
  result.number = number;
  return result;
}

static Word operator&(Word a, Word b) { return word(written("and", a.number, b.number)); }
static Word operator|(Word a, Word b) { return word(written("or", a.number, b.number)); }
static Word operator^(Word, Word) { not_recorded("an exclusive or"); }
static Word operator+(Word a, Word b) { return word(written("add", a.number, b.number)); }
static Word operator-(Word a, Word b) { return word(written("subtract", a.number, b.number)); }
static Word operator-(Word a) { return 0 - a; }
static Word operator~(Word) { not_recorded("a complement"); }
static Word operator<<(Word a, int bits) { return word(written("left", a.number, (unsigned long)bits)); }
static Word operator>>(Word a, int bits) { return word(written("right", a.number, (unsigned long)bits)); }
static Word &operator^=(Word &, Word) { not_recorded("an exclusive or"); }
static bool operator==(Word, int) { not_recorded("a comparison"); }
static Wide operator*(Wide a, Word b) { return wide_of(written("multiply", a.number, b.number)); }
static Wide operator-(Wide, Word) { not_recorded("a difference of two words"); }
static Wide operator+(Wide, Word) { not_recorded("a sum of two words"); }
static Word operator>>(Wide a, int bits) {
  if (bits != 64) not_recorded("a shift that is not by a word");
  return word(written("high", a.number));
}
/* The carry is the next number. */
static Word add_with_carry(Word a, Word b, Word carry, Word *out) {
  const unsigned long sum = written("add-carry", a.number, b.number, carry.number);
  *out = word(++values);
  return word(sum);
}
static Word subtract_with_borrow(Word a, Word b, Word borrow, Word *out) {
  const unsigned long difference = written("subtract-borrow", a.number, b.number, borrow.number);
  *out = word(++values);
  return word(difference);
}

#define uint64_t Word
#define __int128 Wide
#define __builtin_bswap64(word) (not_recorded("a change of byte order"), word)
#define unsigned
#include "words.h"
#undef unsigned

#define unsigned Word
#define long
#define __asm__(...)
#define __builtin_addcll add_with_carry
#define __builtin_subcll subtract_with_borrow
#include "scalar/field.h"
#undef unsigned
#undef long

static void make_input(const char *name, Word *words, int count) {
  printf("input %s", name);
  for (int i = 0; i < count; i++) printf(" %lu", words[i].number = ++values);
  printf("\n");
}
static void give(const Word *words, int count) {
  printf("output");
  for (int i = 0; i < count; i++) printf(" %lu", words[i].number);
  printf("\n");
}

int main() {
  field a, b;
  wide t;
  printf("program product\n");
  make_input("a", a.w, 4);
  make_input("b", b.w, 4);
  t = f_product(&a, &b);
  give(t.w, 8);
  printf("program square\n");
  make_input("a", a.w, 4);
  t = f_product_square(&a);
  give(t.w, 8);
  printf("program reduce\n");
  make_input("t", t.w, 8);
  a = f_reduce(t);
  give(a.w, 4);
  return 0;
}
