/// How a token's CMS signature is written. The default is what Apple sends today.
package struct SignedDataRecipe: Sendable {
  /// Which signed attributes the SignerInfo has, in this order.
  package enum Attributes: Hashable, Sendable {
    /// 2014: contentType, signingTime, messageDigest.
    case three
    /// Today: cmsAlgorithmProtection (RFC 6211) before messageDigest.
    case four
  }

  /// How the signer is named.
  package enum Identifier: Hashable, Sendable {
    case issuerAndSerialNumber
    case subjectKeyIdentifier
  }

  /// How an RSA signature's algorithm is named; the first is the default.
  package enum RSAForm: Hashable, Sendable, CaseIterable {
    case sha256WithRSA, sha256WithRSAWithoutNull, rsaEncryption, rsaEncryptionWithoutNull

    package var algorithm: ASN1Node {
      switch self {
      case .sha256WithRSA: Algorithms.rsaSHA256
      case .sha256WithRSAWithoutNull: .sequence([OID.sha256WithRSA])
      case .rsaEncryption: Algorithms.rsa
      case .rsaEncryptionWithoutNull: .sequence([OID.rsaEncryption])
      }
    }
  }

  /// How the wrappers' lengths are written: ContentInfo, its [0], SignedData, encapContentInfo and certificates.
  package var wrappers: ASN1Node.Length = .indefinite
  /// SHA-256's parameters: NULL as in 2014, or absent.
  package var nullParameters = false
  /// Which signed attributes the SignerInfo has.
  package var attributes = Attributes.four
  /// How the signer is named.
  package var identifier = Identifier.issuerAndSerialNumber
  /// How an RSA signature's algorithm is named.
  package var rsaForm = RSAForm.sha256WithRSA
  /// The signature algorithm that cmsAlgorithmProtection repeats, if it is not the SignerInfo's.
  package var protectedAlgorithm: ASN1Node?
  /// The value of signingTime; nil for the usual form of the token's time.
  package var signingTime: ASN1Node?
  /// Edits the signed attributes before they are signed.
  package var editAttributes: (@Sendable (inout [ASN1Node]) -> Void)?
  /// Whether edited attributes are sorted as DER requires (X.690 11.6, RFC 5652 5.3).
  package var sortsAttributes = true
  /// Edits the signature value.
  package var editValue: (@Sendable (inout [UInt8]) -> Void)?
  /// Edits the whole ContentInfo after it was signed.
  package var editTree: (@Sendable (inout ASN1Node) -> Void)?

  /// What Apple sends today.
  package init() {}

  var sha256: ASN1Node { nullParameters ? Algorithms.sha256WithNull : Algorithms.sha256 }
}
