public import TestCases

/// How closely answers are compared.
public enum Strictness: String, Hashable, Sendable, CaseIterable {
  /// Accepted or rejected.
  case accept
  /// And the plaintext of what is accepted.
  case plaintext
  /// And the code of what is rejected.
  case code
}

/// What a decision is worth.
public enum Assessment: Hashable, Sendable {
  case passed
  /// Counted, but neither for nor against.
  case unsupported
  /// Not asked any more after what was found before.
  case notAsked
  case finding(Kind)

  /// What is wrong, the worst first.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Accepted what must be refused.
    case acceptedForgery
    /// Opened it to other bytes, or to none.
    case wrongPlaintext
    /// It ended, wrote what it must not, or not at all.
    case crashed, timedOut, brokeProtocol
    /// Refused what must be accepted.
    case refusedSound
    /// Refused for another reason.
    case wrongCode
    /// Decided nothing about what it claims to support.
    case declined
    /// Said that it could not decide.
    case error

    public static func < (left: Kind, right: Kind) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// For people.
    public var title: String {
      switch self {
      case .acceptedForgery: "accepted what must be refused"
      case .wrongPlaintext: "wrong plaintext"
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

  /// Holds a decision against the one right answer; where there is none, only failing is a finding.
  public init(_ decision: Decision, expected: TestVerdict?, strictness: Strictness) {
    self =
      switch decision {
      case .accepted(let plaintext): Self.accepted(plaintext, expected, strictness)
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

  private static func accepted(_ plaintext: [UInt8]?, _ expected: TestVerdict?, _ strictness: Strictness) -> Assessment {
    switch expected {
    case .accept(let right)?, .acceptUnsigned(let right)?:
      strictness == .accept || plaintext == right ? .passed : .finding(.wrongPlaintext)
    case .reject?: .finding(.acceptedForgery)
    case nil: .unsupported
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
