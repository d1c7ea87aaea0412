import COpenSSL
import PaymentToken
import TokenScanning

extension CertificateView {
  /// Reads a certificate and checks that an EC key is a point on its curve (Docs/Verification.md 5.13-5.18).
  static func read(_ input: Span<UInt8>, in range: Range<Int>) throws(MalformedDER) -> CertificateView {
    let certificate = try CertificateView(input, in: range)
    let isSound =
      switch certificate.publicKey {
      case .p256(let point): CurvePoint.isOnCurve(input.extracting(point), NID_X9_62_prime256v1)
      case .p384(let point): CurvePoint.isOnCurve(input.extracting(point), NID_secp384r1)
      case .rsa, .other: true
      }
    guard isSound else { throw MalformedDER() }
    return certificate
  }

  /// Whether it may sign certificates with `below` intermediates, none or one, between it and the leaf (7.3, 7.5).
  func mayIssue(intermediatesBelow below: Int) -> Bool {
    extensions.isAuthority && !(below > 0 && extensions.hasPathLengthZero)
      && !extensions.hasUnknownCritical
      && extensions.keyUsage.map { $0 & CertificateExtensionsView.keyCertSign != 0 } ?? true
  }

  /// Whether it may sign tokens of a version (7.4, 7.5).
  func maySignTokens(_ version: TokenVersion, in input: Span<UInt8>) -> Bool {
    let signer = version.traits.signer
    let hasFittingKey =
      switch publicKey {
      case .p256: signer == .ecdsa
      case .rsa(let modulus): signer == .rsa && RSAModulus.isLongEnough(input.extracting(modulus))
      case .p384, .other: false
      }
    return hasFittingKey && !extensions.isAuthority && !extensions.hasUnknownCritical
      && extensions.keyUsage.map { $0 & CertificateExtensionsView.digitalSignature != 0 } ?? true
  }
}

/// The minimum size of an RSA modulus (7.2, 7.4). By 5.16 it is odd and has at most 4,096 bits.
enum RSAModulus {
  /// Whether it has at least 2,048 bits: more than 256 bytes, or 256 bytes with the highest bit set.
  static func isLongEnough(_ modulus: Span<UInt8>) -> Bool {
    modulus.count > 256 || (modulus.count == 256 && modulus[0] & 0x80 != 0)
  }
}

/// Checks whether bytes are a point on a named curve.
enum CurvePoint {
  static func isOnCurve(_ bytes: Span<UInt8>, _ curve: Int32) -> Bool {
    guard let group = EC_GROUP_new_by_curve_name(curve) else { return false }
    defer { EC_GROUP_free(group) }
    guard let point = EC_POINT_new(group) else { return false }
    defer { EC_POINT_free(point) }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return bytes.withUnsafeBufferPointer { EC_POINT_oct2point(group, point, $0.baseAddress, $0.count, nil) == 1 }
  }
}
