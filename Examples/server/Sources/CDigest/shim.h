#ifndef CDIGEST_SHIM_H
#define CDIGEST_SHIM_H

// libsodium: SHA-256 and sodium_memcmp.
#include <sodium.h>

#endif
