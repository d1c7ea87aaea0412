#ifndef CDIGEST_SHIM_H
#define CDIGEST_SHIM_H

// SHA-256, and comparison in constant time, by libsodium.
#include <sodium.h>

#endif
