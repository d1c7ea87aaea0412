import COpenSSL

extension PrivateKey {
  /// Reads ECPrivateKey (SEC 1 appendix C.4, RFC 5915), which must take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with a code for private keys.
  public convenience init(sec1 der: [UInt8]) throws(KeyError) {
    try self.init(sec1: der, group: nil)
  }

  /// Reads PrivateKeyInfo (PKCS #8, RFC 5958) of an EC key, which must take up all of `der`.
  ///
  /// - Throws: ``KeyError`` with a code for private keys.
  public convenience init(pkcs8 der: [UInt8]) throws(KeyError) {
    var info = try PrivateKeyInfo(der)
    defer { info.wipe() }
    guard info.algorithm == NID_X9_62_id_ecPublicKey else { throw KeyError(.unsupportedKeyAlgorithm) }
    try self.init(info)
  }

  /// Copies the key in a PrivateKeyInfo of id-ecPublicKey.
  convenience init(_ info: PrivateKeyInfo) throws(KeyError) {
    guard info.curve == NID_X9_62_prime256v1 else {
      throw KeyError(info.hasExplicitParameters ? .explicitCurveParameters : .unsupportedCurve)
    }
    try self.init(sec1: info.key, group: EllipticCurve.p256.group)
  }

  /// `group` is the curve named outside of the ECPrivateKey, if any. A curve inside must be P-256 too.
  ///
  /// OpenSSL 3.0 frees its copy of the scalar without wiping it. So its decoder gets the structure with another scalar,
  /// and the real one is copied from `der`.
  private convenience init(sec1 der: [UInt8], group: OpaquePointer?) throws(KeyError) {
    let callersErrors = CallersErrors()
    defer { callersErrors.restore() }
    let scalar = try PrivateKey.scalarIndices(inSEC1: der)
    var structure = der
    for index in scalar { structure[index] = 1 }
    var key = EC_KEY_new()
    defer { EC_KEY_free(key) }
    guard key != nil, group == nil || EC_KEY_set_group(key, group) == 1 else { throw KeyError(.memoryUnavailable) }
    let isWhole = structure.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard d2i_ECPrivateKey(&key, &next, bytes.count) != nil else { return false }
      return next == bytes.baseAddress.map { $0 + bytes.count }
    }
    guard isWhole, let key else { throw CallersErrors.failure(.malformedKey) }
    guard let group = EC_KEY_get0_group(key), EC_GROUP_get_curve_name(group) == NID_X9_62_prime256v1 else {
      throw KeyError(.unsupportedCurve)
    }
    guard EC_GROUP_get_asn1_flag(group) == OPENSSL_EC_NAMED_CURVE else { throw KeyError(.explicitCurveParameters) }
    let stated = try PrivateKey.statedPublicKey(of: key, in: group)
    try self.init(magnitude: der[scalar])
    guard stated == nil || stated == publicKey else { throw KeyError(.publicKeyMismatch) }
  }

  /// The indices of the bytes of `privateKey` in an ECPrivateKey.
  private static func scalarIndices(inSEC1 der: [UInt8]) throws(KeyError) -> Range<Int> {
    do {
      var inside = try DERReader.single(der[...]).reader
      _ = try inside.read(.integer)
      return try inside.read(.octetString).contents.indices
    } catch {
      throw KeyError(.malformedKey)
    }
  }

  /// The public key in the file, 04 ‖ x ‖ y; nil when the file has none.
  private static func statedPublicKey(of key: OpaquePointer, in group: OpaquePointer) throws(KeyError) -> [UInt8]? {
    guard EC_KEY_get_enc_flags(key) & UInt32(EC_PKEY_NO_PUBKEY) == 0 else { return nil }
    guard let point = EC_KEY_get0_public_key(key) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 65)
    let count = EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil)
    guard count == bytes.count else { throw CallersErrors.failure(.malformedKey) }
    return bytes
  }
}
