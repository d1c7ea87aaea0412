import COpenSSL
import PaymentToken
import TokenScanning

/// The public key of a root or intermediate, which signs certificates (Docs/Verification.md 7.2).
///
/// `@unchecked Sendable`: the EVP_PKEY is only read after `init`.
final class IssuerKey: @unchecked Sendable {
  private enum Kind {
    /// The order of the group, big-endian.
    case ellipticCurve(order: [UInt8])
    /// The size of the modulus in bytes.
    case rsa(size: Int)
  }

  private let key: OpaquePointer
  private let kind: Kind

  /// Nil for keys that may not sign certificates: curves and algorithms other than these, and RSA below 2,048 bits.
  init?(_ certificate: CertificateView, in input: Span<UInt8>) {
    switch certificate.publicKey {
    case .p256: kind = .ellipticCurve(order: Self.order(NID_X9_62_prime256v1))
    case .p384: kind = .ellipticCurve(order: Self.order(NID_secp384r1))
    case .rsa(let modulus):
      guard RSAModulus.isLongEnough(input.extracting(modulus)) else { return nil }
      kind = .rsa(size: modulus.count)
    case .other: return nil
    }
    let key = input.extracting(certificate.subjectPublicKeyInfo).withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_PUBKEY(nil, &cursor, buffer.count)
    }
    guard let key else {
      ERR_clear_error()
      return nil
    }
    self.key = key
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// Whether this key signed the certificate (7.2).
  func signed(_ certificate: CertificateView, in input: Span<UInt8>) -> Bool {
    let value = input.extracting(certificate.signatureValue)
    switch (kind, certificate.signatureAlgorithm) {
    case (.ellipticCurve(let order), .ecdsaWithSHA256):
      return isStrict(value, order: order) && verifies(certificate, in: input, EVP_sha256())
    case (.ellipticCurve(let order), .ecdsaWithSHA384):
      return isStrict(value, order: order) && verifies(certificate, in: input, EVP_sha384())
    case (.rsa(let size), .sha256WithRSA):
      return value.count == size && verifies(certificate, in: input, EVP_sha256())
    case (.rsa(let size), .sha384WithRSA):
      return value.count == size && verifies(certificate, in: input, EVP_sha384())
    default:
      return false
    }
  }

  /// Whether the value is strict DER of two integers within 1...n-1 (8.3).
  private func isStrict(_ value: Span<UInt8>, order: [UInt8]) -> Bool {
    guard let integers = try? ECDSASignatureValue(value, in: 0..<value.count) else { return false }
    return Self.isBelow(value.extracting(integers.r), order) && Self.isBelow(value.extracting(integers.s), order)
  }

  private static func isBelow(_ magnitude: Span<UInt8>, _ order: [UInt8]) -> Bool {
    guard magnitude.count == order.count else { return magnitude.count < order.count }
    for index in 0..<order.count where magnitude[index] != order[index] {
      return magnitude[index] < order[index]
    }
    return false
  }

  private static func order(_ curve: Int32) -> [UInt8] {
    guard let group = EC_GROUP_new_by_curve_name(curve) else { return [] }
    defer { EC_GROUP_free(group) }
    guard let order = EC_GROUP_get0_order(group) else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(order) + 7) / 8)
    BN_bn2bin(order, &bytes)
    return bytes
  }

  private func verifies(_ certificate: CertificateView, in input: Span<UInt8>, _ digest: OpaquePointer?) -> Bool {
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else {
      ERR_clear_error()
      return false
    }
    let value = input.extracting(certificate.signatureValue)
    let verdict = input.extracting(certificate.tbsCertificate).withUnsafeBufferPointer { signed in
      value.withUnsafeBufferPointer { signature in
        EVP_DigestVerify(context, signature.baseAddress, signature.count, signed.baseAddress, signed.count)
      }
    }
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }
}
