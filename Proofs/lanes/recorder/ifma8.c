/* Records the kernel ifma8: its own files, with this folder's immintrin.h in place of the compiler's. */

#define LANES 8
#define PREFIX ifma8
#define MASK_TABLE(mask) (mask)

#include "ifma8/native.h"

#include "lanes/names.h"

#include "lanes/field.h"

#include "ifma8/product.h"

#include "trace.h"

#include "lanes/point.h"

#include "programs.h"
