#ifndef ASSAY_CSODIUM_SHIM_H
#define ASSAY_CSODIUM_SHIM_H

#include <sodium.h>

#endif
