#ifndef ASSAY_CCOVERAGE_H
#define ASSAY_CCOVERAGE_H

#include <stddef.h>
#include <stdint.h>

/* The coverage counters of a coverage build (Docs/Fuzzing.md): a byte for each edge of the instrumented modules'
   control flow, incremented modulo 256 by the instrumented code itself. Not atomic: meaningful while one thread runs
   that code. */
struct assay_coverage_counters {
  uint8_t *start; /* NULL if there are none */
  size_t count;
};

/* All counters of this program; none in a build without instrumentation. */
struct assay_coverage_counters assay_coverage_counters(void);

#endif
