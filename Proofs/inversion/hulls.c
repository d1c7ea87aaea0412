/* How many division steps end with g = 0, for all f and g with 0 <= g <= f <= M = 2^bits: by the method of Wuille and
   Maxwell ("Bounds on divsteps iterations in safegcd", 2021).

   For every delta there is a convex polygon that contains the (f, g) / M of all inputs that have this delta after n
   steps. A step makes two polygons of it, one for even and one for odd g:

     even                  (f, g / 2)            delta + 1
     odd, delta > 0        (g, (g - f) / 2)      1 - delta
     odd, else             (f, (g + f) / 2)      delta + 1

   and those that have the same delta afterwards are joined: their convex hull. Where |g| < 1 in a whole polygon, g is
   0, and the polygon is dropped. The number of steps after which none is left suffices.

   Points are exact: after n steps they are integers, (f, g) / M · 2^n. As a step treats (f, g) and (-f, -g) alike, each
   polygon is made symmetric to the origin, and only its upper side is stored, from the left to the right: the lower one
   is its negative. The polygons with delta > 0 are not stored: they arise by even steps from the one with the lowest
   such delta, k steps before, of which they are the points (f, g / 2^k). */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 760, WORDS = 12 };

typedef _BitInt(64 * WORDS) number;
typedef _BitInt(128 * WORDS) product;

/* x and y are f and g, rounded and scaled by the same power of two. */
typedef struct {
  number f, g;
  double x, y;
} point;

typedef struct {
  point *points;
  int count;
} side;

/* value / 2^(steps / 2), with a relative error below 2^-51: neither it nor a product of two of them, nor of
   differences, overflows or is subnormal. */
static double rounded(number value, int steps) {
  uint64_t words[WORDS];
  const number magnitude = value < 0 ? -value : value;
  memcpy(words, &magnitude, sizeof words);
  int top = WORDS - 1;
  while (top > 1 && words[top] == 0) top--;
  const double result = ldexp((double)words[top] * 0x1p64 + (double)words[top - 1], 64 * (top - 1) - steps / 2);
  return value < 0 ? -result : result;
}

static point make_point(number f, number g, int steps) {
  return (point){f, g, rounded(f, steps), rounded(g, steps)};
}

static point negative(const point *a) { return (point){-a->f, -a->g, -a->x, -a->y}; }

static double largest(double a, double b, double c) { return fmax(fabs(a), fmax(fabs(b), fabs(c))); }

/* Whether b is not above the line from a to c, a being left of c. */
static bool is_covered(const point *a, const point *b, const point *c) {
  const double area = (b->x - a->x) * (c->y - b->y) - (b->y - a->y) * (c->x - b->x);
  /* A coordinate's error is below 2^-51 of it, a difference's below 2^-49 of the largest coordinate, a product's below
     2^-46 of the largest ones. */
  const double error = largest(a->x, b->x, c->x) * largest(a->y, b->y, c->y) * 0x1p-44;
  if (area > error) return true;
  if (area < -error) return false;
  return (product)(b->f - a->f) * (product)(c->g - b->g) >= (product)(b->g - a->g) * (product)(c->f - b->f);
}

/* Appends a point that is not left of those before, and removes what is then covered. */
static void append(side *hull, const point *next) {
  point *points = hull->points;
  if (hull->count > 0 && points[hull->count - 1].f == next->f) {
    if (points[hull->count - 1].g >= next->g) return;
    hull->count--;
  }
  while (hull->count > 1 && is_covered(&points[hull->count - 2], &points[hull->count - 1], next)) hull->count--;
  points[hull->count++] = *next;
}

/* The points of a side with delta <= 0 after a step. The upper one of the two that have the same f is that of an odd g
   if f > 0, else that of an even g. */
static void shear(point *to, const side *from, int steps) {
  for (int i = 0; i < from->count; i++) {
    const point *old = &from->points[i];
    to[i] = make_point(2 * old->f, old->f > 0 ? old->g + old->f : old->g, steps);
  }
}

/* The left side of a polygon, from its lowest g to its highest: the negatives of the points from the topmost to the
   rightmost, and the points from the leftmost to the topmost. */
static side left_side(const side *upper) {
  int top = 0;
  for (int i = 1; i < upper->count; i++) {
    if (upper->points[i].g > upper->points[top].g) top = i;
  }
  side left = {malloc((size_t)(upper->count + 1) * sizeof(point)), 0};
  if (left.points == NULL || upper->count == 0) return left;
  for (int i = top; i < upper->count; i++) left.points[left.count++] = negative(&upper->points[i]);
  for (int i = 0; i <= top; i++) left.points[left.count++] = upper->points[i];
  return left;
}

/* A left side, with g / 2^halvings, after a step with odd g and delta > 0: it becomes an upper side. */
static void turn(point *to, const side *from, int halvings, int steps) {
  for (int i = 0; i < from->count; i++) {
    const point *old = &from->points[i];
    to[i] = make_point(2 * old->g, old->g - (old->f << halvings), steps);
  }
}

/* The hull of two lists of points, each from the left to the right. */
static side joined(const point *a, int a_count, const point *b, int b_count) {
  side hull = {malloc((size_t)(a_count + b_count + 1) * sizeof(point)), 0};
  if (hull.points == NULL) return hull;
  int i = 0, j = 0;
  while (i < a_count || j < b_count) {
    const bool takes_a = j == b_count || (i < a_count && a[i].f <= b[j].f);
    append(&hull, takes_a ? &a[i++] : &b[j++]);
  }
  return hull;
}

/* Whether |g| < 1 for all points, after so many steps. */
static bool is_done(const side *polygon, int bits, int steps) {
  if (steps < bits) return false;
  for (int i = 0; i < polygon->count; i++) {
    const number g = polygon->points[i].g;
    if ((g < 0 ? -g : g) >= (number)1 << (steps - bits)) return false;
  }
  return true;
}

static void drop(side *polygon) {
  free(polygon->points);
  *polygon = (side){NULL, 0};
}

/* polygons[k] belongs to the delta that is k below the lowest positive one; left[n] is the left side of polygons[0]
   after n steps. A step with odd g and a delta that is k above the lowest positive one leads to
   polygons[k + distance]. */
typedef struct {
  side polygons[MOST_STEPS + 2], left[MOST_STEPS + 1];
  int bits, distance;
} state;

/* Takes the step that makes `steps` of them; whether there was enough memory. */
static bool take_step(state *all, int steps) {
  for (int k = 0; k <= steps; k++) {
    const side below = all->polygons[k + 1];
    const int halvings = k - all->distance;
    const side none = {NULL, 0}, left = 0 <= halvings && halvings < steps ? all->left[steps - 1 - halvings] : none;
    point *points = malloc((size_t)(below.count + left.count + 1) * sizeof(point));
    if (points == NULL) return false;
    shear(points, &below, steps);
    turn(points + below.count, &left, halvings, steps);
    drop(&all->polygons[k]);
    all->polygons[k] = joined(points, below.count, points + below.count, left.count);
    free(points);
    if (all->polygons[k].points == NULL) return false;
    if (is_done(&all->polygons[k], all->bits, steps)) drop(&all->polygons[k]);
  }
  all->left[steps] = left_side(&all->polygons[0]);
  for (int n = 0; n <= steps; n++) {
    if (is_done(&all->left[n], all->bits, steps)) drop(&all->left[n]);
  }
  return all->left[steps].points != NULL || all->polygons[0].count == 0;
}

static bool is_empty(const state *all, int steps) {
  for (int i = 0; i <= steps; i++) {
    if (all->polygons[i].count > 0 || all->left[i].count > 0) return false;
  }
  return true;
}

/* The number of steps that suffice, delta starting at 1/2 or else at 1; 0 if it is above `most`, or without memory. */
int steps_needed(int bits, bool starts_at_half, int most) {
  state *all = calloc(1, sizeof(state));
  if (all == NULL || most > MOST_STEPS) return 0;
  all->bits = bits;
  all->distance = starts_at_half ? 0 : 1;
  point *first = all->polygons[0].points = malloc(2 * sizeof(point));
  if (first != NULL) {
    first[0] = make_point(-1, 0, 0);
    first[1] = make_point(1, 1, 0);
    all->polygons[0].count = 2;
    all->left[0] = left_side(&all->polygons[0]);
  }
  int steps = 0;
  bool is_possible = first != NULL && all->left[0].points != NULL;
  while (is_possible && !is_empty(all, steps)) is_possible = ++steps <= most && take_step(all, steps);
  for (int i = 0; i <= MOST_STEPS; i++) {
    drop(&all->polygons[i]);
    drop(&all->left[i]);
  }
  free(all);
  return is_possible ? steps : 0;
}
