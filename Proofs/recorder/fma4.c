/* Records the kernel fma4: its own files, with this folder's immintrin.h in place of the compiler's. */

#define LANES 4
#define PREFIX fma4
#define MASK_TABLE(mask) ((mask)[1])

#include "fma4/native.h"

#include "lanes/names.h"

#include "fma4/lanes.h"

#include "lanes/field.h"

#include "fma4/product.h"

#include "trace.h"

#include "lanes/point.h"

#include "programs.h"
