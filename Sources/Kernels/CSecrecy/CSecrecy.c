#include "CSecrecy.h"

#include <string.h>

/* The vector registers that a callee may overwrite. */
#if defined(__x86_64__)
#define LOW_REGISTERS                                                                                            \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", \
      "xmm14", "xmm15"
#define CLEAR_LOW(number) "pxor %%xmm" #number ", %%xmm" #number "\n\t"
#define CLEAR_HIGH(number) "vpxorq %%zmm" #number ", %%zmm" #number ", %%zmm" #number "\n\t"

__attribute__((target("avx"))) static void clear_avx(void) { __asm__ volatile("vzeroall" ::: LOW_REGISTERS); }

__attribute__((target("avx512f"))) static void clear_avx512(void) {
  __asm__ volatile(CLEAR_HIGH(16) CLEAR_HIGH(17) CLEAR_HIGH(18) CLEAR_HIGH(19) CLEAR_HIGH(20) CLEAR_HIGH(21)
                       CLEAR_HIGH(22) CLEAR_HIGH(23) CLEAR_HIGH(24) CLEAR_HIGH(25) CLEAR_HIGH(26) CLEAR_HIGH(27)
                           CLEAR_HIGH(28) CLEAR_HIGH(29) CLEAR_HIGH(30) CLEAR_HIGH(31)::
                               : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24",
                                 "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31");
}

static void clear_registers(void) {
  if (__builtin_cpu_supports("avx512f")) clear_avx512();
  if (__builtin_cpu_supports("avx")) {
    clear_avx();
  } else {
    __asm__ volatile(CLEAR_LOW(0) CLEAR_LOW(1) CLEAR_LOW(2) CLEAR_LOW(3) CLEAR_LOW(4) CLEAR_LOW(5) CLEAR_LOW(6)
                         CLEAR_LOW(7) CLEAR_LOW(8) CLEAR_LOW(9) CLEAR_LOW(10) CLEAR_LOW(11) CLEAR_LOW(12) CLEAR_LOW(13)
                             CLEAR_LOW(14) CLEAR_LOW(15)::
                                 : LOW_REGISTERS);
  }
}
#elif defined(__aarch64__)
/* The lower halves of v8 to v15 belong to the caller. */
static void clear_registers(void) {
  __asm__ volatile(
      "movi v0.2d, #0\n\tmovi v1.2d, #0\n\tmovi v2.2d, #0\n\tmovi v3.2d, #0\n\t"
      "movi v4.2d, #0\n\tmovi v5.2d, #0\n\tmovi v6.2d, #0\n\tmovi v7.2d, #0\n\t"
      "movi v16.2d, #0\n\tmovi v17.2d, #0\n\tmovi v18.2d, #0\n\tmovi v19.2d, #0\n\t"
      "movi v20.2d, #0\n\tmovi v21.2d, #0\n\tmovi v22.2d, #0\n\tmovi v23.2d, #0\n\t"
      "movi v24.2d, #0\n\tmovi v25.2d, #0\n\tmovi v26.2d, #0\n\tmovi v27.2d, #0\n\t"
      "movi v28.2d, #0\n\tmovi v29.2d, #0\n\tmovi v30.2d, #0\n\tmovi v31.2d, #0\n\t" ::
          : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
            "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31");
}
#else
static void clear_registers(void) {}
#endif

/* Clears the registers first: a later call may store them on the stack, as the dynamic linker does when it resolves a
   function. */
__attribute__((noinline)) void assay_wipe_stack(void) {
  unsigned char stack[16384];
  clear_registers();
  memset(stack, 0, sizeof stack);
  __asm__ volatile("" ::"r"(stack) : "memory");
}

#if defined(ASSAY_SECRECY)
int assay_declassification_is_off = 0;
#endif
