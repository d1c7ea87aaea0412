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
  ///
  /// OpenSSL 3.0 frees its copy of the scalar's octets without wiping it. So its decoder is shown the structure with
  /// another scalar, and the true one is taken from `der` itself.
  private convenience init(sec1 der: [UInt8], group: OpaquePointer?) throws(KeyError) {
    defer { ERR_clear_error() }
    let scalar = try PrivateKey.scalarIndices(inSEC1: der)
    var structure = der
    for index in scalar { structure[index] = 1 }
    var key = EC_KEY_new()
    defer { EC_KEY_free(key) }
    guard key != nil, group == nil || EC_KEY_set_group(key, group) == 1 else { throw KeyError(.malformedKey) }
    let isWhole = structure.withUnsafeBufferPointer { octets in
      var next = octets.baseAddress
      guard d2i_ECPrivateKey(&key, &next, octets.count) != nil else { return false }
      return next == octets.baseAddress.map { $0 + octets.count }
    }
    guard isWhole, let key else { throw KeyError(.malformedKey) }
    guard let group = EC_KEY_get0_group(key), EC_GROUP_get_curve_name(group) == NID_X9_62_prime256v1,
      EC_GROUP_get_asn1_flag(group) == OPENSSL_EC_NAMED_CURVE
    else { throw KeyError(.unsupportedCurve) }
    let stated = try PrivateKey.statedPublicKey(of: key, in: group)
    try self.init(magnitude: der[scalar])
    guard stated == nil || stated == publicKey else { throw KeyError(.publicKeyMismatch) }
  }

  /// Where the octets of `privateKey` stand in an ECPrivateKey.
  private static func scalarIndices(inSEC1 der: [UInt8]) throws(KeyError) -> Range<Int> {
    do {
      var inside = try DERReader.single(der[...]).reader
      _ = try inside.read(.integer)
      return try inside.read(.octetString).contents.indices
    } catch {
      throw KeyError(.malformedKey)
    }
  }

  /// 04 ‖ x ‖ y of the public key in the file, which need not hold one.
  private static func statedPublicKey(of key: OpaquePointer, in group: OpaquePointer) throws(KeyError) -> [UInt8]? {
    guard EC_KEY_get_enc_flags(key) & UInt32(EC_PKEY_NO_PUBKEY) == 0 else { return nil }
    guard let point = EC_KEY_get0_public_key(key) else { return nil }
    var octets = [UInt8](repeating: 0, count: 65)
    let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
    guard count == octets.count else { throw KeyError(.malformedKey) }
    return octets
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
