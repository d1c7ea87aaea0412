import MerchantKeys
import PaymentToken

/// Diagnoses of keys that could not be loaded, together with the token that they were given for.
struct KeyErrorDiagnosis {
  let error: KeyError
  /// All given certificates.
  let certificates: [Certificate]
  /// The files of the given private keys, by the SHA-256 of their SubjectPublicKeyInfo.
  let keyFiles: [Bytes32: String]
  let facts: TraceFacts

  var verdict: Verdict {
    let given = CertificateDiagnosis(certificates: certificates)
    return switch error.code {
    case .certificateWithoutKey, .certificateMismatch:
      given.identityVerdict ?? given.missingKeyVerdict(facts) ?? given.foreignVerdict
        ?? Verdict(.keyCertificateMismatch, error.file, remedy: ownKeyRemedy)
    case .missingMerchantID:
      given.identityVerdict ?? uncertifiedVerdict ?? given.foreignVerdict ?? Verdict(.merchantIDMissing, error.file)
    case .merchantIDMismatch: Verdict(.merchantIDMismatch, error.file)
    case .publicKeyGiven: Verdict(.publicKeyGiven, error.file)
    case .requestGiven: Verdict(.requestGiven, error.file)
    case .archiveWithoutKey: Verdict(.archiveWithoutKey, error.file)
    case .unsupportedCurve: Verdict(.unsupportedCurve, error.file)
    case .explicitCurveParameters: Verdict(.explicitCurveParameters, error.file)
    case .escapedPEM: Verdict(.escapedPEM, error.file)
    case .notPlainText: Verdict(.notPlainText, error.file)
    case .bareBase64: Verdict(.bareBase64, error.file)
    case .bareHexadecimal: Verdict(.bareHexadecimal, error.file)
    case .passwordNeeded, .wrongPassword, .unusablePassword:
      Verdict(.keyPassword, error.file, remedy: error.advice)
    case .fileTooLarge, .unrecognisedFile, .malformedPEM, .unsupportedBlock, .emptyFile, .encryptedKey,
      .unsupportedEncryption, .excessiveKeyDerivation, .malformedPKCS12, .malformedKey, .unsupportedKeyAlgorithm,
      .malformedCertificate, .bareScalar, .webKeySet, .javaKeyStore, .certificateBundle, .trustedCertificate,
      .puttyKey, .openSSHKey:
      Verdict(.keyFormat, described, remedy: error.advice)
    default: given.identityVerdict ?? Verdict(.unusableKeys, described, remedy: error.advice)
    }
  }

  /// What to do if the token's private key was given, so the certificate is the wrong one; nil otherwise.
  private var ownKeyRemedy: String? {
    guard let file = facts.publicKeyHash.flatMap({ keyFiles[$0] }) else { return nil }
    let alternative = facts.version == .rsaV1 ? "none" : "--merchant-id without a certificate"
    return
      "The certificate belongs to another key than \(file), which is the token's: give that key's own certificate, "
      + "or \(alternative)."
  }

  /// The verdict if a given certificate of the token's key has no merchant-ID extension. Only a tester's lacks it.
  private var uncertifiedVerdict: Verdict? {
    let own = certificates.first { $0.publicKeyHash() == facts.publicKeyHash && $0.certifiedMerchantIDHash == nil }
    guard let own else { return nil }
    return Verdict(
      .merchantIDMissing, own.words,
      remedy: "The certificate belongs to the key, but lacks the extension 1.2.840.113635.100.6.32, a UTF8String of "
        + "64 hexadecimal digits, the SHA-256 of the merchant ID: issue it with this extension, or give --merchant-id.")
  }

  /// The file and the code of the error.
  private var described: String { (error.file.map { "\($0): " } ?? "") + error.code.rawValue }
}
