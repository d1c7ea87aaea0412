/* Boolean functions as ordered binary decision diagrams (decisions.py). A function is the index of a node; 0 and 1 are
   the constants. Equal functions have equal indices. Results are remembered in a table in which a new one replaces an
   old one. */

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint32_t function;

typedef struct {
  uint32_t variable;
  function low, high;
  /* The next node with the same hash; 0 if there is none. */
  uint32_t next;
} node;

typedef struct {
  uint32_t operation;
  function a, b, c, result;
} memory;

enum { BOTH = 1, EITHER, DIFFER, CHOICE, DISJOINT, AGREE };
/* With more nodes than MOST an operation ends, with TOO_LARGE as its result. */
enum { FEWEST_MEMORIES = 1 << 14, MOST_MEMORIES = 1 << 21, MOST = 1 << 23 };
#define LAST UINT32_MAX
#define TOO_LARGE UINT32_MAX

typedef struct {
  node *nodes;
  uint32_t count, room;
  uint32_t *heads;
  memory *memories;
  uint32_t memory_count;
  jmp_buf end;
} diagrams;

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  uint64_t mixed = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 29 ^ ((uint64_t)c << 32 | d)) * 0xBF58476D1CE4E5B9u;
  return (uint32_t)(mixed >> 32);
}

/* Returns memory that was allocated; aborts if there is none. */
static void *claimed(void *memory) {
  if (memory == NULL) abort();
  return memory;
}

diagrams *make(void) {
  diagrams *all = claimed(calloc(1, sizeof *all));
  all->room = all->memory_count = FEWEST_MEMORIES;
  all->nodes = claimed(malloc(all->room * sizeof *all->nodes));
  all->heads = claimed(calloc(all->room, sizeof *all->heads));
  all->memories = claimed(calloc(all->memory_count, sizeof *all->memories));
  all->nodes[0] = (node){LAST, 0, 0, 0};
  all->nodes[1] = (node){LAST, 1, 1, 0};
  all->count = 2;
  return all;
}

void drop(diagrams *all) {
  free(all->nodes);
  free(all->heads);
  free(all->memories);
  free(all);
}

uint32_t variable_of(const diagrams *all, function a) { return all->nodes[a].variable; }
function low_of(const diagrams *all, function a) { return all->nodes[a].low; }
function high_of(const diagrams *all, function a) { return all->nodes[a].high; }
uint32_t count_of(const diagrams *all) { return all->count; }

static void grow(diagrams *all) {
  all->room *= 2;
  if (all->memory_count < MOST_MEMORIES) {
    all->memory_count *= 2;
    free(all->memories);
    all->memories = claimed(calloc(all->memory_count, sizeof *all->memories));
  }
  all->nodes = claimed(realloc(all->nodes, all->room * sizeof *all->nodes));
  all->heads = claimed(realloc(all->heads, all->room * sizeof *all->heads));
  memset(all->heads, 0, all->room * sizeof *all->heads);
  for (uint32_t index = 2; index < all->count; index++) {
    node *each = &all->nodes[index];
    uint32_t *head = &all->heads[hash(0, each->variable, each->low, each->high) & (all->room - 1)];
    each->next = *head;
    *head = index;
  }
}

static function make_node(diagrams *all, uint32_t variable, function low, function high) {
  if (low == high) return low;
  const uint32_t place = hash(0, variable, low, high);
  for (uint32_t index = all->heads[place & (all->room - 1)]; index != 0; index = all->nodes[index].next) {
    const node *each = &all->nodes[index];
    if (each->variable == variable && each->low == low && each->high == high) return index;
  }
  if (all->count == MOST) longjmp(all->end, 1);
  if (all->count == all->room) grow(all);
  uint32_t *head = &all->heads[place & (all->room - 1)];
  all->nodes[all->count] = (node){variable, low, high, *head};
  *head = all->count;
  return all->count++;
}

static memory *place_of(diagrams *all, uint32_t operation, function a, function b, function c) {
  return &all->memories[hash(operation, a, b, c) & (all->memory_count - 1)];
}

static bool is_of(const memory *known, uint32_t operation, function a, function b, function c) {
  return known->operation == operation && known->a == a && known->b == b && known->c == c;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static function part(const diagrams *all, function a, uint32_t variable, bool is_high) {
  const node *each = &all->nodes[a];
  return each->variable != variable ? a : is_high ? each->high : each->low;
}

/* `both`, `either` or `differ` of two functions. */
static function applied(diagrams *all, uint32_t operation, function a, function b) {
  if (a > b) {
    const function other = a;
    a = b;
    b = other;
  }
  if (a == b) return operation == DIFFER ? 0 : a;
  if (a == 0) return operation == BOTH ? 0 : b;
  if (a == 1 && operation != DIFFER) return operation == BOTH ? b : 1;
  const memory *known = place_of(all, operation, a, b, 0);
  if (is_of(known, operation, a, b, 0)) return known->result;
  const uint32_t variable = least(all->nodes[a].variable, all->nodes[b].variable);
  const function low = applied(all, operation, part(all, a, variable, false), part(all, b, variable, false));
  const function high = applied(all, operation, part(all, a, variable, true), part(all, b, variable, true));
  const function result = make_node(all, variable, low, high);
  *place_of(all, operation, a, b, 0) = (memory){operation, a, b, 0, result};
  return result;
}

static function chosen(diagrams *all, function condition, function a, function b) {
  if (condition == 1 || a == b) return a;
  if (condition == 0) return b;
  if (a == 1 && b == 0) return condition;
  const memory *known = place_of(all, CHOICE, condition, a, b);
  if (is_of(known, CHOICE, condition, a, b)) return known->result;
  const node *nodes = all->nodes;
  const uint32_t variable = least(nodes[condition].variable, least(nodes[a].variable, nodes[b].variable));
  function halves[2];
  for (int high = 0; high < 2; high++) {
    halves[high] = chosen(all, part(all, condition, variable, high), part(all, a, variable, high),
                          part(all, b, variable, high));
  }
  const function result = make_node(all, variable, halves[0], halves[1]);
  *place_of(all, CHOICE, condition, a, b) = (memory){CHOICE, condition, a, b, result};
  return result;
}

/* The value that an index selects: `count` bits of it, the lowest first, and 2^count values of 0 or 1. */
static function selected(diagrams *all, const function *index, uint32_t count, const uint8_t *values) {
  if (count == 0) return values[0];
  const size_t half = (size_t)1 << (count - 1);
  if (memchr(values, !values[0], 2 * half) == NULL) return values[0];
  const function high = selected(all, index, count - 1, values + half), low = selected(all, index, count - 1, values);
  return chosen(all, index[count - 1], high, low);
}

function look_up(diagrams *all, const function *index, uint32_t count, const uint8_t *values) {
  return setjmp(all->end) == 0 ? selected(all, index, count, values) : TOO_LARGE;
}

function apply(diagrams *all, uint32_t operation, function a, function b) {
  return setjmp(all->end) == 0 ? applied(all, operation, a, b) : TOO_LARGE;
}

function choice(diagrams *all, function condition, function a, function b) {
  return setjmp(all->end) == 0 ? chosen(all, condition, a, b) : TOO_LARGE;
}

function variable(diagrams *all, uint32_t number) {
  return setjmp(all->end) == 0 ? make_node(all, number, 0, 1) : TOO_LARGE;
}

/* Whether two functions are never true together; makes no diagram. */
bool are_disjoint(diagrams *all, function a, function b) {
  if (a == 0 || b == 0) return true;
  if (a == b || a == 1 || b == 1) return false;
  const memory *known = place_of(all, DISJOINT, a, b, 0);
  if (is_of(known, DISJOINT, a, b, 0)) return known->result;
  const uint32_t variable = least(all->nodes[a].variable, all->nodes[b].variable);
  const bool result = are_disjoint(all, part(all, a, variable, false), part(all, b, variable, false)) &&
                      are_disjoint(all, part(all, a, variable, true), part(all, b, variable, true));
  *place_of(all, DISJOINT, a, b, 0) = (memory){DISJOINT, a, b, 0, result};
  return result;
}

/* Whether two functions are equal wherever a condition is true; makes no diagram. */
bool agree(diagrams *all, function condition, function a, function b) {
  if (a == b || condition == 0) return true;
  if (condition == 1 || (a <= 1 && b <= 1)) return false;
  const memory *known = place_of(all, AGREE, condition, a, b);
  if (is_of(known, AGREE, condition, a, b)) return known->result;
  const node *nodes = all->nodes;
  const uint32_t variable = least(nodes[condition].variable, least(nodes[a].variable, nodes[b].variable));
  bool result = true;
  for (int high = 0; result && high < 2; high++) {
    result = agree(all, part(all, condition, variable, high), part(all, a, variable, high),
                   part(all, b, variable, high));
  }
  *place_of(all, AGREE, condition, a, b) = (memory){AGREE, condition, a, b, result};
  return result;
}
