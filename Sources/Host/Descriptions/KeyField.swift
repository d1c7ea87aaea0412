import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

/// One thing that is said about a key or certificate, in text and JSON alike.
package struct KeyField {
  package let name: String
  package let value: JSON

  package init(_ name: String, _ value: JSON) {
    self.name = name
    self.value = value
  }

  /// For people; nil where there is nothing to say.
  package var row: (name: String, value: String)? {
    switch value {
    case .string(let text): (name, Text.harmless(text))
    case .boolean(let flag): (name, flag ? "yes" : "no")
    case .number(let digits): (name, digits)
    default: nil
    }
  }

  /// A key's kind and publicKeyHash, and which tokens it is for, if it is for any.
  package static func key(_ key: PublicKey, hash: Octets32, opensTokens: Bool = true) -> [KeyField] {
    let (name, version): (String, TokenVersion?) =
      switch key {
      case .p256: ("P-256", .ecV1)
      case .p384: ("P-384", nil)
      case .rsa(_, let bits): ("RSA \(bits)", RSAPrivateKey.allowedBits.contains(bits) ? .rsaV1 : nil)
      case .other: ("other", nil)
      }
    return [
      KeyField("key", .string(name)),
      KeyField("version", (opensTokens ? version : nil).map { .string($0.rawValue) } ?? .null),
      KeyField("publicKeyHash", .string(Base64.encode(hash.bytes))),
    ]
  }

  /// What a certificate says of itself.
  static func certificate(_ certificate: Certificate) -> [KeyField] {
    let merchantIDHash = (try? certificate.merchantIDHash()) ?? nil
    return [
      KeyField("kind", .string("certificate")), KeyField("purpose", .string(certificate.purpose.rawValue)),
      KeyField("meaning", .string(certificate.purpose.meaning)),
      KeyField("commonName", certificate.subjectText(ObjectIdentifiers.commonName).map { .string($0) } ?? .null),
      KeyField("merchantID", certificate.merchantID.map { .string($0) } ?? .null),
      KeyField("merchantIDHash", merchantIDHash.map { .string($0.hex) } ?? .null),
    ]
      + key(
        certificate.publicKey, hash: certificate.publicKeyHash(), opensTokens: certificate.purpose == .paymentProcessing
      ) + [
        KeyField("fingerprint", .string(certificate.fingerprint().hex)),
        KeyField("notBefore", .string(certificate.notBefore.rfc3339)),
        KeyField("notAfter", .string(certificate.notAfter.rfc3339)),
      ]
  }
}

extension CertificatePurpose {
  /// A few words for people.
  var meaning: String {
    switch self {
    case .paymentProcessing: "payment processing certificate: tokens are encrypted to its key"
    case .merchantIdentity: "merchant identity certificate, for TLS to Apple: its key opens no token"
    case .tokenSigner: "Apple's leaf that signs tokens"
    case .tokenIntermediate: "Apple's authority above the leaf that signs tokens"
    case .authority: "certificate of an authority"
    case .other: "certificate of another kind"
    }
  }
}
