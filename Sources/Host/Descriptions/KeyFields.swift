import MerchantKeys
import PaymentToken
import Reports
import StrictJSON

/// The description of a key or certificate, in text and JSON alike.
package enum KeyFields {
  /// A key's kind and publicKeyHash, and the token version that it opens, if any.
  package static func key(_ key: PublicKey, hash: Bytes32, opensTokens: Bool = true) -> [JSON.Member] {
    let (name, version): (String, TokenVersion?) =
      switch key {
      case .p256: ("P-256", .ecV1)
      case .p384: ("P-384", nil)
      case .rsa(_, let bits): ("RSA \(bits)", RSAPrivateKey.allowedBits.contains(bits) ? .rsaV1 : nil)
      case .other: ("other", nil)
      }
    return JSON.members([
      "key": name, "version": (opensTokens ? version : nil)?.rawValue, "publicKeyHash": Base64.encode(hash.bytes),
    ])
  }

  static func certificate(_ certificate: Certificate) -> [JSON.Member] {
    let merchantIDHash = (try? certificate.merchantIDHash()) ?? nil
    let first = JSON.members([
      "kind": "certificate", "purpose": certificate.purpose.rawValue, "meaning": certificate.purpose.meaning,
      "commonName": certificate.subjectText(ObjectIdentifiers.commonName), "merchantID": certificate.merchantID,
      "merchantIDHash": merchantIDHash?.hex,
    ])
    let last = JSON.members([
      "fingerprint": certificate.fingerprint().hex, "notBefore": certificate.notBefore.rfc3339,
      "notAfter": certificate.notAfter.rfc3339,
    ])
    let opensTokens = certificate.purpose == .paymentProcessing
    return first
      + key(certificate.publicKey, hash: certificate.publicKeyHash(), opensTokens: opensTokens) + last
  }
}

extension JSON.Member {
  /// The member as a row of text; nil for null, arrays and objects.
  package var row: (name: String, value: String)? {
    switch value {
    case .string(let text): (name, Reports.Text.harmless(text))
    case .boolean(let flag): (name, flag ? "yes" : "no")
    case .number(let digits): (name, digits)
    default: nil
    }
  }
}

extension CertificatePurpose {
  var meaning: String {
    switch self {
    case .paymentProcessing: "payment processing certificate: tokens are encrypted to its key"
    case .merchantIdentity: "merchant identity certificate, for TLS to Apple: its key opens no token"
    case .tokenSigner: "Apple's leaf that signs tokens"
    case .tokenIntermediate: "Apple's authority above the leaf that signs tokens"
    case .authority: "certificate of an authority"
    case .tlsServer: "certificate of a TLS server: its key opens no token"
    case .codeSigning: "certificate for signing apps (development or distribution): its key opens no token"
    case .other: "certificate of another kind"
    }
  }
}
