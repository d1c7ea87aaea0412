import COpenSSL

/// A curve of FIPS 186-4 appendix D.1.2, for checking points.
package struct EllipticCurve: Sendable {
  /// The size of a coordinate in bytes: 32 or 48.
  package let coordinateSize: Int
  /// Never changed after initialisation, so any thread may read it.
  nonisolated(unsafe) let group: OpaquePointer?

  /// P-256, prime256v1.
  package static let p256 = EllipticCurve(coordinateSize: 32, identifier: NID_X9_62_prime256v1)

  /// P-384, secp384r1.
  package static let p384 = EllipticCurve(coordinateSize: 48, identifier: NID_secp384r1)

  private init(coordinateSize: Int, identifier: Int32) {
    self.coordinateSize = coordinateSize
    group = EC_GROUP_new_by_curve_name(identifier)
  }

  /// Whether ECParameters (RFC 3279 section 2.3.5), a SEQUENCE that libcrypto has decoded, describe P-256.
  static func isP256(explicit parameters: UnsafePointer<ASN1_STRING>?) -> Bool {
    guard let parameters, let start = ASN1_STRING_get0_data(parameters) else { return false }
    var next: UnsafePointer<UInt8>? = start
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let group = d2i_ECPKParameters(nil, &next, Int(ASN1_STRING_length(parameters))) else { return false }
    defer { EC_GROUP_free(group) }
    return EC_GROUP_get_curve_name(group) == NID_X9_62_prime256v1
  }

  /// Whether `point` is 04 ‖ x ‖ y with x and y below the prime and on the curve (SEC 1 section 2.3.4).
  package func contains(_ point: [UInt8]) -> Bool {
    guard point.count == 1 + 2 * coordinateSize, point[0] == 0x04 else { return false }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let group, let decoded = EC_POINT_new(group) else { return false }
    defer { EC_POINT_free(decoded) }
    // EC_POINT_oct2point refuses coordinates that are not below the prime, and points off the curve.
    // EC_POINT_is_on_curve repeats the check of the curve.
    return EC_POINT_oct2point(group, decoded, point, point.count, nil) == 1
      && EC_POINT_is_on_curve(group, decoded, nil) == 1
  }
}
