#ifndef ASSAY_LIMITS_H
#define ASSAY_LIMITS_H

#include <stdint.h>
#include <sys/resource.h>

/* Resource limits that a child sets after fork. Async-signal-safe. */

/* Lowers the hard and the soft limit to `most`. A lower one stays. */
static inline void assay_limit(int resource, uint64_t most) {
  struct rlimit before, after;
  if (getrlimit(resource, &before) != 0) return;
  after.rlim_max = most < before.rlim_max ? (rlim_t)most : before.rlim_max;
  after.rlim_cur = most < before.rlim_cur ? (rlim_t)most : before.rlim_cur;
  (void)setrlimit(resource, &after);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define ASSAY_MAPS_TERABYTES 1
#endif
#endif

/* Limits the address space like assay_limit; 0 for no limit. Does nothing in builds with a sanitizer, which reserve
   terabytes of address space. */
static inline void assay_limit_address_space(uint64_t bytes) {
#if defined(ASSAY_MAPS_TERABYTES)
  (void)bytes;
#else
  if (bytes > 0) assay_limit(RLIMIT_AS, bytes);
#endif
}

#endif
