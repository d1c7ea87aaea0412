import COpenSSL
import CSodium
import PaymentToken

/// ECDH on P-256 and the key derivation of EC_v1 (rules 11.1 and 11.2).
enum P256Agreement {
  /// The size of a coordinate, of a scalar and of Z, in bytes.
  static let size = 32

  /// Whether `point` is 04 ‖ x ‖ y with x and y below p, and on P-256 (SEC 1 section 2.3.4).
  static func isOnCurve(_ point: ArraySlice<UInt8>) -> Bool {
    // Each condition of 11.1 is checked explicitly, although EC_POINT_oct2point also checks x, y and the curve.
    guard point.count == 1 + 2 * size, point.first == 0x04,
      point.dropFirst().prefix(size).lexicographicallyPrecedes(CurveConstants.p256Prime),
      point.suffix(size).lexicographicallyPrecedes(CurveConstants.p256Prime),
      let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    else { return false }
    defer { EC_GROUP_free(group) }
    guard let decoded = EC_POINT_new(group) else { return false }
    defer { EC_POINT_free(decoded) }
    return EC_POINT_oct2point(group, decoded, Array(point), point.count, nil) == 1
      && EC_POINT_is_on_curve(group, decoded, nil) == 1 && EC_POINT_is_at_infinity(group, decoded) == 0
  }

  /// Computes Z, the x-coordinate of scalar · point with its leading zeros (SP 800-56A section 5.7.1.2).
  ///
  /// - Parameters:
  ///   - scalar: the merchant's private scalar, 32 bytes, big-endian.
  ///   - point: 04 ‖ x ‖ y, checked by `isOnCurve`.
  /// - Returns: 32 bytes; nil when OpenSSL fails.
  static func sharedSecret(scalar: UnsafeRawBufferPointer, point: ArraySlice<UInt8>) -> WipedBytes? {
    guard scalar.count == size, let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    defer { EC_KEY_free(key) }  // clears the scalar it holds
    guard let number = BN_bin2bn(scalar.baseAddress, Int32(size), nil) else { return nil }
    defer { BN_clear_free(number) }
    guard EC_KEY_set_private_key(key, number) == 1, let group = EC_KEY_get0_group(key),
      let peer = EC_POINT_new(group)
    else { return nil }
    defer { EC_POINT_free(peer) }
    guard EC_POINT_oct2point(group, peer, Array(point), point.count, nil) == 1 else { return nil }
    let secret = WipedBytes(count: size)
    let written = secret.withMutableBytes { ECDH_compute_key($0.baseAddress, size, peer, key, nil) }
    return written == size ? secret : nil
  }

  /// SHA-256(00000001 ‖ Z ‖ 0D ‖ "id-aes256-GCM" ‖ "Apple" ‖ merchant-ID hash) (SP 800-56A section 5.8.1).
  static func derivedKey(sharedSecret: WipedBytes, merchantIDHash: Bytes32) -> WipedBytes {
    let counter: [UInt8] = [0x00, 0x00, 0x00, 0x01]
    let info = [0x0D] + Array("id-aes256-GCM".utf8) + Array("Apple".utf8) + merchantIDHash.bytes
    let input = WipedBytes(count: counter.count + sharedSecret.count + info.count)
    defer { input.wipe() }
    var position = 0
    func append(_ bytes: some Sequence<UInt8>) {
      for byte in bytes {
        input[position] = byte
        position += 1
      }
    }
    append(counter)
    append(sharedSecret.all)
    append(info)
    return SHA256.digest(input)
  }
}

/// Curve constants that the rules compare with (FIPS 186-4 appendix D.1.2), big-endian with leading zeros.
package enum CurveConstants {
  /// P-256's p.
  package static let p256Prime = bytes([
    0xFFFF_FFFF_0000_0001, 0x0000_0000_0000_0000, 0x0000_0000_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
  ])
  /// P-256's n.
  package static let p256Order = bytes([
    0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551,
  ])
  /// P-384's n.
  package static let p384Order = bytes([
    0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF,
    0xC763_4D81_F437_2DDF, 0x581A_0DB2_48B0_A77A, 0xECEC_196A_CCC5_2973,
  ])

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }
}
