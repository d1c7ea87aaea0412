import COpenSSL

/// A P-256 private key, for a ``MerchantKeySet``. The scalar is wiped when the object is released.
package final class PrivateKey: Sendable {
  /// The public key, 04 ‖ x ‖ y, 65 bytes.
  package let publicKey: [UInt8]
  /// 32 bytes, big-endian. Written only in `init` and `deinit`.
  private nonisolated(unsafe) let scalar: UnsafeMutableRawPointer

  /// The size of a scalar: 32 bytes.
  package static let scalarSize = 32

  /// Copies a big-endian scalar of 32 bytes. The caller wipes the original.
  ///
  /// - Throws: ``KeyError`` with `malformedKey` for another size, `scalarOutOfRange` unless it is within 1…n−1.
  package convenience init(scalar: UnsafeRawBufferPointer) throws(KeyError) {
    guard scalar.count == PrivateKey.scalarSize else { throw KeyError(.malformedKey) }
    guard let number = PrivateKey.number(scalar) else { throw KeyError(.memoryUnavailable) }
    defer { BN_clear_free(number) }
    try self.init(number)
  }

  /// Copies a big-endian number of 1 to 32 bytes: old tools omit leading zeros.
  convenience init(magnitude: ArraySlice<UInt8>) throws(KeyError) {
    guard (1...PrivateKey.scalarSize).contains(magnitude.count) else { throw KeyError(.malformedKey) }
    guard let number = magnitude.withUnsafeBytes(PrivateKey.number) else { throw KeyError(.memoryUnavailable) }
    defer { BN_clear_free(number) }
    try self.init(number)
  }

  /// Copies a number within 1…n−1 and computes its public key.
  private init(_ number: OpaquePointer) throws(KeyError) {
    guard let group = EllipticCurve.p256.group, let order = EC_GROUP_get0_order(group) else {
      throw KeyError(.memoryUnavailable)
    }
    guard BN_is_zero(number) == 0, BN_is_negative(number) == 0, BN_cmp(number, order) < 0 else {
      throw KeyError(.scalarOutOfRange)
    }
    publicKey = try PrivateKey.point(of: number, in: group)
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: PrivateKey.scalarSize, alignment: 16)
    scalar = bytes
    guard BN_bn2binpad(number, bytes.assumingMemoryBound(to: UInt8.self), Int32(PrivateKey.scalarSize)) > 0 else {
      throw KeyError(.malformedKey)
    }
  }

  deinit {
    OPENSSL_cleanse(scalar, PrivateKey.scalarSize)
    scalar.deallocate()
  }

  /// Calls `body` with the scalar's 32 bytes.
  func withScalar<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: scalar, count: PrivateKey.scalarSize))
  }

  /// The canonical SubjectPublicKeyInfo (RFC 5480), 91 bytes.
  package var subjectPublicKeyInfo: [UInt8] { PrivateKey.subjectPublicKeyInfo(of: publicKey) }

  /// The canonical SubjectPublicKeyInfo of a point 04 ‖ x ‖ y.
  static func subjectPublicKeyInfo(of point: [UInt8]) -> [UInt8] { subjectPublicKeyInfoPrefix + point }

  private static let subjectPublicKeyInfoPrefix: [UInt8] =
    [0x30, 0x59, 0x30, 0x13, 0x06, 0x07] + ObjectIdentifiers.ecPublicKey + [0x06, 0x08] + ObjectIdentifiers.prime256v1
    + [0x03, 0x42, 0x00]

  /// The big-endian number; the caller frees it with `BN_clear_free`.
  private static func number(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
    guard let number = BN_secure_new() else { return nil }
    BN_set_flags(number, BN_FLG_CONSTTIME)
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard BN_bin2bn(start, Int32(bytes.count), number) != nil else {
      BN_clear_free(number)
      return nil
    }
    return number
  }

  private static func point(of number: OpaquePointer, in group: OpaquePointer) throws(KeyError) -> [UInt8] {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let point = EC_POINT_new(group) else { throw KeyError(.memoryUnavailable) }
    defer { EC_POINT_free(point) }
    var bytes = [UInt8](repeating: 0, count: 65)
    guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil) == bytes.count
    else { throw KeyError(.memoryUnavailable) }
    return bytes
  }
}
