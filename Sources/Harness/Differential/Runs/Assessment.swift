public import TestCases

/// How closely answers are compared.
public enum Strictness: String, Hashable, Sendable, CaseIterable {
  /// Accepted or rejected.
  case accept
  /// Also the plaintext of accepted tokens, and whether they are signed.
  case plaintext
  /// Also the code of rejected tokens.
  case code

  /// The least severe finding that fails by default.
  package var defaultLevel: Standing.Severity { self == .code ? .strictness : .interoperability }
}

/// The assessment of a decision.
public enum Assessment: Hashable, Sendable {
  case passed
  /// The other verdict, where both are acceptable (`Standing.Severity.choice`), or the right members of the payload in
  /// other bytes.
  case acceptable
  /// Counted separately, as neither passed nor failed.
  case unsupported
  /// Skipped: see `Decision.notAsked`.
  case notAsked
  case finding(Kind)

  /// The kinds of findings, in the order of reports. `Finding.severity` says how severe each is.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
    /// It accepted a token that must be refused.
    case accepted
    /// It returned another plaintext, or none.
    case wrongPlaintext
    /// An engine returned the right plaintext, but another payment, time, identifier or envelope than the first engine.
    case wrongContents
    /// It reported an unsigned token as signed.
    case unsignedAsSigned
    /// It ended or could not be started, wrote nothing in time, or violated the protocol.
    case crashed, timedOut, brokeProtocol
    /// It refused a token that must be accepted.
    case refusedSound
    /// It refused the token with another code.
    case wrongCode
    /// It reported a signed token as unsigned.
    case signedAsUnsigned
    /// It answered `unsupported` although it claims support.
    case declined
    /// It answered that it could not decide.
    case error

    public static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

    /// Whether the contender gave no valid answer.
    var isFailure: Bool { [.crashed, .timedOut, .brokeProtocol].contains(self) }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// For people.
    public var title: String {
      switch self {
      case .accepted: "accepted what must be refused"
      case .wrongPlaintext: "wrong plaintext"
      case .wrongContents: "wrong contents"
      case .unsignedAsSigned: "reported an unsigned token as signed"
      case .signedAsUnsigned: "reported a signed token as unsigned"
      case .crashed: "crashed"
      case .timedOut: "timed out"
      case .brokeProtocol: "broke the protocol"
      case .refusedSound: "refused what must be accepted"
      case .wrongCode: "refused for another reason"
      case .declined: "declined what it claims to support"
      case .error: "could not decide"
      }
    }
  }

  /// The assessment of an external program. Where both verdicts are acceptable, the other one is no finding. Unless
  /// codes are compared, a plaintext that the program has parsed and written again is no finding either.
  package init(_ decision: Decision, on test: TestCase, expected: TestVerdict?, strictness: Strictness) {
    self.init(decision, expected: expected, strictness: strictness)
    if self == .finding(.wrongPlaintext), strictness == .plaintext, decision.hasMembers(of: expected) {
      self = Self.signedness(of: decision, expected) ?? .acceptable
    }
    guard test.standing?.severity == .choice else { return }
    if self == .finding(.accepted) || self == .finding(.refusedSound) { self = .acceptable }
  }

  /// Compares a decision with the expected verdict. If there is none, a verdict counts as unsupported.
  public init(_ decision: Decision, expected: TestVerdict?, strictness: Strictness) {
    self =
      switch decision {
      case .accepted(let plaintext, _):
        Self.accepted(plaintext, expected, strictness) ?? Self.signedness(of: decision, expected) ?? .passed
      case .rejected(let code, _, _): Self.rejected(code, expected, strictness)
      case .unsupported: .unsupported
      case .declined: .finding(.declined)
      case .error: .finding(.error)
      case .failed(.ended), .failed(.notStarted): .finding(.crashed)
      case .failed(.timedOut): .finding(.timedOut)
      case .failed: .finding(.brokeProtocol)
      case .notAsked: .notAsked
      }
  }

  /// Nil if it remains to be compared only whether the token is reported as signed.
  private static func accepted(
    _ plaintext: [UInt8]?, _ expected: TestVerdict?, _ strictness: Strictness
  ) -> Assessment? {
    switch expected {
    case .accept(let right)?, .acceptUnsigned(let right)?:
      strictness == .accept ? .passed : plaintext == right ? nil : .finding(.wrongPlaintext)
    case .reject?: .finding(.accepted)
    case nil: .unsupported
    }
  }

  /// The finding about a token reported as signed that is not, or the reverse; nil if there is none.
  private static func signedness(of decision: Decision, _ expected: TestVerdict?) -> Assessment? {
    switch (decision, expected) {
    case (.accepted(_, isSigned: true), .acceptUnsigned?): .finding(.unsignedAsSigned)
    case (.accepted(_, isSigned: false), .accept?): .finding(.signedAsUnsigned)
    default: nil
    }
  }

  private static func rejected(_ code: String?, _ expected: TestVerdict?, _ strictness: Strictness) -> Assessment {
    switch expected {
    case .accept?, .acceptUnsigned?: .finding(.refusedSound)
    case .reject(let right)?: strictness != .code || code == right.code.rawValue ? .passed : .finding(.wrongCode)
    case nil: .unsupported
    }
  }
}
