#include "CCoverage.h"

#ifdef ASSAY_FUZZ_COVERAGE

static struct assay_coverage_counters counters;

/* Called by a constructor of each instrumented object file. The linker joins the counters of all of them to one
   section, so each call passes the same range. */
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop) {
  counters.start = start;
  counters.count = (size_t)(stop - start);
}

struct assay_coverage_counters assay_coverage_counters(void) { return counters; }

#else

struct assay_coverage_counters assay_coverage_counters(void) {
  return (struct assay_coverage_counters){NULL, 0};
}

#endif
