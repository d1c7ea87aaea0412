import COpenSSL

extension PrivateKey {
  /// Reads ECPrivateKey (SEC 1 appendix C.4, RFC 5915), which has to be all of `der`.
  ///
  /// - Throws: `KeyError` with the codes for private keys.
  public convenience init(sec1 der: [UInt8]) throws(KeyError) {
    try self.init(sec1: der, group: nil)
  }

  /// Reads PrivateKeyInfo (PKCS #8, RFC 5958), which has to be all of `der`.
  ///
  /// - Throws: `KeyError` with the codes for private keys.
  public convenience init(pkcs8 der: [UInt8]) throws(KeyError) {
    defer { ERR_clear_error() }
    let info = der.withUnsafeBufferPointer { octets -> OpaquePointer? in
      var next = octets.baseAddress
      guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &next, octets.count) else { return nil }
      guard next == octets.baseAddress.map({ $0 + octets.count }) else {
        PKCS8_PRIV_KEY_INFO_free(info)
        return nil
      }
      return info
    }
    guard let info else { throw KeyError(.malformedKey) }
    defer { PKCS8_PRIV_KEY_INFO_free(info) }
    var algorithm: OpaquePointer?
    var inner: UnsafePointer<UInt8>?
    var innerCount: Int32 = 0
    var parameters: UnsafePointer<X509_ALGOR>?
    guard PKCS8_pkey_get0(&algorithm, &inner, &innerCount, &parameters, info) == 1, let inner, innerCount > 0,
      let parameters
    else { throw KeyError(.malformedKey) }
    var key = Array(UnsafeBufferPointer(start: inner, count: Int(innerCount)))
    defer { key.wipe() }
    switch OBJ_obj2nid(algorithm) {
    case NID_X9_62_id_ecPublicKey: try self.init(sec1: key, group: try PrivateKey.group(of: parameters))
    case NID_rsaEncryption: throw PrivateKey.refusal(ofRSA: key)
    default: throw KeyError(.unsupportedKeyAlgorithm)
    }
  }

  /// Why this RSAPrivateKey (RFC 8017 appendix A.1.2) is not loaded.
  static func refusal(ofRSA der: [UInt8]) -> KeyError {
    defer { ERR_clear_error() }
    return der.withUnsafeBufferPointer { octets in
      var next = octets.baseAddress
      guard let key = d2i_RSAPrivateKey(nil, &next, octets.count) else { return KeyError(.malformedKey) }
      defer { RSA_free(key) }
      guard next == octets.baseAddress.map({ $0 + octets.count }) else { return KeyError(.malformedKey) }
      return KeyError((2_048...4_096).contains(RSA_bits(key)) ? .rsaUnsupported : .rsaKeySize)
    }
  }

  /// `group` is the one named outside the ECPrivateKey, if any; an inner one has to be P-256 too.
  private convenience init(sec1 der: [UInt8], group: OpaquePointer?) throws(KeyError) {
    defer { ERR_clear_error() }
    var key = EC_KEY_new()
    defer { EC_KEY_free(key) }
    guard key != nil, group == nil || EC_KEY_set_group(key, group) == 1 else { throw KeyError(.malformedKey) }
    let isWhole = der.withUnsafeBufferPointer { octets in
      var next = octets.baseAddress
      guard d2i_ECPrivateKey(&key, &next, octets.count) != nil else { return false }
      return next == octets.baseAddress.map { $0 + octets.count }
    }
    guard isWhole, let key else { throw KeyError(.malformedKey) }
    try self.init(decoded: key)
  }

  /// The group a PKCS #8 algorithm names: P-256 by its OID and nothing else.
  private static func group(of algorithm: UnsafePointer<X509_ALGOR>) throws(KeyError) -> OpaquePointer? {
    var type: Int32 = 0
    var value: UnsafeRawPointer?
    X509_ALGOR_get0(nil, &type, &value, algorithm)
    guard type == V_ASN1_OBJECT, let value, OBJ_obj2nid(OpaquePointer(value)) == NID_X9_62_prime256v1 else {
      throw KeyError(.unsupportedCurve)
    }
    return EllipticCurve.p256.group
  }
}
