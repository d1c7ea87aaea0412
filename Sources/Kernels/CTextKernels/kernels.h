#ifndef ASSAY_CTEXTKERNELS_KERNELS_H
#define ASSAY_CTEXTKERNELS_KERNELS_H

#include "CTextKernels.h"

/* The functions behind the tables; CTextKernels.h says what they do. Those of another architecture do not exist: there the
   table names the portable ones, and its kernel is not supported. */

bool assay_base64_decode_avx512(const uint8_t *text, size_t count, uint8_t *output);
assay_json_run assay_json_run_avx512(const uint8_t *text, size_t count);
assay_json_copy assay_json_unescape_avx512(const uint8_t *text, size_t count, uint8_t *output);

bool assay_base64_decode_avx2(const uint8_t *text, size_t count, uint8_t *output);
assay_json_run assay_json_run_avx2(const uint8_t *text, size_t count);
assay_json_copy assay_json_unescape_avx2(const uint8_t *text, size_t count, uint8_t *output);

bool assay_base64_decode_neon(const uint8_t *text, size_t count, uint8_t *output);
assay_json_run assay_json_run_neon(const uint8_t *text, size_t count);
assay_json_copy assay_json_unescape_neon(const uint8_t *text, size_t count, uint8_t *output);

/* The other kernels also leave them what is shorter than a step. */
bool assay_base64_decode_portable(const uint8_t *text, size_t count, uint8_t *output);
assay_json_run assay_json_run_portable(const uint8_t *text, size_t count);
assay_json_copy assay_json_unescape_portable(const uint8_t *text, size_t count, uint8_t *output);

#endif
