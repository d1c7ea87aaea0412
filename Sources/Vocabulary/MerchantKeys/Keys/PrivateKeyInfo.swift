import COpenSSL

/// PrivateKeyInfo (PKCS #8, RFC 5958): the algorithm, and the key in the algorithm's own structure.
struct PrivateKeyInfo {
  /// The NID of the algorithm.
  let algorithm: Int32
  /// The NID of the named curve; `NID_undef` when the parameters are not an OID.
  let curve: Int32
  /// Whether the parameters are those of P-256 instead of its name.
  let hasExplicitParameters: Bool
  /// The contents of the OCTET STRING: ECPrivateKey, RSAPrivateKey or another.
  private(set) var key: [UInt8]

  /// Reads a structure that must take up all of `der`. The caller wipes `der` and this value.
  ///
  /// - Throws: `KeyError.Code.malformedKey` or `memoryUnavailable`.
  init(_ der: [UInt8]) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    guard let info = LibcryptoCoding.decoded(der, d2i_PKCS8_PRIV_KEY_INFO, free: PKCS8_PRIV_KEY_INFO_free) else {
      throw CallersErrors.failure(.malformedKey)
    }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    try self.init(info: info)
  }

  /// Copies a structure decoded by libcrypto, which the caller frees.
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
    hasExplicitParameters =
      type == V_ASN1_SEQUENCE
      && EllipticCurve.isP256(explicit: value?.assumingMemoryBound(to: ASN1_STRING.self))
    key = Array(UnsafeBufferPointer(start: inner, count: Int(count)))
  }

  mutating func wipe() { key.wipe() }
}

extension MerchantSecret {
  /// Reads PrivateKeyInfo (PKCS #8, RFC 5958) of an EC or an RSA key, which must take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with a code for private keys.
  public init(pkcs8 der: [UInt8]) throws(KeyError) {
    var info = try PrivateKeyInfo(der)
    defer { info.wipe() }
    try self.init(info)
  }

  /// Copies the key in a PrivateKeyInfo.
  init(_ info: PrivateKeyInfo) throws(KeyError) {
    switch info.algorithm {
    case NID_X9_62_id_ecPublicKey: self = .p256(try PrivateKey(info))
    case NID_rsaEncryption: self = .rsa(try RSAPrivateKey(pkcs1: info.key))
    default: throw KeyError(.unsupportedKeyAlgorithm)
    }
  }
}
