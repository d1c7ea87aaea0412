#ifndef ASSAY_CTOKENSCANNING_H
#define ASSAY_CTOKENSCANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Whether this CPU and operating system run the routines below: AVX-512 F, BW, VL, VBMI and VBMI2. */
bool assay_text_has_avx512(void);

/* Decodes complete base64 groups (RFC 4648 section 4), padding excluded.

   text    count octets, read only, public
   count   a multiple of 4
   output  room for count / 4 * 3 octets, all of them written and nothing beyond; must not overlap text

   Returns false when a character outside the alphabet occurs ('=' included); output then holds no meaning. Only where
   assay_text_has_avx512() answers true: elsewhere it returns false. */
bool assay_base64_decode_avx512(const uint8_t *text, size_t count, uint8_t *output);

/* Which of the 16 octets at text are not plain in a JSON string: quotes, backslashes, control characters and those beyond
   ASCII. The first is the lowest bit. */
static inline uint32_t assay_json_marks(const uint8_t *text) {
#if defined(__SSE2__)
  const __m128i characters = _mm_loadu_si128((const __m128i *)(const void *)text);
  /* As signed numbers, control characters and those beyond ASCII are all below the space. */
  const __m128i marks = _mm_or_si128(_mm_cmplt_epi8(characters, _mm_set1_epi8(' ')),
                                     _mm_or_si128(_mm_cmpeq_epi8(characters, _mm_set1_epi8('"')),
                                                  _mm_cmpeq_epi8(characters, _mm_set1_epi8('\\'))));
  return (uint32_t)_mm_movemask_epi8(marks);
#else
  uint32_t marks = 0;
  for (unsigned index = 0; index < 16; index++) {
    const uint8_t octet = text[index];
    marks |= (uint32_t)(octet < ' ' || octet >= 0x80 || octet == '"' || octet == '\\') << index;
  }
  return marks;
#endif
}

/* The start of a text that needs no closer look. */
typedef struct {
  size_t count;
  /* Whether there is an escape in it. */
  bool has_escapes;
} assay_json_run;

/* How far a text, some way into a JSON string, goes on with ASCII but quotes and control characters, and with escapes of two
   octets (RFC 8259 section 7: all but \u). The octet after that is a quote, a control character, beyond ASCII, or the backslash
   of another escape or of one that the text breaks off; or the text is at its end.

   text   count octets, read only, public; the first does not follow a backslash that escapes it

   Only where assay_text_has_avx512() answers true: elsewhere the run is empty. */
assay_json_run assay_json_run_avx512(const uint8_t *text, size_t count);

/* How many octets were read and written. */
typedef struct {
  size_t read;
  size_t written;
} assay_json_copy;

/* Writes what the start of a JSON string stands for, up to the first \u or the end.

   text    count octets, read only, public: the content of a string that has been checked, or the rest of it from after an
           escape
   output  room for count octets, of which those beyond the ones written hold no meaning; must not overlap text

   Returns no more octets written than read. Only where assay_text_has_avx512() answers true: elsewhere nothing is read. */
assay_json_copy assay_json_unescape_avx512(const uint8_t *text, size_t count, uint8_t *output);

#endif
