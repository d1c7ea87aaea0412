#include "CBuild.h"

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *assay_build_commit(void) {
#ifdef ASSAY_BUILD_COMMIT
  return TEXT(ASSAY_BUILD_COMMIT);
#else
  return "";
#endif
}
