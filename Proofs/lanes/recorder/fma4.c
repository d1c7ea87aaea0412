/* Records the kernel fma4: its own files, with this folder's immintrin.h in place of the compiler's. */

#define LANES 4
#define PREFIX fma4
#define MASK_TABLE(mask) ((mask)[1])

#include "fma4/native.h"

/* MXCSR. Its functions are executed and not recorded, so the recorder needs a processor with AVX. */
static unsigned float_state_register(void) {
  unsigned state;
  __asm__ volatile("stmxcsr %0" : "=m"(state)::"memory");
  return state;
}
#define FLOAT_STATE float_state_register

#include "lanes/names.h"

#include "fma4/lanes.h"

#include "lanes/field.h"

#include "fma4/product.h"

#include "trace.h"

#include "lanes/point.h"

#include "programs.h"
