/// The first thing found wrong with a certificate; the numbers are the rules of Docs/Verification.md.
public enum CertificateError: String, Error, Hashable, Sendable, CaseIterable {
  /// More octets than any certificate here may have (65,536).
  case tooLarge
  /// Somewhere within, a value breaks the encoding rules 5.1 and 5.3 to 5.5, or something follows the certificate.
  case malformedEncoding
  /// Not the members of a version 3 Certificate in their order (5.13).
  case malformedStructure
  /// An issuer or subject that is not a Name (5.14).
  case malformedName
  /// A validity that is not two real times (5.12).
  case malformedValidity
  /// Extensions that are not a list of at least one, or one that occurs twice (5.15).
  case malformedExtensions
  /// A SubjectPublicKeyInfo of the wrong shape, or a key that its algorithm does not allow (5.16).
  case malformedPublicKey
  /// basicConstraints, keyUsage or subjectKeyIdentifier with other contents than theirs (5.17).
  case malformedKnownExtension
}
