#define LANES 8
#include "callers.h"
