import MerchantKeys
import PaymentToken

/// Diagnoses of keys that could not be loaded, together with the token that they were given for.
struct KeyErrorDiagnosis {
  let error: KeyError
  /// All given certificates.
  let certificates: [Certificate]
  /// The token's facts.
  let facts: TraceFacts

  var verdict: Verdict {
    let given = CertificateDiagnosis(certificates: certificates)
    return switch error.code {
    case .certificateWithoutKey, .certificateMismatch:
      given.identityVerdict ?? given.missingKeyVerdict(facts) ?? given.foreignVerdict
        ?? Verdict(.keyCertificateMismatch, error.file)
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
    case .passwordNeeded, .wrongPassword, .unusablePassword: Verdict(.keyPassword, error.file)
    case .fileTooLarge, .unrecognisedFile, .malformedPEM, .unsupportedBlock, .emptyFile, .encryptedKey,
      .unsupportedEncryption, .excessiveKeyDerivation, .malformedPKCS12, .malformedKey, .unsupportedKeyAlgorithm,
      .malformedCertificate, .bareScalar, .webKeySet, .javaKeyStore, .certificateBundle, .trustedCertificate:
      Verdict(.keyFormat, described, remedy: error.advice)
    default: given.identityVerdict ?? Verdict(.unusableKeys, described, remedy: error.advice)
    }
  }

  /// The certificate for the token's key was given, but names no merchant ID: a tester made it, whatever else it says.
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
