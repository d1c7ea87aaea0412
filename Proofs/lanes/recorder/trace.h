/* From here on every call of a function of field.h or product.h is recorded: "call" with its name and number, an
   "operand" for each argument, what the function does, and "return". The functions themselves are the kernel's,
   unchanged; between them the proofs know a number only by its range and its residue. */

#ifndef ASSAY_PROOFS_TRACE_H
#define ASSAY_PROOFS_TRACE_H

/* The functions, by the names that they have without names.h. */
#undef f_mul_sum
#undef f_mul
#undef f_square_sum
#undef f_square
#undef f_mul_sub
#undef f_mul_less_square

static void write_limbs(const char *word, const lanes *limbs, int count) {
  printf("%s", word);
  for (int i = 0; i < count; i++) printf(" %llu", (unsigned long long)operand(*(const __m256i *)&limbs[i]));
  printf("\n");
}
static void write_call(const char *name, unsigned long long number) { printf("call %s %llu\n", name, number); }
static void write_operand(const lanes limbs[5]) { write_limbs("operand", limbs, 5); }
static uint64_t mask_table(lane_mask mask) { return MASK_TABLE(mask); }
static void write_mask(const char *word, lane_mask mask) {
  printf("%s %llu\n", word, (unsigned long long)mask_table(mask));
}

#define TRACED_UNARY(result_type, name, type)                      \
  static __attribute__((unused)) result_type traced_##name(type a) { \
    write_call(#name, 0);                                          \
    write_operand(a.l);                                            \
    const result_type result = name(a);                            \
    write_limbs("return", result.l, 5);                            \
    return result;                                                 \
  }
#define TRACED_NUMBERED(name, number_type)                                        \
  static __attribute__((unused)) field traced_##name(field a, number_type number) { \
    write_call(#name, (unsigned long long)number);                                \
    write_operand(a.l);                                                           \
    const field result = name(a, number);                                         \
    write_limbs("return", result.l, 5);                                           \
    return result;                                                                \
  }
#define TRACED_CONSTANT(result_type, name)                                             \
  static __attribute__((unused)) result_type traced_##name(const uint64_t limbs[5]) {    \
    write_call(#name, 0);                                                              \
    const result_type result = name(limbs);                                            \
    write_limbs("return", result.l, 5);                                                \
    return result;                                                                     \
  }
#define TRACED_SELECT(type, name)                                                             \
  static __attribute__((unused)) type traced_##name(lane_mask mask, type a, type b) {           \
    write_call(#name, (unsigned long long)mask_table(mask));                                  \
    write_operand(a.l);                                                                       \
    write_operand(b.l);                                                                       \
    const type result = name(mask, a, b);                                                     \
    write_limbs("return", result.l, 5);                                                       \
    return result;                                                                            \
  }
#define TRACED_TEST(name, type)                                     \
  static __attribute__((unused)) lane_mask traced_##name(type a) {    \
    write_call(#name, 0);                                           \
    write_operand(a.l);                                             \
    const lane_mask result = name(a);                               \
    write_mask("return-mask", result);                              \
    return result;                                                  \
  }
#define TRACED_SQUARE(type, name)                                                              \
  static __attribute__((unused)) void traced_##name(type *r, const multiplicand *a) {            \
    write_call(#name, 0);                                                                      \
    write_operand(a->l);                                                                       \
    KERNEL_NAME(name)(r, a);                                                                   \
    write_limbs("return", r->l, 5);                                                            \
  }
#define TRACED_PRODUCT(type, name)                                                                             \
  static __attribute__((unused)) void traced_##name(type *r, const multiplicand *a, const multiplicand *b) {     \
    write_call(#name, 0);                                                                                      \
    write_operand(a->l);                                                                                       \
    write_operand(b->l);                                                                                       \
    KERNEL_NAME(name)(r, a, b);                                                                                \
    write_limbs("return", r->l, 5);                                                                            \
  }

#define KERNEL_NAME(name) NAMED(name)

TRACED_CONSTANT(field, f_constant)
TRACED_CONSTANT(multiplicand, m_constant)
TRACED_UNARY(field, f_carry, field)
TRACED_UNARY(multiplicand, f_multiplicand, field)
TRACED_UNARY(field, f_integer, multiplicand)
TRACED_UNARY(multiplicand, f_ready, field)
TRACED_UNARY(field, f_reduced, field)
TRACED_UNARY(field, f_canonical, field)
TRACED_NUMBERED(f_negated, uint64_t)
TRACED_NUMBERED(f_shift, int)
TRACED_SELECT(field, f_select)
TRACED_SELECT(multiplicand, m_select)
TRACED_TEST(f_is_below_p, field)
TRACED_TEST(f_is_zero, field)
TRACED_TEST(m_is_zero, multiplicand)
TRACED_SQUARE(field, f_square_sum)
TRACED_SQUARE(multiplicand, f_square)
TRACED_PRODUCT(field, f_mul_sum)
TRACED_PRODUCT(multiplicand, f_mul)

static __attribute__((unused)) multiplicand traced_m_one(void) {
  write_call("m_one", 0);
  const multiplicand result = m_one();
  write_limbs("return", result.l, 5);
  return result;
}
static __attribute__((unused)) multiplicand traced_m_exchange(multiplicand a, int distance) {
  write_call("m_exchange", (unsigned long long)distance);
  write_operand(a.l);
  const multiplicand result = m_exchange(a, distance);
  write_limbs("return", result.l, 5);
  return result;
}
static __attribute__((unused)) field traced_f_add(field a, field b) {
  write_call("f_add", 0);
  write_operand(a.l);
  write_operand(b.l);
  const field result = f_add(a, b);
  write_limbs("return", result.l, 5);
  return result;
}
static __attribute__((unused)) field traced_f_sub(field a, field b, uint64_t multiple) {
  write_call("f_sub", multiple);
  write_operand(a.l);
  write_operand(b.l);
  const field result = f_sub(a, b, multiple);
  write_limbs("return", result.l, 5);
  return result;
}
static __attribute__((unused)) lane_mask traced_f_equal(field a, field b) {
  write_call("f_equal", 0);
  write_operand(a.l);
  write_operand(b.l);
  const lane_mask result = f_equal(a, b);
  write_mask("return-mask", result);
  return result;
}
static __attribute__((unused)) void traced_f_mul_sub(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c, const multiplicand *d) {
  write_call("f_mul_sub", 0);
  write_operand(a->l);
  write_operand(b->l);
  write_operand(c->l);
  write_operand(d->l);
  KERNEL_NAME(f_mul_sub)(r, a, b, c, d);
  write_limbs("return", r->l, 5);
}
static __attribute__((unused)) void traced_f_mul_less_square(
    multiplicand *r, const multiplicand *a, const multiplicand *b, const multiplicand *c) {
  write_call("f_mul_less_square", 0);
  write_operand(a->l);
  write_operand(b->l);
  write_operand(c->l);
  KERNEL_NAME(f_mul_less_square)(r, a, b, c);
  write_limbs("return", r->l, 5);
}
static __attribute__((unused)) field traced_f_from_words(const lanes words[4]) {
  write_call("f_from_words", 0);
  write_limbs("operand", words, 4);
  const field result = f_from_words(words);
  write_limbs("return", result.l, 5);
  return result;
}
/* The words stand for values. */
static __attribute__((unused)) field traced_f_from_constant_words(const uint64_t words[4]) {
  const lanes values[4] = {l_all(words[0]), l_all(words[1]), l_all(words[2]), l_all(words[3])};
  write_call("f_from_words", 0);
  write_limbs("operand", values, 4);
  const field result = f_from_constant_words(words);
  write_limbs("return", result.l, 5);
  return result;
}
static __attribute__((unused)) void traced_f_to_words(field a, lanes words[4]) {
  write_call("f_to_words", 0);
  write_operand(a.l);
  f_to_words(a, words);
  write_limbs("return", words, 4);
}

#define f_constant traced_f_constant
#define m_constant traced_m_constant
#define m_one traced_m_one
#define m_exchange traced_m_exchange
#define f_carry traced_f_carry
#define f_multiplicand traced_f_multiplicand
#define f_integer traced_f_integer
#define f_ready traced_f_ready
#define f_reduced traced_f_reduced
#define f_canonical traced_f_canonical
#define f_negated traced_f_negated
#define f_shift traced_f_shift
#define f_select traced_f_select
#define m_select traced_m_select
#define f_is_below_p traced_f_is_below_p
#define f_is_zero traced_f_is_zero
#define m_is_zero traced_m_is_zero
#define f_square_sum traced_f_square_sum
#define f_square traced_f_square
#define f_mul_sum traced_f_mul_sum
#define f_mul traced_f_mul
#define f_add traced_f_add
#define f_sub traced_f_sub
#define f_equal traced_f_equal
#define f_mul_sub traced_f_mul_sub
#define f_mul_less_square traced_f_mul_less_square
#define f_from_words traced_f_from_words
#define f_from_constant_words traced_f_from_constant_words
#define f_to_words traced_f_to_words

#endif
