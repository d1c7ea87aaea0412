#ifndef ASSAY_CTOKENSCANNING_H
#define ASSAY_CTOKENSCANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this CPU and operating system run the AVX-512 VBMI decoder. */
bool assay_base64_has_avx512(void);

/* Decodes complete base64 groups (RFC 4648 section 4), padding excluded.

   text    count octets, read only, public
   count   a multiple of 4
   output  room for count / 4 * 3 octets, all of them written and nothing beyond; must not overlap text

   Returns false when a character outside the alphabet occurs ('=' included); output then holds no meaning. Only where
   assay_base64_has_avx512() answers true: elsewhere it returns false. */
bool assay_base64_decode_avx512(const uint8_t *text, size_t count, uint8_t *output);

/* How many octets at the start of a JSON text are plain: ASCII, no quote, no backslash, no control character. The last
   count mod 64 octets are not looked at: where the answer is not the position of an octet that is not plain, it is a multiple
   of 64. Only where assay_base64_has_avx512() answers true: elsewhere it is 0. */
size_t assay_plain_text_count_avx512(const uint8_t *text, size_t count);

#endif
