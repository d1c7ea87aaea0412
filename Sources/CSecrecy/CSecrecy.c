#include "CSecrecy.h"

#include <string.h>

__attribute__((noinline)) void assay_wipe_stack(void) {
  unsigned char stack[16384];
  memset(stack, 0, sizeof stack);
  __asm__ volatile("" ::"r"(stack) : "memory");
}

#if defined(ASSAY_SECRECY)
int assay_declassification_is_off = 0;
#endif
