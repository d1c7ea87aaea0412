#include "CPKCS11.h"

#include <dlfcn.h>
#include <stddef.h>

typedef CK_RV (*GetFunctionList)(const CK_FUNCTION_LIST **);

const CK_FUNCTION_LIST *assay_pkcs11_open(const char *path) {
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (module == NULL) return NULL;
  GetFunctionList get = (GetFunctionList)dlsym(module, "C_GetFunctionList");
  const CK_FUNCTION_LIST *functions = NULL;
  if (get == NULL || get(&functions) != CKR_OK || functions == NULL || functions->version.major != 2) {
    dlclose(module);
    return NULL;
  }
  return functions;
}
