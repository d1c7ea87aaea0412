/* JSON strings, 64 bytes per step in two vectors. Escapes are found by operations on masks of 64 bits (json_masks.h),
   so a step with escapes takes one pass. To unescape, a table of shuffles packs the remaining bytes, eight at a
   time. */

#include "../json_masks.h"

#if defined(__x86_64__)

#include <immintrin.h>

#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)

enum { HALF = 32, STEP = 2 * HALF };

/* The bytes of a step, in two halves. */
typedef struct {
  __m256i low;
  __m256i high;
} block;

static inline __m256i load_half(const uint8_t *text) { return _mm256_loadu_si256((const __m256i *)(const void *)text); }

static inline block load(const uint8_t *text) { return (block){load_half(text), load_half(text + HALF)}; }

static inline void store_half(uint8_t *output, __m256i bytes) { _mm256_storeu_si256((__m256i *)(void *)output, bytes); }

static inline __m256i all(uint8_t byte) { return _mm256_set1_epi8((char)byte); }

/* The highest bit of each byte. */
static inline uint64_t bits(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << HALF;
}

/* Which bytes are this one. */
static inline uint64_t equal(block bytes, uint8_t byte) {
  return bits(_mm256_cmpeq_epi8(bytes.low, all(byte)), _mm256_cmpeq_epi8(bytes.high, all(byte)));
}

/* MARK: Classes of characters */

/* Classes of characters, a bit each. A lookup by the upper four bits of a character and one by the lower four are
   combined with AND, so a class must be a product of upper and lower halves; some classes are divided for that. */
enum {
  /* What ends an escape of two bytes: 22 and 2F, 5C, 62 and 66 and 6E, 72 and 74. */
  SIMPLE_2 = 0x01,
  SIMPLE_5 = 0x02,
  SIMPLE_6 = 0x04,
  SIMPLE_7 = 0x08,
  SIMPLE = SIMPLE_2 | SIMPLE_5 | SIMPLE_6 | SIMPLE_7,
  /* Hexadecimal digits: 30 to 39, 41 to 46 and 61 to 66. */
  DIGIT_3 = 0x10,
  DIGIT_46 = 0x20,
  DIGIT = DIGIT_3 | DIGIT_46,
  /* The letter u, 75. */
  UNICODE = 0x40,
};

static inline __m256i classes_of_half(__m256i characters) {
  const __m128i low = _mm_setr_epi8(
      DIGIT_3, DIGIT, DIGIT | SIMPLE_2 | SIMPLE_6 | SIMPLE_7, DIGIT, DIGIT | SIMPLE_7, DIGIT | UNICODE,
      DIGIT | SIMPLE_6, DIGIT_3, DIGIT_3, DIGIT_3, 0, 0, SIMPLE_5, 0, SIMPLE_6, SIMPLE_2);
  const __m128i high = _mm_setr_epi8(
      0, 0, SIMPLE_2, DIGIT_3, DIGIT_46, SIMPLE_5, DIGIT_46 | SIMPLE_6, SIMPLE_7 | UNICODE, 0, 0, 0, 0, 0, 0, 0, 0);
  const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(characters, 4), all(0x0F));
  /* The shuffle uses the lower four bits, and yields zero for characters beyond ASCII. */
  return _mm256_and_si256(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(low), characters),
                          _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(high), upper));
}

static inline block classes(block characters) {
  return (block){classes_of_half(characters.low), classes_of_half(characters.high)};
}

/* Which characters are in one of some classes. */
static inline uint64_t in(block classes, uint8_t some) {
  const __m256i none = _mm256_setzero_si256();
  return bits(_mm256_cmpgt_epi8(_mm256_and_si256(classes.low, all(some)), none),
              _mm256_cmpgt_epi8(_mm256_and_si256(classes.high, all(some)), none));
}

/* The values of hexadecimal digits. Other characters yield values below 16 too. */
static inline __m256i values_of_half(__m256i characters) {
  const __m256i letters = _mm256_cmpgt_epi8(characters, all('9'));
  return _mm256_and_si256(_mm256_add_epi8(characters, _mm256_and_si256(letters, all(9))), all(0x0F));
}

static inline block values(block characters) {
  return (block){values_of_half(characters.low), values_of_half(characters.high)};
}

static inline assay_json_digit_masks digit_masks(block classes, block values) {
  return (assay_json_digit_masks){
      .digits = in(classes, DIGIT),
      .zeros = equal(values, 0x0),
      .thirteens = equal(values, 0xD),
      .eights = bits(_mm256_slli_epi16(values.low, 4), _mm256_slli_epi16(values.high, 4)),
      .fours = bits(_mm256_slli_epi16(values.low, 5), _mm256_slli_epi16(values.high, 5)),
  };
}

/* MARK: Scanning */

/* Control characters, quotes, and characters beyond ASCII. */
static inline __m256i ends_of_half(__m256i characters) {
  /* As signed numbers, control characters and those beyond ASCII are all below the space. */
  return _mm256_or_si256(_mm256_cmpgt_epi8(all(' '), characters), _mm256_cmpeq_epi8(characters, all('"')));
}

assay_json_run assay_json_run_avx2(const uint8_t *text, size_t count) {
  const __m256i backslash = all('\\');
  assay_json_run run = {0, false};
  while (count - run.count >= STEP) {
    const block characters = load(text + run.count);
    const block others = {ends_of_half(characters.low), ends_of_half(characters.high)};
    const block slashes = {
        _mm256_cmpeq_epi8(characters.low, backslash), _mm256_cmpeq_epi8(characters.high, backslash)};
    const __m256i low = _mm256_or_si256(others.low, slashes.low), high = _mm256_or_si256(others.high, slashes.high);
    if (_mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0) {
      run.count += STEP;
      continue;
    }
    const uint64_t backslashes = bits(slashes.low, slashes.high), strangers = bits(others.low, others.high);
    if (backslashes == 0) {
      run.count += (size_t)__builtin_ctzll(strangers);
      return run;
    }
    const block kinds = classes(characters);
    const uint64_t begun = assay_json_begun(backslashes), units = begun & in(kinds, UNICODE) >> 1;
    uint64_t taken = begun & in(kinds, SIMPLE) >> 1;
    if (units != 0) taken |= assay_json_units_taken(units, digit_masks(kinds, values(characters))).taken;
    const uint64_t ends = (strangers & ~(begun << 1)) | (begun & ~taken);
    if (__builtin_expect(ends == 0, true)) {
      run.has_escapes = true;
      run.count += STEP;
      continue;
    }
    const size_t place = (size_t)__builtin_ctzll(ends);
    run.has_escapes |= (begun & assay_json_before(place)) != 0;
    run.count += place;
    /* An escape at the end of the block may continue beyond it; one at the beginning is invalid. */
    if (place == 0 || (begun >> place & 1) == 0) return run;
  }
  const assay_json_run rest = assay_json_run_portable(text + run.count, count - run.count);
  return (assay_json_run){run.count + rest.count, run.has_escapes || rest.has_escapes};
}

/* MARK: Unescaping */

/* Bytes with all bits set for each bit of a mask. */
static inline __m256i spread(uint32_t mask) {
  const __m256i each = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201);
  const __m256i copies = _mm256_shuffle_epi8(_mm256_set1_epi32((int)mask), each);
  return _mm256_cmpeq_epi8(_mm256_and_si256(copies, bit), bit);
}

/* Characters, with the second bytes of escapes replaced by their content.

   places  where escapes of two bytes end */
static inline __m256i unescaped(__m256i characters, uint32_t places) {
  /* b, f, n, r and t differ in bits 1 to 4, and are above the others, which stand for themselves. */
  const __m128i controls = _mm_setr_epi8(0, '\b', 0, '\f', 0, 0, 0, '\n', 0, '\r', '\t', 0, 0, 0, 0, 0);
  const __m256i keys = _mm256_and_si256(_mm256_srli_epi16(characters, 1), all(0x0F));
  const __m256i meant = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(controls), keys);
  const __m256i letters = _mm256_cmpgt_epi8(characters, all('\\'));
  return _mm256_blendv_epi8(characters, meant, _mm256_and_si256(letters, spread(places)));
}

/* Bytes moved `count` places later, after the last ones of the half before. */
#define LATER(before, bytes, count) \
  _mm256_alignr_epi8(bytes, _mm256_permute2x128_si256(before, bytes, 0x21), 16 - (count))

/* Bytes shifted down; `some` are the bits that can be set then. */
static inline __m256i down(__m256i bytes, int count, uint8_t some) {
  return _mm256_and_si256(_mm256_srli_epi16(bytes, count), all(some));
}

/* Characters, replaced at the places of a mask by bytes with some bits set. */
static inline __m256i put(__m256i characters, uint64_t places, __m256i bytes, uint8_t some) {
  return _mm256_blendv_epi8(characters, _mm256_or_si256(bytes, all(some)), spread((uint32_t)places));
}

/* Characters of a half block, with the UTF-8 of code units in the last places of their escapes.

   first   the index of the half's first byte in the block
   before  the values in the half before */
static inline __m256i encoded(
    __m256i characters, unsigned first, __m256i values, __m256i before, assay_json_units units,
    assay_json_lengths lengths) {
  const __m256i previous = LATER(before, values, 1);
  /* All bits of two digits, and the upper six. */
  const __m256i eight = _mm256_or_si256(_mm256_slli_epi16(previous, 4), values);
  const __m256i six = _mm256_or_si256(_mm256_slli_epi16(previous, 2), down(values, 2, 0x03));
  characters = put(characters, units.taken << 5 >> first, eight, 0);
  if (lengths.two_or_more == 0) return characters;
  const uint64_t two = lengths.two_or_more & ~lengths.three, three = lengths.three;
  characters = put(characters, lengths.two_or_more << 5 >> first, _mm256_and_si256(eight, all(0x3F)), 0x80);
  characters = put(characters, two << 4 >> first, six, 0xC0);
  characters = put(characters, three << 4 >> first, six, 0x80);
  characters = put(characters, three << 3 >> first, previous, 0xE0);
  if (units.high == 0) return characters;
  /* 110110ab cdefghij 110111kl mnopqrst is 11110ABC 10DEefgh 10ijklmn 10opqrst in UTF-8, where ABCDE is abcd + 1. */
  const __m256i low = _mm256_and_si256(six, all(0x0F));
  const __m256i plane = down(_mm256_add_epi8(low, all(1)), 2, 0x07);
  const __m256i middle = _mm256_and_si256(_mm256_add_epi8(down(eight, 2, 0x3F), all(0x10)), all(0x3F));
  const __m256i carried = _mm256_slli_epi16(_mm256_and_si256(LATER(before, values, 5), all(0x03)), 4);
  characters = put(characters, units.high << 4 >> first, plane, 0xF0);
  characters = put(characters, units.high << 5 >> first, middle, 0x80);
  return put(characters, units.low << 4 >> first, _mm256_or_si256(low, carried), 0x80);
}

/* For each mask of eight bits the indices of those that are set, lowest first, then zeros. */
#define BITS_BELOW(mask, bit) __builtin_popcount((mask) & ((1 << (bit)) - 1))
#define IF_INDEX(mask, rank, bit) (((mask) >> (bit) & 1) != 0 && BITS_BELOW(mask, bit) == (rank) ? (bit) : 0)
#define INDEX(mask, rank)                                                                             \
  (IF_INDEX(mask, rank, 1) | IF_INDEX(mask, rank, 2) | IF_INDEX(mask, rank, 3) | IF_INDEX(mask, rank, 4) | \
   IF_INDEX(mask, rank, 5) | IF_INDEX(mask, rank, 6) | IF_INDEX(mask, rank, 7))
#define INDICES(mask)                                               \
  {INDEX(mask, 0), INDEX(mask, 1), INDEX(mask, 2), INDEX(mask, 3), \
   INDEX(mask, 4), INDEX(mask, 5), INDEX(mask, 6), INDEX(mask, 7)}
#define INDICES_4(mask) INDICES(mask), INDICES(mask + 1), INDICES(mask + 2), INDICES(mask + 3)
#define INDICES_16(mask) INDICES_4(mask), INDICES_4(mask + 4), INDICES_4(mask + 8), INDICES_4(mask + 12)
#define INDICES_64(mask) INDICES_16(mask), INDICES_16(mask + 16), INDICES_16(mask + 32), INDICES_16(mask + 48)

static const uint8_t indices[256][8] __attribute__((aligned(64))) = {
    INDICES_64(0), INDICES_64(64), INDICES_64(128), INDICES_64(192)};

/* Writes those of eight bytes that the lowest bits of a mask select, followed by arbitrary ones: eight in total.

   bytes  the eight, from this index on */
static inline void compress_eight(__m128i bytes, char index, uint32_t mask, uint8_t *output) {
  const __m128i shuffle = _mm_loadl_epi64((const __m128i *)(const void *)indices[mask & 0xFF]);
  const __m128i kept = _mm_shuffle_epi8(bytes, _mm_or_si128(shuffle, _mm_set1_epi8(index)));
  _mm_storel_epi64((__m128i *)(void *)output, kept);
}

/* Writes the bytes of a half block that a mask selects, followed by arbitrary ones: HALF at most. */
static inline void compress(__m256i bytes, uint32_t mask, uint8_t *output) {
  const __m128i low = _mm256_castsi256_si128(bytes), high = _mm256_extracti128_si256(bytes, 1);
  compress_eight(low, 0, mask, output);
  compress_eight(low, 8, mask >> 8, output + __builtin_popcount(mask & 0xFF));
  compress_eight(high, 0, mask >> 16, output + __builtin_popcount(mask & 0xFFFF));
  compress_eight(high, 8, mask >> 24, output + __builtin_popcount(mask & 0xFFFFFF));
}

assay_json_copy assay_json_unescape_avx2(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy copy = {0, 0};
  /* No more is written than read: if a step is left to read, there is room to write one. */
  while (count - copy.read >= STEP) {
    uint8_t *const room = output + copy.written;
    block characters = load(text + copy.read);
    const uint64_t backslashes = equal(characters, '\\');
    if (backslashes == 0) {
      store_half(room, characters.low);
      store_half(room + HALF, characters.high);
      copy.read += STEP;
      copy.written += STEP;
      continue;
    }
    const block kinds = classes(characters), digits = values(characters);
    const uint64_t begun = assay_json_begun(backslashes), units = begun & in(kinds, UNICODE) >> 1;
    const uint64_t simple = begun & in(kinds, SIMPLE) >> 1;
    uint64_t dropped = simple, ends = begun & ~simple;
    characters.low = unescaped(characters.low, (uint32_t)(simple << 1));
    characters.high = unescaped(characters.high, (uint32_t)(simple << 1 >> HALF));
    if (units != 0) {
      const assay_json_digit_masks masks = digit_masks(kinds, digits);
      const assay_json_units found = assay_json_units_taken(units, masks);
      const assay_json_lengths lengths = assay_json_unit_lengths(found, masks);
      characters.low = encoded(characters.low, 0, digits.low, _mm256_setzero_si256(), found, lengths);
      characters.high = encoded(characters.high, HALF, digits.high, digits.low, found, lengths);
      dropped |= assay_json_units_dropped(found, lengths);
      ends &= ~found.taken;
    }
    /* An escape at the end of the block may continue beyond it; one at the beginning is invalid. */
    if ((ends & 1) != 0) return copy;
    size_t taken = STEP;
    uint64_t lanes = ~dropped;
    /* A branch, so that the next step does not depend on this one. */
    if (__builtin_expect(ends != 0, false)) {
      taken = (size_t)__builtin_ctzll(ends);
      lanes &= assay_json_before(taken);
    }
    compress(characters.low, (uint32_t)lanes, room);
    compress(characters.high, (uint32_t)(lanes >> HALF), room + __builtin_popcount((uint32_t)lanes));
    copy.read += taken;
    copy.written += (size_t)__builtin_popcountll(lanes);
  }
  const assay_json_copy rest =
      assay_json_unescape_portable(text + copy.read, count - copy.read, output + copy.written);
  return (assay_json_copy){copy.read + rest.read, copy.written + rest.written};
}

#pragma clang attribute pop

#endif
