import COpenSSL

/// PrivateKeyInfo (PKCS #8, RFC 5958): which algorithm, and the key in that algorithm's own structure.
struct PrivateKeyInfo {
  /// libcrypto's number of the algorithm.
  let algorithm: Int32
  /// libcrypto's number of the named curve; `NID_undef` when the parameters are no OID.
  let curve: Int32
  /// The contents of the OCTET STRING: ECPrivateKey, RSAPrivateKey or another.
  private(set) var key: [UInt8]

  /// Reads a structure that has to be all of `der`; the caller wipes both.
  ///
  /// - Throws: `KeyError.Code.malformedKey`.
  init(_ der: [UInt8]) throws(KeyError) {
    defer { ERR_clear_error() }
    guard let info = LibcryptoCoding.decoded(der, d2i_PKCS8_PRIV_KEY_INFO, free: PKCS8_PRIV_KEY_INFO_free) else {
      throw KeyError(.malformedKey)
    }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    try self.init(info: info)
  }

  /// Copies what libcrypto has decoded, which stays the caller's.
  init(info: OpaquePointer) throws(KeyError) {
    var algorithm: OpaquePointer?
    var inner: UnsafePointer<UInt8>?
    var count: Int32 = 0
    var parameters: UnsafePointer<X509_ALGOR>?
    guard PKCS8_pkey_get0(&algorithm, &inner, &count, &parameters, info) == 1, let inner, count > 0, let parameters
    else { throw KeyError(.malformedKey) }
    self.algorithm = OBJ_obj2nid(algorithm)
    var type: Int32 = 0
    var value: UnsafeRawPointer?
    X509_ALGOR_get0(nil, &type, &value, parameters)
    curve = type == V_ASN1_OBJECT ? OBJ_obj2nid(value.map { OpaquePointer($0) }) : NID_undef
    key = Array(UnsafeBufferPointer(start: inner, count: Int(count)))
  }

  /// Overwrites the key.
  mutating func wipe() { key.wipe() }
}

extension MerchantSecret {
  /// Reads PrivateKeyInfo of an EC or an RSA key, which has to be all of `der`.
  ///
  /// - Throws: `KeyError` with the codes for private keys.
  public init(pkcs8 der: [UInt8]) throws(KeyError) {
    var info = try PrivateKeyInfo(der)
    defer { info.wipe() }
    try self.init(info)
  }

  /// Takes the key within a PrivateKeyInfo.
  init(_ info: PrivateKeyInfo) throws(KeyError) {
    switch info.algorithm {
    case NID_X9_62_id_ecPublicKey: self = .p256(try PrivateKey(info))
    case NID_rsaEncryption: self = .rsa(try RSAPrivateKey(pkcs1: info.key))
    default: throw KeyError(.unsupportedKeyAlgorithm)
    }
  }
}
