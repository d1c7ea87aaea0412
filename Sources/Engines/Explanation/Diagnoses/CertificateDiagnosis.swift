import MerchantKeys
import PaymentToken

/// Diagnoses that depend on the given certificates and not on their keys.
struct CertificateDiagnosis {
  /// All given certificates.
  let certificates: [Certificate]

  /// The verdict if a given certificate is a merchant identity certificate.
  var identityVerdict: Verdict? {
    certificates.first { $0.purpose == .merchantIdentity }.map { Verdict(.identityCertificate, $0.words) }
  }

  /// The verdict if no given certificate is for payment processing, and one is that of an authority, of Apple's token
  /// signer, of a TLS server, or for signing apps.
  var foreignVerdict: Verdict? {
    guard !certificates.contains(where: { $0.purpose == .paymentProcessing }) else { return nil }
    for certificate in certificates {
      switch certificate.purpose {
      case .paymentProcessing, .merchantIdentity, .other: continue
      case .tokenSigner, .tokenIntermediate, .authority: return Verdict(.authorityCertificate, certificate.words)
      case .tlsServer: return Verdict(.tlsCertificate, certificate.words)
      case .codeSigning: return Verdict(.codeSigningCertificate, certificate.words)
      }
    }
    return nil
  }

  /// The verdict if the token is encrypted to a given certificate: the private key of that certificate is missing.
  func missingKeyVerdict(_ facts: TraceFacts) -> Verdict? {
    guard let made = certificates.first(where: { $0.publicKeyHash() == facts.publicKeyHash }) else { return nil }
    // A token from before the new certificate says nothing about its activation.
    let signedAt = facts.signingTime ?? UnixTime(secondsSinceEpoch: .max)
    let isRenewed = certificates.contains { other in
      made.notBefore < other.notBefore && other.notBefore <= signedAt && other.certifiedMerchantIDHash != nil
        && other.certifiedMerchantIDHash == made.certifiedMerchantIDHash
    }
    return Verdict(isRenewed ? .certificateNotActivated : .privateKeyMissing, made.words)
  }
}

extension Certificate {
  /// The subject's common name, or all its attributes.
  var words: String { DistinguishedName(subject).text }

  /// Apple's merchant-ID hash, if the certificate has a well-formed one.
  var certifiedMerchantIDHash: Bytes32? { (try? merchantIDHash()) ?? nil }
}
