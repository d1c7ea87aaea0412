/* JSON strings, 16 bytes per step. */

#include "../json_steps.h"

#if defined(__aarch64__)

enum { STEP = 16 };

static inline uint64_t copy(const uint8_t *text, uint8_t *output) {
  const uint8x16_t characters = vld1q_u8(text);
  vst1q_u8(output, characters);
  return assay_json_nibbles(vceqq_u8(characters, vdupq_n_u8('\\')));
}

assay_json_run assay_json_run_neon(const uint8_t *text, size_t count) {
  assay_json_run run = assay_json_run_steps(text, count, STEP, 4, assay_json_marks);
  if (count - run.count >= STEP) return run;
  const assay_json_run rest = assay_json_run_portable(text + run.count, count - run.count);
  return (assay_json_run){run.count + rest.count, run.has_escapes || rest.has_escapes};
}

assay_json_copy assay_json_unescape_neon(const uint8_t *text, size_t count, uint8_t *output) {
  assay_json_copy done = assay_json_unescape_steps(text, count, output, STEP, 4, copy);
  if (count - done.read >= STEP) return done;
  const assay_json_copy rest =
      assay_json_unescape_portable(text + done.read, count - done.read, output + done.written);
  return (assay_json_copy){done.read + rest.read, done.written + rest.written};
}

#endif
