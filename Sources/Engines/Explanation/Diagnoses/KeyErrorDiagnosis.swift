import MerchantKeys
import PaymentToken

/// Diagnoses of keys that could not be loaded, together with the token that they were given for.
struct KeyErrorDiagnosis {
  let error: KeyError
  /// All given certificates.
  let certificates: [Certificate]
  /// The hash of the key that the token claims to be encrypted to.
  let publicKeyHash: Bytes32?

  var verdict: Verdict {
    switch error.code {
    case .certificateWithoutKey, .certificateMismatch:
      identityVerdict ?? missingKeyVerdict ?? Verdict(.keyCertificateMismatch, error.file)
    case .missingMerchantID: identityVerdict ?? Verdict(.merchantIDMissing, error.file)
    case .merchantIDMismatch: Verdict(.merchantIDMismatch, error.file)
    case .passwordNeeded, .wrongPassword, .unusablePassword: Verdict(.keyPassword, error.file)
    case .fileTooLarge, .unrecognisedFile, .malformedPEM, .unsupportedBlock, .emptyFile, .encryptedKey,
      .unsupportedEncryption, .excessiveKeyDerivation, .malformedPKCS12, .malformedKey, .unsupportedKeyAlgorithm,
      .unsupportedCurve, .malformedCertificate:
      Verdict(.keyFormat, described)
    default: identityVerdict ?? Verdict(.unusableKeys, described)
    }
  }

  /// The file and the code of the error.
  private var described: String { (error.file.map { "\($0): " } ?? "") + error.code.rawValue }

  private var identityVerdict: Verdict? {
    guard let identity = certificates.first(where: { $0.purpose == .merchantIdentity }) else {
      return nil
    }
    return Verdict(.identityCertificate, DistinguishedName(identity.subject).text)
  }

  /// The diagnosis when the token is encrypted to a given certificate, so that its key is the missing one.
  private var missingKeyVerdict: Verdict? {
    guard let made = certificates.first(where: { $0.publicKeyHash() == publicKeyHash }) else { return nil }
    let name = DistinguishedName(made.subject).text
    let isRenewed = certificates.contains { other in
      other.notBefore > made.notBefore && other.certifiedMerchantIDHash != nil
        && other.certifiedMerchantIDHash == made.certifiedMerchantIDHash
    }
    return Verdict(isRenewed ? .certificateNotActivated : .privateKeyMissing, name)
  }
}
