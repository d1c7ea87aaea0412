import MerchantKeys
import PaymentToken

/// Diagnoses by the given certificates alone, whatever their keys.
struct CertificateDiagnosis {
  /// All given certificates.
  let certificates: [Certificate]

  /// A merchant identity certificate is among them.
  var identityVerdict: Verdict? {
    certificates.first { $0.purpose == .merchantIdentity }.map { Verdict(.identityCertificate, $0.words) }
  }

  /// None is for payment processing, and one is for another known purpose.
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

  /// The token is encrypted to one of them, so that its key is the missing one.
  func missingKeyVerdict(_ publicKeyHash: Bytes32?) -> Verdict? {
    guard let made = certificates.first(where: { $0.publicKeyHash() == publicKeyHash }) else { return nil }
    let isRenewed = certificates.contains { other in
      other.notBefore > made.notBefore && other.certifiedMerchantIDHash != nil
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
