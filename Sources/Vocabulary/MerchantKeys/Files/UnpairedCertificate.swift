/// A certificate that was loaded with keys, but belongs to none of them, such as an authority's or another key's. No
/// token is decrypted with it.
public struct UnpairedCertificate: Hashable, Sendable {
  /// The certificate.
  public let certificate: Certificate
  /// The name of its file, as given by the caller.
  public let file: String

  /// A certificate and its file.
  package init(certificate: Certificate, file: String) {
    self.certificate = certificate
    self.file = file
  }
}

extension [UnpairedCertificate] {
  /// The maximum number of certificates that are named.
  private static var namedLimit: Int { 4 }

  /// The file and the name of each certificate. The makers of the certificates chose the names.
  package var words: String {
    let named = prefix(Self.namedLimit).map { "\($0.file): \(DistinguishedName($0.certificate.subject).text)" }
    let others = count > Self.namedLimit ? ["and \(count - Self.namedLimit) more"] : []
    return (named + others).joined(separator: "; ")
  }
}
