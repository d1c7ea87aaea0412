// Records scalar/point.h over opaque numbers: every operation on them is written down. The numbers have no values to
// compare, so each function is recorded once for every sequence of answers of its comparisons.

#include <initializer_list>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"

#define ASSAY_P256_SCALAR_FIELD_H
#define INLINE static inline __attribute__((always_inline))

/* Number 0 is zero: what C initializes to it. */
struct field {
  unsigned long number;
};

static unsigned long values;
static unsigned answers, asked;

static field written(const char *operation, std::initializer_list<unsigned long> operands) {
  printf("%lu %s", ++values, operation);
  for (unsigned long operand : operands) printf(" %lu", operand);
  printf("\n");
  return {values};
}

static bool answer(const char *question, unsigned long a, unsigned long b) {
  const bool result = answers >> asked++ & 1;
  printf("%s %lu %lu %d\n", question, a, b, result);
  return result;
}

static field f_constant(const uint64_t words[4]) {
  return written("constant", {words[0], words[1], words[2], words[3]});
}
static bool f_is_zero(const field *a) { return answer("zero", a->number, 0); }
static bool f_equal(const field *a, const field *b) { return answer("equal", a->number, b->number); }
static field f_add(const field *a, const field *b) { return written("add", {a->number, b->number}); }
static field f_subtract(const field *a, const field *b) { return written("subtract", {a->number, b->number}); }
static field f_shift(const field *a, int bits) { return written("shift", {a->number, (unsigned long)bits}); }
static field f_negated(const field *a) { return written("subtract", {0, a->number}); }
static field f_multiply(const field *a, const field *b) { return written("multiply", {a->number, b->number}); }
static field f_square(const field *a) { return written("multiply", {a->number, a->number}); }
static field f_multiply_subtract(const field *a, const field *b, const field *c, const field *d) {
  return written("multiply-subtract", {a->number, b->number, c->number, d->number});
}

#include "scalar/point.h"

static field any(const char *name) {
  printf("input %s %lu\n", name, ++values);
  return {values};
}
static void give(std::initializer_list<field> results) {
  printf("output");
  for (field result : results) printf(" %lu", result.number);
  printf("\n");
}

static void record_one(const char *name, void (*record)(void)) {
  for (unsigned script = 0; script < 256; script++) {
    values = asked = 0;
    answers = script;
    printf("program %s\n", name);
    record();
    /* A script with answers that were not asked for repeats another script. */
    printf("end %d\n", script >> asked == 0);
  }
}

static affine any_affine(const char *x, const char *y) {
  const field first = any(x);
  return {first, any(y)};
}
static extended any_extended(void) {
  const field x = any("X"), y = any("Y"), zz = any("ZZ");
  return {x, y, zz, any("ZZZ")};
}

int main() {
  record_one("is_on_curve", [] {
    const affine a = any_affine("x1", "y1");
    printf("result %d\n", is_on_curve(&a));
  });
  record_one("is_extended_on_curve", [] {
    const extended a = any_extended();
    printf("result %d\n", is_extended_on_curve(&a));
  });
  record_one("e_from_affine", [] {
    const affine a = any_affine("x1", "y1");
    const extended r = e_from_affine(&a);
    give({r.x, r.y, r.zz, r.zzz});
  });
  record_one("e_double", [] {
    const extended a = any_extended(), r = e_double(&a);
    give({r.x, r.y, r.zz, r.zzz});
  });
  record_one("e_add_affine", [] {
    extended a = any_extended();
    const affine b = any_affine("x2", "y2");
    e_add_affine(&a, &b);
    give({a.x, a.y, a.zz, a.zzz});
  });
  record_one("a_denominator", [] {
    const affine a = any_affine("x1", "y1"), b = any_affine("x2", "y2");
    give({a_denominator(&a, &b)});
  });
  record_one("a_add", [] {
    const affine a = any_affine("x1", "y1"), b = any_affine("x2", "y2");
    const field inverse = any("inverse");
    const affine r = a_add(&a, &b, &inverse);
    give({r.x, r.y});
  });
  return 0;
}
