#ifndef ASSAY_CTEXTKERNELS_KERNELS_H
#define ASSAY_CTEXTKERNELS_KERNELS_H

#include "CTextKernels.h"

/* The list of kernels, the fastest first. One order serves all operations: a kernel that is faster in one is faster in
   all (`assay bench run kernel/`).

   avx512    64 bytes a step: AVX-512 F, BW, VL, VBMI, VBMI2
   avx2      32 bytes of base64 a step, 64 of JSON: AVX2, BMI1 and POPCNT (x86-64-v3)
   neon      64 and 16 bytes a step: Advanced SIMD, part of every arm64 processor
   portable  C without intrinsics: tables, and words of eight bytes. Supported everywhere; handles what is shorter than
             a step of avx2 or neon */
#define ASSAY_TEXT_KERNELS(KERNEL) KERNEL(avx512) KERNEL(avx2) KERNEL(neon) KERNEL(portable)

/* The table and the functions of each kernel, documented in CTextKernels.h. The functions of a kernel for another
   architecture are not defined: its table contains the portable ones, and it is not supported. */
#define DECLARED(name)                                                                     \
  extern const assay_text_kernel assay_text_##name;                                        \
  bool assay_base64_decode_##name(const uint8_t *text, size_t count, uint8_t *output);     \
  assay_json_run assay_json_run_##name(const uint8_t *text, size_t count);                 \
  assay_json_copy assay_json_unescape_##name(const uint8_t *text, size_t count, uint8_t *output);
ASSAY_TEXT_KERNELS(DECLARED)
#undef DECLARED

/* Defines the table of a kernel, with the functions of that kernel, or of `portable` on another architecture. */
#define ASSAY_TEXT_KERNEL(name, functions)                                                           \
  const assay_text_kernel assay_text_##name = {                                                      \
      #name, is_supported, assay_base64_decode_##functions, assay_json_run_##functions,              \
      assay_json_unescape_##functions,                                                               \
  };

#endif
