#include "CSecrecy.h"

#if defined(ASSAY_SECRECY)
int assay_declassification_is_off = 0;
#endif
