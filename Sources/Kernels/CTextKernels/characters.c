#include "json_escapes.h"

/* The rows of the automaton in CTextKernels.h: for each byte, the next state of every state, six bits each, at the bit
   offset that is the state's number. States without an entry go to ASSAY_JSON_STOP, which is zero. */

enum {
  CHARACTER = ASSAY_JSON_CHARACTER,
  ESCAPE = ASSAY_JSON_ESCAPE,
  /* One, two or three continuation bytes follow, each of any value. */
  ONE = 12, TWO = 18, THREE = 24,
  /* The next byte has a lower bound after E0 and F0, which excludes overlong forms, and an upper bound after ED, which
     excludes surrogates, and after F4, which excludes numbers beyond Unicode (Unicode 15, table 3-7). */
  AFTER_E0 = 30, AFTER_ED = 36, AFTER_F0 = 42, AFTER_F4 = 48,
};

#define TO(state, next) ((uint64_t)(next) << (state))
#define PLAIN TO(CHARACTER, CHARACTER)
/* The second byte of a two-byte escape. */
#define MEANT TO(ESCAPE, CHARACTER)
#define CONTINUATION TO(ONE, CHARACTER) | TO(TWO, ONE) | TO(THREE, TWO)

const uint64_t assay_json_rows[256] __attribute__((aligned(64))) = {
    [0x20 ... 0x21] = PLAIN, ['"'] = MEANT,         [0x23 ... 0x2E] = PLAIN, ['/'] = PLAIN | MEANT,
    [0x30 ... 0x5B] = PLAIN, [0x5D ... 0x61] = PLAIN, ['b'] = PLAIN | MEANT, [0x63 ... 0x65] = PLAIN,
    ['f'] = PLAIN | MEANT,   [0x67 ... 0x6D] = PLAIN, ['n'] = PLAIN | MEANT, [0x6F ... 0x71] = PLAIN,
    ['r'] = PLAIN | MEANT,   [0x73] = PLAIN,        ['t'] = PLAIN | MEANT,   [0x75 ... 0x7F] = PLAIN,
    ['\\'] = TO(CHARACTER, ESCAPE) | MEANT,
    [0x80 ... 0x8F] = CONTINUATION | TO(AFTER_ED, ONE) | TO(AFTER_F4, TWO),
    [0x90 ... 0x9F] = CONTINUATION | TO(AFTER_ED, ONE) | TO(AFTER_F0, TWO),
    [0xA0 ... 0xBF] = CONTINUATION | TO(AFTER_E0, ONE) | TO(AFTER_F0, TWO),
    [0xC2 ... 0xDF] = TO(CHARACTER, ONE),
    [0xE0] = TO(CHARACTER, AFTER_E0),
    [0xE1 ... 0xEC] = TO(CHARACTER, TWO),
    [0xED] = TO(CHARACTER, AFTER_ED),
    [0xEE ... 0xEF] = TO(CHARACTER, TWO),
    [0xF0] = TO(CHARACTER, AFTER_F0),
    [0xF1 ... 0xF3] = TO(CHARACTER, THREE),
    [0xF4] = TO(CHARACTER, AFTER_F4),
};

assay_json_run assay_json_characters(const uint8_t *text, size_t count, size_t most) {
  const size_t last = count < most ? count : most;
  size_t place = 0;
  uint64_t state = ASSAY_JSON_CHARACTER;
  bool has_escapes = false;
  while (place < last) {
    const uint64_t next = assay_json_next(state, text[place]);
    if (next == ASSAY_JSON_STOP) {
      if (state != ASSAY_JSON_ESCAPE) break;
      const size_t length = assay_json_escape_at(text + place - 1, count - place + 1).length;
      if (length == 0) break;
      has_escapes = true;
      place += length - 1;
      state = ASSAY_JSON_CHARACTER;
      continue;
    }
    has_escapes |= state == ASSAY_JSON_ESCAPE;
    state = next;
    place++;
  }
  /* An incomplete or invalid character or escape at the end does not count. */
  if (state != ASSAY_JSON_CHARACTER) {
    do place--;
    while ((text[place] & 0xC0) == 0x80);
  }
  return (assay_json_run){place, has_escapes};
}
