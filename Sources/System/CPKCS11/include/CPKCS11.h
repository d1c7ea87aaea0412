#ifndef ASSAY_CPKCS11_H
#define ASSAY_CPKCS11_H

/* The part of the OASIS standard "PKCS #11 Cryptographic Token Interface" v2.40 that key agreement, key transport
   and their tests need: types, constants, and the function list, in which only the functions used here have their
   types. Layouts are those of Unix, where structures are not packed. */

typedef unsigned char CK_BYTE;
typedef unsigned long CK_ULONG;
typedef CK_ULONG CK_RV;
typedef CK_ULONG CK_SLOT_ID;
typedef CK_ULONG CK_SESSION_HANDLE;
typedef CK_ULONG CK_OBJECT_HANDLE;
typedef void (*CK_UNUSED)(void);

typedef struct {
  CK_BYTE major, minor;
} CK_VERSION;

typedef struct {
  CK_ULONG type;
  void *pValue;
  CK_ULONG ulValueLen;
} CK_ATTRIBUTE;

typedef struct {
  CK_ULONG mechanism;
  void *pParameter;
  CK_ULONG ulParameterLen;
} CK_MECHANISM;

typedef struct {
  CK_ULONG kdf;
  CK_ULONG ulSharedDataLen;
  CK_BYTE *pSharedData;
  CK_ULONG ulPublicDataLen;
  CK_BYTE *pPublicData;
} CK_ECDH1_DERIVE_PARAMS;

typedef struct {
  CK_ULONG hashAlg;
  CK_ULONG mgf;
  CK_ULONG source;
  void *pSourceData;
  CK_ULONG ulSourceDataLen;
} CK_RSA_PKCS_OAEP_PARAMS;

typedef struct {
  CK_UNUSED CreateMutex, DestroyMutex, LockMutex, UnlockMutex;
  CK_ULONG flags;
  void *pReserved;
} CK_C_INITIALIZE_ARGS;

typedef struct {
  CK_BYTE label[32];
  CK_BYTE manufacturerID[32];
  CK_BYTE model[16];
  CK_BYTE serialNumber[16];
  CK_ULONG flags;
  CK_ULONG ulMaxSessionCount, ulSessionCount, ulMaxRwSessionCount, ulRwSessionCount, ulMaxPinLen, ulMinPinLen;
  CK_ULONG ulTotalPublicMemory, ulFreePublicMemory, ulTotalPrivateMemory, ulFreePrivateMemory;
  CK_VERSION hardwareVersion, firmwareVersion;
  CK_BYTE utcTime[16];
} CK_TOKEN_INFO;

static const CK_ULONG CKR_OK = 0;
static const CK_ULONG CKR_ARGUMENTS_BAD = 7;
static const CK_ULONG CKR_DATA_INVALID = 0x20;
static const CK_ULONG CKR_DATA_LEN_RANGE = 0x21;
static const CK_ULONG CKR_ENCRYPTED_DATA_INVALID = 0x40;
static const CK_ULONG CKR_ENCRYPTED_DATA_LEN_RANGE = 0x41;
static const CK_ULONG CKR_MECHANISM_INVALID = 0x70;
static const CK_ULONG CKR_MECHANISM_PARAM_INVALID = 0x71;
static const CK_ULONG CKR_CRYPTOKI_ALREADY_INITIALIZED = 0x191;
static const CK_ULONG CKR_USER_ALREADY_LOGGED_IN = 0x100;

static const CK_ULONG CKF_OS_LOCKING_OK = 0x2;
static const CK_ULONG CKF_RW_SESSION = 0x2;
static const CK_ULONG CKF_SERIAL_SESSION = 0x4;
static const CK_ULONG CKU_USER = 1;

static const CK_ULONG CKO_PUBLIC_KEY = 2;
static const CK_ULONG CKO_PRIVATE_KEY = 3;
static const CK_ULONG CKO_SECRET_KEY = 4;
static const CK_ULONG CKK_RSA = 0;
static const CK_ULONG CKK_EC = 3;
static const CK_ULONG CKK_GENERIC_SECRET = 0x10;

static const CK_ULONG CKA_CLASS = 0;
static const CK_ULONG CKA_TOKEN = 1;
static const CK_ULONG CKA_PRIVATE = 2;
static const CK_ULONG CKA_LABEL = 3;
static const CK_ULONG CKA_VALUE = 0x11;
static const CK_ULONG CKA_KEY_TYPE = 0x100;
static const CK_ULONG CKA_ID = 0x102;
static const CK_ULONG CKA_SENSITIVE = 0x103;
static const CK_ULONG CKA_DECRYPT = 0x105;
static const CK_ULONG CKA_DERIVE = 0x10C;
static const CK_ULONG CKA_MODULUS = 0x120;
static const CK_ULONG CKA_MODULUS_BITS = 0x121;
static const CK_ULONG CKA_PUBLIC_EXPONENT = 0x122;
static const CK_ULONG CKA_PRIVATE_EXPONENT = 0x123;
static const CK_ULONG CKA_PRIME_1 = 0x124;
static const CK_ULONG CKA_PRIME_2 = 0x125;
static const CK_ULONG CKA_EXPONENT_1 = 0x126;
static const CK_ULONG CKA_EXPONENT_2 = 0x127;
static const CK_ULONG CKA_COEFFICIENT = 0x128;
static const CK_ULONG CKA_VALUE_LEN = 0x161;
static const CK_ULONG CKA_EXTRACTABLE = 0x162;
static const CK_ULONG CKA_EC_PARAMS = 0x180;
static const CK_ULONG CKA_EC_POINT = 0x181;

static const CK_ULONG CKM_RSA_PKCS_KEY_PAIR_GEN = 0;
static const CK_ULONG CKM_RSA_X_509 = 3;
static const CK_ULONG CKM_RSA_PKCS_OAEP = 9;
static const CK_ULONG CKM_SHA256 = 0x250;
static const CK_ULONG CKG_MGF1_SHA256 = 2;
static const CK_ULONG CKZ_DATA_SPECIFIED = 1;
static const CK_ULONG CKM_EC_KEY_PAIR_GEN = 0x1040;
static const CK_ULONG CKM_ECDH1_DERIVE = 0x1050;
static const CK_ULONG CKD_NULL = 1;

typedef struct {
  CK_VERSION version;
  CK_RV (*C_Initialize)(void *);
  CK_RV (*C_Finalize)(void *);
  CK_UNUSED C_GetInfo, C_GetFunctionList;
  CK_RV (*C_GetSlotList)(CK_BYTE, CK_SLOT_ID *, CK_ULONG *);
  CK_UNUSED C_GetSlotInfo;
  CK_RV (*C_GetTokenInfo)(CK_SLOT_ID, CK_TOKEN_INFO *);
  CK_UNUSED C_GetMechanismList, C_GetMechanismInfo, C_InitToken, C_InitPIN, C_SetPIN;
  CK_RV (*C_OpenSession)(CK_SLOT_ID, CK_ULONG, void *, void *, CK_SESSION_HANDLE *);
  CK_RV (*C_CloseSession)(CK_SESSION_HANDLE);
  CK_UNUSED C_CloseAllSessions, C_GetSessionInfo, C_GetOperationState, C_SetOperationState;
  CK_RV (*C_Login)(CK_SESSION_HANDLE, CK_ULONG, CK_BYTE *, CK_ULONG);
  CK_UNUSED C_Logout;
  CK_RV (*C_CreateObject)(CK_SESSION_HANDLE, CK_ATTRIBUTE *, CK_ULONG, CK_OBJECT_HANDLE *);
  CK_UNUSED C_CopyObject;
  CK_RV (*C_DestroyObject)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE);
  CK_UNUSED C_GetObjectSize;
  CK_RV (*C_GetAttributeValue)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
  CK_UNUSED C_SetAttributeValue;
  CK_RV (*C_FindObjectsInit)(CK_SESSION_HANDLE, CK_ATTRIBUTE *, CK_ULONG);
  CK_RV (*C_FindObjects)(CK_SESSION_HANDLE, CK_OBJECT_HANDLE *, CK_ULONG, CK_ULONG *);
  CK_RV (*C_FindObjectsFinal)(CK_SESSION_HANDLE);
  CK_UNUSED C_EncryptInit, C_Encrypt, C_EncryptUpdate, C_EncryptFinal;
  CK_RV (*C_DecryptInit)(CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE);
  CK_RV (*C_Decrypt)(CK_SESSION_HANDLE, CK_BYTE *, CK_ULONG, CK_BYTE *, CK_ULONG *);
  CK_UNUSED C_DecryptUpdate, C_DecryptFinal;
  CK_UNUSED C_DigestInit, C_Digest, C_DigestUpdate, C_DigestKey, C_DigestFinal;
  CK_UNUSED C_SignInit, C_Sign, C_SignUpdate, C_SignFinal, C_SignRecoverInit, C_SignRecover;
  CK_UNUSED C_VerifyInit, C_Verify, C_VerifyUpdate, C_VerifyFinal, C_VerifyRecoverInit, C_VerifyRecover;
  CK_UNUSED C_DigestEncryptUpdate, C_DecryptDigestUpdate, C_SignEncryptUpdate, C_DecryptVerifyUpdate;
  CK_UNUSED C_GenerateKey;
  CK_RV (*C_GenerateKeyPair)(CK_SESSION_HANDLE, CK_MECHANISM *, CK_ATTRIBUTE *, CK_ULONG, CK_ATTRIBUTE *, CK_ULONG,
                             CK_OBJECT_HANDLE *, CK_OBJECT_HANDLE *);
  CK_UNUSED C_WrapKey, C_UnwrapKey;
  CK_RV (*C_DeriveKey)(
      CK_SESSION_HANDLE, CK_MECHANISM *, CK_OBJECT_HANDLE, CK_ATTRIBUTE *, CK_ULONG, CK_OBJECT_HANDLE *);
  CK_UNUSED C_SeedRandom, C_GenerateRandom, C_GetFunctionStatus, C_CancelFunction, C_WaitForSlotEvent;
} CK_FUNCTION_LIST;

/* Opens the module and gets its function list; NULL if it cannot be opened or has none of version 2. A module whose
   list was returned is never closed, because modules leave threads and exit handlers behind. */
const CK_FUNCTION_LIST *assay_pkcs11_open(const char *path);

#endif
