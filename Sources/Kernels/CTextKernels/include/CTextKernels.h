#ifndef ASSAY_CTEXTKERNELS_H
#define ASSAY_CTEXTKERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* Base64 decoding and scanning of JSON strings, with an implementation (kernel) for each kind of processor.

   A kernel is a folder with a table of functions. Every table exists on every architecture; its functions may be called
   only if is_supported() returns true. All kernels return the same results for all inputs, including the counts. None
   reads outside its text or writes outside the documented room. None allocates (`kernel/` in
   Benchmarks/Thresholds.json), keeps state or takes a lock. To add a kernel, add a folder and a word to the list in
   kernels.h; nothing above this interface changes. */

/* The beginning of a text that is plain text and valid escapes. */
typedef struct {
  /* The number of bytes. */
  size_t count;
  /* Whether there is an escape among them. */
  bool has_escapes;
} assay_json_run;

/* The numbers of bytes read and written. */
typedef struct {
  size_t read;
  size_t written;
} assay_json_copy;

/* An escape of a JSON string: its length in bytes, zero if it is invalid, and its scalar value. */
typedef struct {
  size_t length;
  uint32_t scalar;
} assay_json_escape;

/* A kernel. */
typedef struct {
  /* The name that ASSAY_TEXT_KERNEL takes and `assay env` prints. */
  const char *_Nonnull name;

  /* Whether this processor and operating system run it. */
  bool (*_Nonnull is_supported)(void);

  /* Decodes complete base64 groups (RFC 4648 section 4), padding excluded.

     text    count bytes, read only, public
     count   a multiple of 4
     output  room for count / 4 * 3 bytes, all of them written; must not overlap text

     Returns false when a character outside the alphabet occurs ('=' included); the contents of output are then
     unspecified. */
  bool (*_Nonnull base64_decode)(const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull output);

  /* Returns the length of the longest prefix of a text inside a JSON string that consists of ASCII other than quotes
     and control characters, and of escapes (RFC 8259 section 7; surrogates only as a pair, high before low, which
     counts as one escape). The next byte, if any, is a quote, a control character, not ASCII, or the backslash of an
     escape that is invalid or cut off by the end of the text.

     text  count bytes, read only; the first is not preceded by a backslash that escapes it */
  assay_json_run (*_Nonnull json_run)(const uint8_t *_Nonnull text, size_t count);

  /* Writes the content of a JSON string: all bytes unchanged, and the scalar values of escapes in UTF-8. Stops at the
     end or at the first backslash that does not begin an escape that json_run accepts.

     text    count bytes, read only, not beginning inside an escape; quotes, control characters and non-ASCII are copied
     output  room for count bytes, of which those after the ones written are unspecified; must not overlap text

     Never writes more bytes than it reads. */
  assay_json_copy (*_Nonnull json_unescape)(const uint8_t *_Nonnull text, size_t count, uint8_t *_Nonnull output);
} assay_text_kernel;

/* The number of kernels, supported or not. */
size_t assay_text_kernel_count(void);

/* The kernel with an index below the count, the fastest first. The last one is supported everywhere. */
const assay_text_kernel *_Nonnull assay_text_kernel_at(size_t index);

/* The kernel with a name; NULL if there is none. */
const assay_text_kernel *_Nullable assay_text_kernel_named(const char *_Nonnull name);

/* Reads the escape at the beginning of a text, whose first byte is a backslash (RFC 8259 section 7; surrogates only as
   a pair, high before low). For readers that take a string apart byte by byte; json_unescape is for whole strings. */
assay_json_escape assay_json_read_escape(const uint8_t *_Nonnull text, size_t count);

/* States of the automaton that checks the characters and the two-byte escapes of a JSON string: the end of what is
   well-formed, between characters, and after a backslash. Other states are inside a character beyond ASCII. */
enum { ASSAY_JSON_STOP = 0, ASSAY_JSON_CHARACTER = 6, ASSAY_JSON_ESCAPE = 54 };

/* Private: the automaton's rows, by byte. */
extern const uint64_t assay_json_rows[256];

/* The automaton's state after a byte. A state is the place of its next state in the byte's row, so a step is a shift,
   and no branch depends on the characters: a processor could not predict it in text where they alternate at random. */
static inline uint64_t assay_json_next(uint64_t state, uint8_t byte) {
  return assay_json_rows[byte] >> state & 63;
}

/* As json_run, but for characters beyond ASCII as well, and byte by byte. Counts whole characters and escapes, at most
   `most` bytes; only an escape of code units may end beyond that. */
assay_json_run assay_json_characters(const uint8_t *_Nonnull text, size_t count, size_t most);

/* The environment variable that selects the kernel. An empty value counts as unset. */
#define ASSAY_TEXT_KERNEL_VARIABLE "ASSAY_TEXT_KERNEL"

/* Selects the kernel to use and returns it: the one that ASSAY_TEXT_KERNEL names if it is supported, else the first
   supported one. Reads the environment only while no kernel is in use: at the first use, and after
   assay_text_kernel_force(NULL). */
const assay_text_kernel *_Nonnull assay_text_kernel_choose(void);

/* Sets the kernel to use in all threads to a supported one; NULL restores the default. For tests and measurements. */
void assay_text_kernel_force(const assay_text_kernel *_Nullable kernel);

/* Private: the kernel in use, NULL before the first choice. */
extern const assay_text_kernel *_Nullable assay_text_kernel_in_use;

/* The kernel in use. */
static inline const assay_text_kernel *_Nonnull assay_text_kernel_current(void) {
  const assay_text_kernel *kernel = __atomic_load_n(&assay_text_kernel_in_use, __ATOMIC_ACQUIRE);
  return kernel != NULL ? kernel : assay_text_kernel_choose();
}

/* Marks those of the 16 bytes at text that are not plain in a JSON string, with the baseline instructions of the
   architecture (SSE2 or Advanced SIMD). Each byte has ASSAY_JSON_MARK_BITS bits, the first byte the lowest. Inline,
   because most strings of a token are too short for a call. */
#if defined(__SSE2__)

#define ASSAY_JSON_MARK_BITS 1

static inline uint64_t assay_json_marks(const uint8_t *_Nonnull text) {
  const __m128i characters = _mm_loadu_si128((const __m128i *)(const void *)text);
  /* As signed numbers, control characters and those beyond ASCII are all below the space. */
  const __m128i marks = _mm_or_si128(_mm_cmplt_epi8(characters, _mm_set1_epi8(' ')),
                                     _mm_or_si128(_mm_cmpeq_epi8(characters, _mm_set1_epi8('"')),
                                                  _mm_cmpeq_epi8(characters, _mm_set1_epi8('\\'))));
  return (uint64_t)(uint32_t)_mm_movemask_epi8(marks);
}

#elif defined(__aarch64__)

#define ASSAY_JSON_MARK_BITS 4

/* Four bits for each byte of a mask: the narrowing shift keeps the middle of every pair. */
static inline uint64_t assay_json_nibbles(uint8x16_t mask) {
  return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(mask), 4)), 0);
}

static inline uint64_t assay_json_marks(const uint8_t *_Nonnull text) {
  const uint8x16_t characters = vld1q_u8(text);
  /* As signed numbers, control characters and those beyond ASCII are all below the space. */
  const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(characters), vdupq_n_s8(' '));
  const uint8x16_t quotes = vceqq_u8(characters, vdupq_n_u8('"')), backslashes = vceqq_u8(characters, vdupq_n_u8('\\'));
  return assay_json_nibbles(vorrq_u8(low, vorrq_u8(quotes, backslashes)));
}

#else

#define ASSAY_JSON_MARK_BITS 4

static inline uint64_t assay_json_marks(const uint8_t *_Nonnull text) {
  uint64_t marks = 0;
  for (unsigned index = 0; index < 16; index++) {
    const uint8_t byte = text[index];
    marks |= (uint64_t)(byte < ' ' || byte >= 0x80 || byte == '"' || byte == '\\') << (4 * index);
  }
  return marks;
}

#endif

#endif
