import COpenSSL

/// A curve of FIPS 186-4 appendix D.1.2, for checking points.
package struct EllipticCurve: Sendable {
  /// The size of a coordinate in bytes: 32 or 48.
  package let coordinateSize: Int
  /// The field's prime, big-endian.
  private let prime: [UInt8]
  /// Never changed after initialisation, so any thread may read it.
  nonisolated(unsafe) let group: OpaquePointer?

  /// P-256, prime256v1.
  package static let p256 = EllipticCurve(
    coordinateSize: 32, identifier: NID_X9_62_prime256v1,
    prime: words([0xFFFF_FFFF, 1, 0, 0, 0, 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF]))

  /// P-384, secp384r1.
  package static let p384 = EllipticCurve(
    coordinateSize: 48, identifier: NID_secp384r1,
    prime: words(Array(repeating: 0xFFFF_FFFF, count: 7) + [0xFFFF_FFFE, 0xFFFF_FFFF, 0, 0, 0xFFFF_FFFF]))

  private init(coordinateSize: Int, identifier: Int32, prime: [UInt8]) {
    self.coordinateSize = coordinateSize
    self.prime = prime
    group = EC_GROUP_new_by_curve_name(identifier)
  }

  /// Whether `point` is 04 ‖ x ‖ y with x and y below the prime and on the curve (SEC 1 section 2.3.4).
  package func contains(_ point: [UInt8]) -> Bool {
    guard point.count == 1 + 2 * coordinateSize, point[0] == 0x04 else { return false }
    let x = point[1...coordinateSize]
    let y = point[(1 + coordinateSize)...]
    guard x.lexicographicallyPrecedes(prime), y.lexicographicallyPrecedes(prime) else { return false }
    guard let group, let decoded = EC_POINT_new(group) else { return false }
    defer { EC_POINT_free(decoded) }
    guard EC_POINT_oct2point(group, decoded, point, point.count, nil) == 1 else {
      ERR_clear_error()
      return false
    }
    return EC_POINT_is_on_curve(group, decoded, nil) == 1
  }

  private static func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
  }
}
