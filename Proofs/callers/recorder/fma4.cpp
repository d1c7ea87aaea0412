#define LANES 4
#include "callers.h"
