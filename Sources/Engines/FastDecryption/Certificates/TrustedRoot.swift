import PaymentToken
import TokenScanning

/// A pinned root: its name, which an intermediate's issuer must equal, and the key that must have signed the
/// intermediate.
struct TrustedRoot: Sendable {
  /// The complete DER.
  let bytes: [UInt8]
  private let subject: Range<Int>
  /// Nil for a root that may not issue intermediates (7.2, 7.3, 7.5).
  private let key: IssuerKey?

  /// The size of the largest root, in bytes.
  private static var sizeLimit: Int { 65_536 }

  /// Reads a root by the rules for certificates in tokens (Docs/Verification.md 5.13-5.18).
  init(_ bytes: [UInt8]) throws(MalformedDER) {
    guard bytes.count <= Self.sizeLimit else { throw MalformedDER() }
    let certificate = try CertificateView.read(bytes.span, in: 0..<bytes.count)
    guard certificate.whole.count == bytes.count else { throw MalformedDER() }
    self.bytes = bytes
    subject = certificate.subject
    key = certificate.mayIssue(intermediatesBelow: 1) ? IssuerKey(certificate, in: bytes.span) : nil
  }

  /// Whether this root issued the certificate (7.1, 7.2).
  func issued(_ certificate: CertificateView, in input: Span<UInt8>) -> Bool {
    guard let key, bytes.span.extracting(subject).elementsEqual(input.extracting(certificate.issuer)) else {
      return false
    }
    return key.signed(certificate, in: input)
  }
}
