#ifndef ASSAY_CTEXTKERNELS_JSON_STEPS_H
#define ASSAY_CTEXTKERNELS_JSON_STEPS_H

#include "json_escapes.h"

/* Scans JSON strings in steps of a fixed number of bytes, for kernels that find the first special byte of a step and
   handle escapes one at a time. The kernel passes its step and the function that examines a step, which are constants
   after inlining. The caller handles the rest, which is shorter than a step. */

/* The run of a text, up to where less than a step is left.

   marks  marks those of `step` bytes that are not plain, with `bits` bits each, the lowest for the first byte; only the
          lowest mark needs to be right */
ASSAY_ALWAYS_INLINE assay_json_run assay_json_run_steps(
    const uint8_t *text, size_t count, size_t step, size_t bits, uint64_t (*marks)(const uint8_t *)) {
  assay_json_run run = {0, false};
  while (count - run.count >= step) {
    const uint64_t others = marks(text + run.count);
    /* A branch instead of the count of leading plain bytes: so the next step does not depend on this one. */
    if (others == 0) {
      run.count += step;
      continue;
    }
    run.count += (size_t)__builtin_ctzll(others) / bits;
    if (text[run.count] != '\\') return run;
    do {
      const size_t length = assay_json_escape_at(text + run.count, count - run.count).length;
      if (length == 0) return run;
      run.has_escapes = true;
      run.count += length;
    } while (run.count < count && text[run.count] == '\\');
  }
  return run;
}

/* Unescapes a text, up to where less than a step is left.

   copy  copies `step` bytes, and marks the backslashes among them, as above */
ASSAY_ALWAYS_INLINE assay_json_copy assay_json_unescape_steps(
    const uint8_t *text, size_t count, uint8_t *output, size_t step, size_t bits,
    uint64_t (*copy)(const uint8_t *, uint8_t *)) {
  assay_json_copy done = {0, 0};
  /* No more is written than read: if a step is left to read, there is room to write one. */
  while (count - done.read >= step) {
    const uint64_t backslashes = copy(text + done.read, output + done.written);
    if (backslashes == 0) {
      done.read += step;
      done.written += step;
      continue;
    }
    const size_t plain = (size_t)__builtin_ctzll(backslashes) / bits;
    done.read += plain;
    done.written += plain;
    do {
      const assay_json_escape escape = assay_json_escape_at(text + done.read, count - done.read);
      if (escape.length == 0) return done;
      done.read += escape.length;
      done.written += assay_json_encode(escape.scalar, output + done.written);
    } while (done.read < count && text[done.read] == '\\');
  }
  return done;
}

#endif
