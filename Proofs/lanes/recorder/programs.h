/* The programs that are recorded: each function of the field by itself, and each formula of point.h.
   Proofs/lanes/theorems.py says what is assumed of the inputs and claimed of the outputs. */

#ifndef ASSAY_PROOFS_PROGRAMS_H
#define ASSAY_PROOFS_PROGRAMS_H

/* The inverse modulo p is plain C (../inverse.c), which is not recorded: its result is four words that are that
   inverse, as the part `inverse` proves. */
void assay_p256_invert(uint64_t inverse[4], const uint64_t words[4], const prime62 *prime) {
  if (prime != &assay_p256_field_prime) not_recorded("an inverse modulo another prime");
  printf("call assay_p256_invert 0\noperand");
  for (int i = 0; i < 4; i++) printf(" %llu", (unsigned long long)words[i]);
  printf("\nreturn");
  for (int i = 0; i < 4; i++) {
    standing[i].word = inverse[i] = 0xA55A3CC30F690000 + (unsigned)i;
    standing[i].value = next_value();
    printf(" %llu", (unsigned long long)standing[i].value[0]);
  }
  printf("\n");
}
const prime62 assay_p256_field_prime;

static void begin(const char *name) {
  recorded_comparisons = 0;
  printf("program %s\n", name);
}

static void make_inputs(const char *kind, const char *name, lanes *limbs, int count) {
  printf("input %s %s", kind, name);
  for (int i = 0; i < count; i++) {
    const __m256i value = next_value();
    memcpy(&limbs[i], &value, sizeof value);
    printf(" %llu", (unsigned long long)value[0]);
  }
  printf("\n");
}

static field any_field(const char *name) {
  field result;
  make_inputs("field", name, result.l, 5);
  return result;
}
static multiplicand any_multiplicand(const char *name) {
  multiplicand result;
  make_inputs("multiplicand", name, result.l, 5);
  return result;
}
static lane_mask any_mask(const char *name) {
  lanes word;
  make_inputs("mask", name, &word, 1);
  return l_is_negative(word);
}

static void give(const char *name, const lanes *limbs, int count) {
  printf("output %s", name);
  write_limbs("", limbs, count);
}
static void give_mask(const char *name, lane_mask mask) {
  printf("output-mask %s", name);
  write_mask("", mask);
}

/* A program of one call. */
#define PROGRAM(name, ...) \
  {                        \
    begin(name);           \
    __VA_ARGS__            \
  }
#define FIELD(name) const field name = any_field(#name)
#define MULTIPLICAND(name) const multiplicand name = any_multiplicand(#name)
#define GIVE(name) give(#name, name.l, 5)

static void record_sums(void) {
  static const char *const differences[] = {"", "f_sub/1", "f_sub/2", "f_sub/3", "f_sub/4", "f_sub/5", "f_sub/6"};
  static const char *const negatives[] = {"", "f_negated/1", "f_negated/2", "f_negated/3"};
  static const char *const shifts[] = {"", "f_shift/1", "f_shift/2"};
  PROGRAM("f_add", FIELD(a); FIELD(b); const field r = f_add(a, b); GIVE(r);)
  for (int i = 1; i < 7; i++)
    PROGRAM(differences[i], FIELD(a); FIELD(b); const field r = f_sub(a, b, (uint64_t)i); GIVE(r);)
  for (int i = 1; i < 4; i++) PROGRAM(negatives[i], FIELD(a); const field r = f_negated(a, (uint64_t)i); GIVE(r);)
  for (int i = 1; i < 3; i++) PROGRAM(shifts[i], FIELD(a); const field r = f_shift(a, i); GIVE(r);)
  PROGRAM("f_carry", FIELD(a); const field r = f_carry(a); GIVE(r);)
  PROGRAM("f_ready", FIELD(a); const multiplicand r = f_ready(a); GIVE(r);)
  PROGRAM("f_multiplicand", FIELD(a); const multiplicand r = f_multiplicand(a); GIVE(r);)
  PROGRAM("f_integer", MULTIPLICAND(a); const field r = f_integer(a); GIVE(r);)
  PROGRAM("f_reduced", FIELD(a); const field r = f_reduced(a); GIVE(r);)
  PROGRAM("f_canonical", FIELD(a); const field r = f_canonical(a); GIVE(r);)
  PROGRAM("f_select", const lane_mask m = any_mask("m"); FIELD(a); FIELD(b);
          const field r = f_select(m, a, b); GIVE(r);)
  PROGRAM("m_select", const lane_mask m = any_mask("m"); MULTIPLICAND(a); MULTIPLICAND(b);
          const multiplicand r = m_select(m, a, b); GIVE(r);)
}

static void record_tests(void) {
  PROGRAM("f_is_below_p", FIELD(a); give_mask("r", f_is_below_p(a));)
  PROGRAM("f_is_zero", FIELD(a); give_mask("r", f_is_zero(a));)
  PROGRAM("m_is_zero", MULTIPLICAND(a); give_mask("r", m_is_zero(a));)
  PROGRAM("f_equal", FIELD(a); FIELD(b); give_mask("r", f_equal(a, b));)
}

static void record_products(void) {
  multiplicand r;
  field s;
  PROGRAM("f_mul", MULTIPLICAND(a); MULTIPLICAND(b); f_mul(&r, &a, &b); GIVE(r);)
  PROGRAM("f_square", MULTIPLICAND(a); f_square(&r, &a); GIVE(r);)
  PROGRAM("f_mul_sum", MULTIPLICAND(a); MULTIPLICAND(b); f_mul_sum(&s, &a, &b); give("r", s.l, 5);)
  PROGRAM("f_square_sum", MULTIPLICAND(a); f_square_sum(&s, &a); give("r", s.l, 5);)
  PROGRAM("f_mul_sub", MULTIPLICAND(a); MULTIPLICAND(b); MULTIPLICAND(c); MULTIPLICAND(d);
          f_mul_sub(&r, &a, &b, &c, &d); GIVE(r);)
  PROGRAM("f_mul_less_square", MULTIPLICAND(a); MULTIPLICAND(b); MULTIPLICAND(c);
          f_mul_less_square(&r, &a, &b, &c); GIVE(r);)
}

static void record_conversions(void) {
  lanes words[4];
  PROGRAM("f_from_words", make_inputs("words", "w", words, 4); const field r = f_from_words(words); GIVE(r);)
  PROGRAM("f_to_words", FIELD(a); f_to_words(a, words); give("w", words, 4);)
  PROGRAM("m_to_montgomery", FIELD(a); const multiplicand r = m_to_montgomery(a); GIVE(r);)
  PROGRAM("f_from_montgomery", MULTIPLICAND(a); const field r = f_from_montgomery(&a); GIVE(r);)
  PROGRAM("inverses", MULTIPLICAND(z); multiplicand r; inverses(&r, &z); GIVE(r);)
  PROGRAM("m_one", const multiplicand r = m_one(); GIVE(r);)
}

#define ANY_AFFINE(name) const affine name = {any_field(#name ".x"), any_field(#name ".y")}
#define ANY_EXTENDED(name)                                                                              \
  extended name = {any_field(#name ".x"), any_multiplicand(#name ".y"), any_multiplicand(#name ".zz"), \
                   any_multiplicand(#name ".zzz")}
#define ANY_JACOBIAN(name) \
  jacobian name = {any_field(#name ".x"), any_multiplicand(#name ".two_y"), any_multiplicand(#name ".z")}
#define GIVE_AFFINE(name) give(#name ".x", name.x.l, 5), give(#name ".y", name.y.l, 5)
#define GIVE_EXTENDED(name)                                                                             \
  give(#name ".x", name.x.l, 5), give(#name ".y", name.y.l, 5), give(#name ".zz", name.zz.l, 5), \
      give(#name ".zzz", name.zzz.l, 5)
#define GIVE_JACOBIAN(name) \
  give(#name ".x", name.x.l, 5), give(#name ".two_y", name.two_y.l, 5), give(#name ".z", name.z.l, 5)

static void record_checks(void) {
  PROGRAM("is_on_curve", MULTIPLICAND(x); MULTIPLICAND(y); give_mask("r", is_on_curve(&x, &y));)
  PROGRAM("is_jacobian_on_curve", ANY_JACOBIAN(a); give_mask("r", is_jacobian_on_curve(&a));)
  PROGRAM("is_extended_on_curve", ANY_EXTENDED(a); give_mask("r", is_extended_on_curve(&a));)
}

static void record_points(void) {
  PROGRAM("j_double", ANY_JACOBIAN(a); j_double(&a); GIVE_JACOBIAN(a);)
  PROGRAM("j_add", ANY_JACOBIAN(a); const multiple b = {any_multiplicand("b.x"), any_field("b.two_y")}; j_add(&a, &b);
          GIVE_JACOBIAN(a);)
  PROGRAM("z_double", ANY_AFFINE(a); affine twice; affine once; multiplicand z; z_double(&twice, &once, &z, &a);
          GIVE_AFFINE(twice); GIVE_AFFINE(once); GIVE(z);)
  PROGRAM("z_add", affine a = {any_field("a.x"), any_field("a.y")}; ANY_AFFINE(b); affine sum; multiplicand factor;
          z_add(&sum, &a, &factor, &b); GIVE_AFFINE(sum); GIVE_AFFINE(a); GIVE(factor);)
  PROGRAM("e_add_affine", ANY_EXTENDED(a); ANY_AFFINE(b); const lane_mask m = any_mask("m"); e_add_affine(&a, &b, m);
          GIVE_EXTENDED(a);)
  PROGRAM("e_add", ANY_EXTENDED(a); const ANY_EXTENDED(b); e_add(&a, &b); GIVE_EXTENDED(a);)
  PROGRAM("e_select", const lane_mask m = any_mask("m"); const ANY_EXTENDED(a); const ANY_EXTENDED(b);
          const extended r = e_select(m, a, b); GIVE_EXTENDED(r);)
  PROGRAM("e_exchange", const ANY_EXTENDED(a); const extended r = e_exchange(&a, 1); GIVE_EXTENDED(r);)
  PROGRAM("e_from_affine", ANY_AFFINE(a); const extended r = e_from_affine(&a); GIVE_EXTENDED(r);)
}

/* Records the floating-point state of the kernel's lanes, if they have one: the register before, between and after its
   two functions. */
static void record_state(void) {
#if defined(FLOAT_STATE)
  const unsigned before = FLOAT_STATE();
  const float_state state = set_float_state();
  const unsigned between = FLOAT_STATE();
  restore_float_state(state);
  printf("program set_float_state\nstate %u %u %u\n", before, between, FLOAT_STATE());
#endif
}

int main(void) {
  record_state();
  record_sums();
  record_tests();
  record_products();
  record_conversions();
  record_checks();
  record_points();
  return 0;
}

#endif
