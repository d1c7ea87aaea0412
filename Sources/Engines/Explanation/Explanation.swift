public import MerchantKeys
public import PaymentToken

/// Why a token was accepted or rejected, check by check. It contains no secrets. Of the decrypted data it contains an
/// unexpected currency, the factor between two amounts, the form of a member that breaks a rule, whether expected
/// values agree, and notes on the kind of the payment data and on a missing eciIndicator.
///
/// Text quoted from a rejected token is a claim of the token. It may be false and may contain any characters.
public struct Explanation: Hashable, Sendable {
  /// The fault of a rejected token; nil when it was accepted, or when only `keyError` stopped the verification.
  public let fault: TokenFault?
  /// Why the keys could not be loaded. Then stage 10 fails if it is reached, and the token is not accepted.
  public let keyError: KeyError?
  /// The envelope that the request was read as, `apple` for the token itself; nil if none fits the input.
  public let envelope: String?
  /// Whether the token is signed; nil when it was rejected.
  public let isSigned: Bool?
  /// The stages in order, including those not reached.
  public let checks: [Check]
  /// The problem; the diagnosis of an accepted token is `sound` or `unsignedToken`.
  public let problem: Problem
  /// The problems that remain when the first is ignored. They are searched for only if the first is about a time, or
  /// about a difference from the expected payment.
  public let furtherProblems: [Problem]
  /// A shell command that reads the input and writes the token inside it; nil if there is none.
  public let command: String?
  /// Remarks that are no reason to reject the token.
  public let notes: [Note]

  init(
    fault: TokenFault?, keyError: KeyError?, envelope: String?, isSigned: Bool?, checks: [Check], verdict: Verdict,
    further: [Verdict], notes: [Note]
  ) {
    self.fault = fault
    self.keyError = keyError
    self.envelope = envelope
    self.isSigned = isSigned
    self.checks = checks
    problem = Problem(verdict)
    furtherProblems = further.map(Problem.init)
    command = verdict.command
    self.notes = notes
  }

  /// Whether the token was accepted: no check failed, and the keys were loaded.
  public var accepted: Bool { fault == nil && keyError == nil }

  /// What the problem is.
  public var diagnosis: Diagnosis { problem.diagnosis }

  /// What has the problem, see `Problem.subject`.
  public var subject: String? { problem.subject }

  /// The subject, then the problem and the fix in one sentence.
  public var sentence: String { problem.sentence }
}

/// A problem and how to fix it.
public struct Problem: Hashable, Sendable {
  /// What the problem is.
  public let diagnosis: Diagnosis
  /// What has the problem: a member's path, a file, a certificate and the rule that it breaks; nil for the whole token.
  public let subject: String?
  /// The subject, then the problem and the fix in one sentence.
  public let sentence: String

  init(_ verdict: Verdict) {
    (diagnosis, subject, sentence) = (verdict.diagnosis, verdict.subject, verdict.sentence)
  }
}

/// One stage of verification and its findings.
public struct Check: Hashable, Sendable {
  /// The stage.
  public let stage: VerificationStage
  /// How the stage ended.
  public let outcome: Outcome
  /// What was found and expected, in the order of the checks.
  public let findings: [Finding]

  /// How a stage ended.
  public enum Outcome: String, Hashable, Sendable {
    case ok, failed, notReached
    /// Skipped, because the token is unsigned and the caller accepts unsigned tokens.
    case omitted
  }
}

/// A checked value, in words for people.
public struct Finding: Hashable, Sendable {
  /// The name of the value: `leaf`, `header.transactionId`.
  public let name: String
  /// What was found.
  public let found: String
  /// What was expected; nil where the finding compares with nothing.
  public let expected: String?

  init(_ name: String, _ found: String, expected: String? = nil) {
    self.name = name
    self.found = found
    self.expected = expected
  }
}

/// A remark that does not affect the verdict.
public struct Note: Hashable, Sendable {
  /// The stable name of the remark.
  public let code: Code
  /// The subject: a certificate; nil for a remark on the whole payment or token.
  public let subject: String?

  init(_ code: Code, _ subject: String? = nil) {
    self.code = code
    self.subject = subject
  }

  /// The subject, then the remark in one sentence.
  public var sentence: String { subject.map { "\($0): \(code.sentence)" } ?? code.sentence }

  /// Stable names of the remarks.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    case eciIndicatorMissing
    case merchantCertificateExpired
    case newerCertificateUnused
    case sandboxSigner
    case ageUnchecked
    case emvPayload
    case certificateLeftAside
    case timesYearsApart

    /// Fixed text.
    public var sentence: String {
      switch self {
      case .eciIndicatorMissing:
        "The payment has no eciIndicator, which some card networks omit: omit it as well, or ask your acquirer."
      case .merchantCertificateExpired:
        "The payment processing certificate has expired, which does not reject tokens: renew it before Apple stops using it."
      case .newerCertificateUnused:
        "A newer certificate of this merchant is loaded, but the token is not encrypted to it: "
          + "activate it in Apple's portal if you have not done so."
      case .sandboxSigner:
        "The token comes from Apple's sandbox: no money moves."
      case .certificateLeftAside:
        "The certificate belongs to none of the given private keys and was left aside: "
          + "that is normal for an authority's, but another merchant's needs its own key."
      case .timesYearsApart:
        "The signing time and the verification time are years apart: unless the token was stored that long, correct "
          + "the machine's clock, or --at."
      case .ageUnchecked:
        "The age of the token was not checked: the window is off, or the token's own signing time was used."
      case .emvPayload:
        "The payment has EMV data, and no cryptogram or eciIndicator, because merchantCapabilities of the payment "
          + "request has supportsEMV: if your processor takes 3-D Secure data, leave only supports3DS there."
      }
    }
  }
}
