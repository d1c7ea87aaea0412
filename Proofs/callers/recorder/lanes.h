// Stands for a backend, field.h, inverse.h and point.h when their callers are recorded: every operation writes down its
// operands and gives its result a number. Nothing is computed. All lanes do the same, so one number stands for all of
// them; what differs between lanes is in memory: words that are loaded, and entries of tables.
//
// A line is the result's number, the operation, an immediate number and the operands; Proofs/callers/recording.py reads
// it.

#pragma once

#include <initializer_list>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSAY_P256_FIELD_H
#define ASSAY_P256_POINT_H
#define _Static_assert static_assert
#define LANES_BEGIN
#define LANES_END
#define HOT __attribute__((noinline))

#include "constants.h"
#include "lanes/base.h"

static uint64_t values;

/* Writes an operation with `results` results; returns the number of the first. */
static uint64_t operation(
    const char *name, std::initializer_list<uint64_t> operands, uint64_t immediate = 0, unsigned results = 1) {
  const uint64_t first = values + 1;
  values += results;
  printf("%llu %s %llu", (unsigned long long)first, name, (unsigned long long)immediate);
  for (uint64_t operand : operands) printf(" %llu", (unsigned long long)operand);
  printf("\n");
  return first;
}

struct lanes {
  uint64_t id;
};
struct lane_mask {
  uint64_t id;
};
struct field {
  uint64_t id;
};
struct multiplicand {
  uint64_t id;
};
struct jacobian {
  field x;
  multiplicand two_y, z;
};
struct extended {
  field x;
  multiplicand y, zz, zzz;
};
struct affine {
  field x, y;
};
struct multiple {
  multiplicand x;
  field two_y;
};

static lane_mask operator&(lane_mask a, lane_mask b) { return {operation("both", {a.id, b.id})}; }
static lane_mask operator|(lane_mask a, lane_mask b) { return {operation("either", {a.id, b.id})}; }
static lane_mask operator~(lane_mask a) { return {operation("not", {a.id})}; }

#define WORD_OPERATION(name) \
  static lanes name(lanes a, lanes b) { return {operation(#name, {a.id, b.id})}; }
WORD_OPERATION(l_add)
WORD_OPERATION(l_sub)
WORD_OPERATION(l_and)
WORD_OPERATION(l_or)
WORD_OPERATION(l_xor)
static lanes l_all(uint64_t word) { return {operation("l_all", {}, word)}; }
static lanes l_shl(lanes a, int bits) { return {operation("l_shl", {a.id}, (uint64_t)bits)}; }
static lanes l_shr(lanes a, int bits) { return {operation("l_shr", {a.id}, (uint64_t)bits)}; }
static lane_mask l_is_zero(lanes a) { return {operation("l_is_zero", {a.id})}; }
static lane_mask l_is_negative(lanes a) { return {operation("l_is_negative", {a.id})}; }
static lane_mask l_mask(unsigned bits) { return {operation("l_mask", {}, bits)}; }

/* The words of all lanes. */
static lanes l_load(const uint64_t *words) {
  const uint64_t id = operation("l_load", {});
  printf("words");
  for (int lane = 0; lane < LANES; lane++) printf(" %llu", (unsigned long long)words[lane]);
  printf("\n");
  return {id};
}
/* What is stored names the value and the lane. */
static void l_store(uint64_t *words, lanes a) {
  for (uint64_t lane = 0; lane < LANES; lane++) words[lane] = a.id << 8 | lane;
}
/* Public bits of a mask: what the program that records chooses. */
static unsigned (*bits_of_mask)(uint64_t mask);
static unsigned l_bits(lane_mask mask) {
  const unsigned bits = bits_of_mask(mask.id);
  operation("l_bits", {mask.id}, bits);
  return bits;
}
/* Where an entry is, in memory that the recording program knows. */
static void write_entry(const uint64_t *entry);
static void l_load_entries(const uint64_t *const entries[LANES], lanes words[8]) {
  const uint64_t id = operation("l_load_entries", {}, 0, 8);
  for (int lane = 0; lane < LANES; lane++) write_entry(entries[lane]);
  for (unsigned i = 0; i < 8; i++) words[i].id = id + i;
}

typedef uint64_t float_state;
static float_state set_float_state(void) { return operation("set_float_state", {}); }
static void restore_float_state(float_state state) { operation("restore_float_state", {state}); }

#define UNARY(result, name, type) \
  static result name(type a) { return {operation(#name, {a.id})}; }
UNARY(field, f_carry, field)
UNARY(field, f_reduced, field)
UNARY(field, f_canonical, field)
UNARY(multiplicand, f_multiplicand, field)
UNARY(multiplicand, f_ready, field)
UNARY(field, f_integer, multiplicand)
UNARY(multiplicand, m_to_montgomery, field)
UNARY(lane_mask, f_is_below_p, field)
UNARY(lane_mask, f_is_zero, field)
UNARY(lane_mask, m_is_zero, multiplicand)
static field f_from_montgomery(const multiplicand *a) { return {operation("f_from_montgomery", {a->id})}; }
static field f_negated(field a, uint64_t multiple) { return {operation("f_negated", {a.id}, multiple)}; }
static field f_shift(field a, int bits) { return {operation("f_shift", {a.id}, (uint64_t)bits)}; }
static field f_add(field a, field b) { return {operation("f_add", {a.id, b.id})}; }
static field f_sub(field a, field b, uint64_t multiple) { return {operation("f_sub", {a.id, b.id}, multiple)}; }
static field f_select(lane_mask mask, field a, field b) { return {operation("select", {mask.id, a.id, b.id})}; }
static multiplicand m_select(lane_mask mask, multiplicand a, multiplicand b) {
  return {operation("select", {mask.id, a.id, b.id})};
}
static lane_mask f_equal(field a, field b) { return {operation("f_equal", {a.id, b.id})}; }
static multiplicand m_one(void) { return {operation("m_one", {})}; }
static field f_from_words(const lanes words[4]) {
  return {operation("f_from_words", {words[0].id, words[1].id, words[2].id, words[3].id})};
}
static field f_from_constant_words(const uint64_t words[4]) {
  return {operation("f_from_constant_words", {words[0], words[1], words[2], words[3]})};
}
static void f_to_words(field a, lanes words[4]) {
  const uint64_t id = operation("f_to_words", {a.id}, 0, 4);
  for (unsigned i = 0; i < 4; i++) words[i].id = id + i;
}
static void f_mul(multiplicand *r, const multiplicand *a, const multiplicand *b) {
  r->id = operation("f_mul", {a->id, b->id});
}
static void f_mul_sum(field *r, const multiplicand *a, const multiplicand *b) {
  r->id = operation("f_mul_sum", {a->id, b->id});
}
static void f_square(multiplicand *r, const multiplicand *a) { r->id = operation("f_mul", {a->id, a->id}); }
static void f_square_sum(field *r, const multiplicand *a) { r->id = operation("f_mul_sum", {a->id, a->id}); }
static void inverses(multiplicand *r, const multiplicand *z) { r->id = operation("inverses", {z->id}); }

static lane_mask is_on_curve(const multiplicand *x, const multiplicand *y) {
  return {operation("is_on_curve", {x->id, y->id})};
}
static lane_mask is_jacobian_on_curve(const jacobian *a) {
  return {operation("is_jacobian_on_curve", {a->x.id, a->two_y.id, a->z.id})};
}
static lane_mask is_extended_on_curve(const extended *a) {
  return {operation("is_extended_on_curve", {a->x.id, a->y.id, a->zz.id, a->zzz.id})};
}
static jacobian jacobian_from(uint64_t id) { return {{id}, {id + 1}, {id + 2}}; }
static extended extended_from(uint64_t id) { return {{id}, {id + 1}, {id + 2}, {id + 3}}; }
static void j_double(jacobian *a) { *a = jacobian_from(operation("j_double", {a->x.id, a->two_y.id, a->z.id}, 0, 3)); }
static void j_add(jacobian *a, const multiple *b) {
  *a = jacobian_from(operation("j_add", {a->x.id, a->two_y.id, a->z.id, b->x.id, b->two_y.id}, 0, 3));
}
static void z_double(affine *twice, affine *once, multiplicand *z, const affine *a) {
  const uint64_t id = operation("z_double", {a->x.id, a->y.id}, 0, 5);
  *twice = {{id}, {id + 1}};
  *once = {{id + 2}, {id + 3}};
  z->id = id + 4;
}
static void z_add(affine *sum, affine *left, multiplicand *factor, const affine *right) {
  const uint64_t id = operation("z_add", {left->x.id, left->y.id, right->x.id, right->y.id}, 0, 5);
  *sum = {{id}, {id + 1}};
  *left = {{id + 2}, {id + 3}};
  factor->id = id + 4;
}
static void e_add_affine(extended *a, const affine *b, lane_mask is_negative) {
  *a = extended_from(operation(
      "e_add_affine", {a->x.id, a->y.id, a->zz.id, a->zzz.id, b->x.id, b->y.id, is_negative.id}, 0, 4));
}
static void e_add(extended *a, const extended *b) {
  *a = extended_from(operation(
      "e_add", {a->x.id, a->y.id, a->zz.id, a->zzz.id, b->x.id, b->y.id, b->zz.id, b->zzz.id}, 0, 4));
}
static extended e_from_affine(const affine *a) {
  return extended_from(operation("e_from_affine", {a->x.id, a->y.id}, 0, 4));
}
static extended e_exchange(const extended *a, int distance) {
  return extended_from(operation("e_exchange", {a->x.id, a->y.id, a->zz.id, a->zzz.id}, (uint64_t)distance, 4));
}
static extended e_select(lane_mask mask, extended a, extended b) {
  return extended_from(operation(
      "e_select", {mask.id, a.x.id, a.y.id, a.zz.id, a.zzz.id, b.x.id, b.y.id, b.zz.id, b.zzz.id}, 0, 4));
}
