public import MerchantKeys
public import PaymentToken

/// Why a token was accepted or refused, check by check. Nothing secret and nothing decrypted is in it.
///
/// What it quotes of a refused token is what the token claims, not what is so; it may hold any characters.
public struct Explanation: Hashable, Sendable {
  /// Why the token was refused; nil when it was accepted.
  public let fault: TokenFault?
  /// Why the keys could not be loaded; then nothing is said about stages 10 and on, and the token is not accepted.
  public let keyError: KeyError?
  /// The envelope the request was read by, `apple` for the token itself; nil when that could not be decided.
  public let envelope: String?
  /// Whether the token is signed; nil when it was refused.
  public let isSigned: Bool?
  /// The stages in their order, up to the first that failed, and those not reached.
  public let checks: [Check]
  /// What is the matter.
  public let diagnosis: Diagnosis
  /// What the diagnosis is about: a member's path, a file, a certificate; nil when that is the token as a whole.
  public let subject: String?
  /// What is worth knowing besides, in no case a reason to refuse the token.
  public let notes: [Note]

  /// Whether every check passed.
  public var accepted: Bool { fault == nil && keyError == nil }

  /// The diagnosis and the fix in one sentence, after what it is about.
  public var sentence: String { subject.map { "\($0): \(diagnosis.sentence)" } ?? diagnosis.sentence }
}

/// One stage of verification and what was found at it.
public struct Check: Hashable, Sendable {
  /// The stage.
  public let stage: VerificationStage
  /// How it ended.
  public let outcome: Outcome
  /// What was found and expected, in the order in which it was looked at.
  public let findings: [Finding]

  /// How a stage ended.
  public enum Outcome: String, Hashable, Sendable {
    case ok, failed, notReached
    /// Not asked for: nobody signed the token, and the caller takes it all the same.
    case omitted
  }
}

/// Something looked at, in words for people.
public struct Finding: Hashable, Sendable {
  /// What was looked at: `leaf`, `header.transactionId`.
  public let name: String
  /// What was found.
  public let found: String
  /// What was expected; nil where anything would do.
  public let expected: String?

  init(_ name: String, _ found: String, expected: String? = nil) {
    self.name = name
    self.found = found
    self.expected = expected
  }
}

/// Something worth knowing that decides nothing.
public struct Note: Hashable, Sendable {
  /// Which remark it is.
  public let code: Code
  /// What it is about: a certificate, a time.
  public let subject: String?

  init(_ code: Code, _ subject: String? = nil) {
    self.code = code
    self.subject = subject
  }

  /// The remark in one sentence, after what it is about.
  public var sentence: String { subject.map { "\($0): \(code.sentence)" } ?? code.sentence }

  /// Stable names of the remarks.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case eciIndicatorMissing
    case merchantCertificateExpired
    case newerCertificateUnused
    case sandboxSigner
    case ageUnchecked

    /// Fixed text.
    public var sentence: String {
      switch self {
      case .eciIndicatorMissing:
        "The payment has no eciIndicator, which some card networks leave out: send none on, or what your acquirer says."
      case .merchantCertificateExpired:
        "The payment processing certificate has expired, which refuses no token: renew it before Apple stops using it."
      case .newerCertificateUnused:
        "A newer certificate of this merchant is loaded that the token was not made for: "
          + "activate it in Apple's portal if that is not done yet."
      case .sandboxSigner:
        "The token comes from Apple's sandbox: no money moves."
      case .ageUnchecked:
        "The window is switched off or the token's own time was used, so how old it is was not checked."
      }
    }
  }
}
