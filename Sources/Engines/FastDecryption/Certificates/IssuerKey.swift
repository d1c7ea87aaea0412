import COpenSSL
import PaymentToken
import TokenScanning

/// The public key of a root or intermediate, which signs certificates (Docs/Verification.md 7.2).
///
/// `@unchecked Sendable`: the EVP_PKEY is only read after `init`.
final class IssuerKey: @unchecked Sendable {
  private enum Kind {
    case ellipticCurve
    /// The size of the modulus in bytes.
    case rsa(size: Int)
  }

  private let key: OpaquePointer
  private let kind: Kind

  /// Nil for keys that may not sign certificates: all but P-256, P-384 and RSA of at least 2,048 bits.
  init?(_ certificate: CertificateView, in input: Span<UInt8>) {
    switch certificate.publicKey {
    case .p256, .p384: kind = .ellipticCurve
    case .rsa(let modulus):
      guard RSAModulus.isLongEnough(input.extracting(modulus)) else { return nil }
      kind = .rsa(size: modulus.count)
    case .other: return nil
    }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    let key = input.extracting(certificate.subjectPublicKeyInfo).withUnsafeBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return d2i_PUBKEY(nil, &cursor, buffer.count)
    }
    guard let key else { return nil }
    self.key = key
  }

  deinit {
    EVP_PKEY_free(key)
  }

  /// Whether this key signed the certificate (7.2).
  ///
  /// libcrypto checks the encoding of an ECDSA value (8.3): it compares the value with its own DER encoding of the two
  /// integers, and refuses integers outside 1...n-1.
  func signed(_ certificate: CertificateView, in input: Span<UInt8>) -> Bool {
    let value = input.extracting(certificate.signatureValue)
    switch (kind, certificate.signatureAlgorithm) {
    case (.ellipticCurve, .ecdsaWithSHA256):
      return verifies(certificate, in: input, EVP_sha256())
    case (.ellipticCurve, .ecdsaWithSHA384):
      return verifies(certificate, in: input, EVP_sha384())
    case (.rsa(let size), .sha256WithRSA):
      // libcrypto refuses a value of another length, too, but rule 7.2 must not depend on that.
      return value.count == size && verifies(certificate, in: input, EVP_sha256())
    case (.rsa(let size), .sha384WithRSA):
      return value.count == size && verifies(certificate, in: input, EVP_sha384())
    default:
      return false
    }
  }

  private func verifies(_ certificate: CertificateView, in input: Span<UInt8>, _ digest: OpaquePointer?) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1 else { return false }
    let value = input.extracting(certificate.signatureValue)
    return input.extracting(certificate.tbsCertificate).withUnsafeBufferPointer { signed in
      value.withUnsafeBufferPointer { signature in
        EVP_DigestVerify(context, signature.baseAddress, signature.count, signed.baseAddress, signed.count) == 1
      }
    }
  }
}
