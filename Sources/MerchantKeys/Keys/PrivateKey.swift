import COpenSSL
import PaymentToken

/// A P-256 private key on its way into a ``MerchantKeySet``: the scalar, wiped when the object goes, and its public point.
public final class PrivateKey: Sendable {
  /// 04 ‖ x ‖ y, 65 octets.
  public let publicKey: [UInt8]
  /// 32 octets, big-endian. Written in `init` only.
  private nonisolated(unsafe) let scalar: UnsafeMutableRawPointer

  /// The octets of a scalar, 32.
  public static let scalarSize = 32

  /// Takes a big-endian scalar of 32 octets, which stays the caller's to wipe.
  ///
  /// - Throws: `KeyError.Code.malformedKey` for another length, `scalarOutOfRange` unless it is within 1…n−1.
  public convenience init(scalar: UnsafeRawBufferPointer) throws(KeyError) {
    guard scalar.count == PrivateKey.scalarSize, let number = BN_secure_new() else { throw KeyError(.malformedKey) }
    defer { BN_clear_free(number) }
    BN_set_flags(number, BN_FLG_CONSTTIME)
    guard BN_bin2bn(scalar.baseAddress, Int32(scalar.count), number) != nil else { throw KeyError(.malformedKey) }
    try self.init(number)
  }

  /// Takes a number within 1…n−1, and makes the public point from it.
  private init(_ number: OpaquePointer) throws(KeyError) {
    guard let group = EllipticCurve.p256.group, let order = EC_GROUP_get0_order(group) else {
      throw KeyError(.unsupportedCurve)
    }
    guard BN_is_zero(number) == 0, BN_is_negative(number) == 0, BN_cmp(number, order) < 0 else {
      throw KeyError(.scalarOutOfRange)
    }
    publicKey = try PrivateKey.point(of: number, in: group)
    let octets = UnsafeMutableRawPointer.allocate(byteCount: PrivateKey.scalarSize, alignment: 16)
    scalar = octets
    guard BN_bn2binpad(number, octets.assumingMemoryBound(to: UInt8.self), Int32(PrivateKey.scalarSize)) > 0 else {
      throw KeyError(.malformedKey)
    }
  }

  deinit {
    OPENSSL_cleanse(scalar, PrivateKey.scalarSize)
    scalar.deallocate()
  }

  /// Calls `body` with the scalar's 32 octets.
  func withScalar<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: scalar, count: PrivateKey.scalarSize))
  }

  /// The canonical SubjectPublicKeyInfo (RFC 5480), 91 octets.
  public var subjectPublicKeyInfo: [UInt8] { PrivateKey.subjectPublicKeyInfoPrefix + publicKey }

  /// SHA-256 of the canonical SubjectPublicKeyInfo.
  public func publicKeyHash() -> Octets32 { Digest.sha256(subjectPublicKeyInfo) }

  private static let subjectPublicKeyInfoPrefix: [UInt8] =
    [0x30, 0x59, 0x30, 0x13, 0x06, 0x07] + ObjectIdentifiers.ecPublicKey + [0x06, 0x08] + ObjectIdentifiers.prime256v1
    + [0x03, 0x42, 0x00]

  private static func point(of number: OpaquePointer, in group: OpaquePointer) throws(KeyError) -> [UInt8] {
    guard let point = EC_POINT_new(group) else { throw KeyError(.malformedKey) }
    defer { EC_POINT_free(point) }
    var octets = [UInt8](repeating: 0, count: 65)
    guard EC_POINT_mul(group, point, number, nil, nil, nil) == 1,
      EC_POINT_point2oct(group, point, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil) == octets.count
    else {
      ERR_clear_error()
      throw KeyError(.malformedKey)
    }
    return octets
  }
}

extension PrivateKey {
  /// The key that OpenSSL decoded: on the named curve P-256, with the public key its scalar makes.
  convenience init(decoded key: OpaquePointer) throws(KeyError) {
    guard let group = EC_KEY_get0_group(key), EC_GROUP_get_curve_name(group) == NID_X9_62_prime256v1,
      EC_GROUP_get_asn1_flag(group) == OPENSSL_EC_NAMED_CURVE
    else { throw KeyError(.unsupportedCurve) }
    guard let number = EC_KEY_get0_private_key(key) else { throw KeyError(.malformedKey) }
    try self.init(number)
    guard let stated = EC_KEY_get0_public_key(key) else { return }
    var octets = [UInt8](repeating: 0, count: 65)
    let count = EC_POINT_point2oct(group, stated, POINT_CONVERSION_UNCOMPRESSED, &octets, octets.count, nil)
    guard count == octets.count, octets == publicKey else { throw KeyError(.publicKeyMismatch) }
  }
}
