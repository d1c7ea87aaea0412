import PaymentToken
public import TestCases

/// What a contender said about a test.
public enum Decision: Hashable, Sendable {
  /// With these bytes; nil when it did not tell them.
  case accepted(plaintext: [UInt8]?)
  /// With what it told of the fault.
  case rejected(code: String?, stage: Int?, member: String?)
  /// It does not claim to do what the test is about.
  case unsupported
  /// It claims to, and said `unsupported` all the same.
  case declined
  /// It said that it could not decide, and why.
  case error(String)
  /// It gave no answer.
  case failed(ExternalFailure)
  /// It was not asked: it had failed too often.
  case notAsked

  /// What an engine decided.
  init(_ verdict: TestVerdict) {
    switch verdict {
    case .accept(let plaintext), .acceptUnsigned(let plaintext): self = .accepted(plaintext: plaintext)
    case .reject(let fault):
      self = .rejected(code: fault.code.rawValue, stage: fault.stage.rawValue, member: fault.member?.path)
    }
  }

  /// The same as the one right answer; nil where it is none, and where it lacks what engines always say.
  var expectation: TestVerdict? {
    switch self {
    case .accepted(let plaintext?): return .accept(plaintext: plaintext)
    case .rejected(let code, let stage, let member):
      guard let code = code.flatMap(TokenFault.Code.init(rawValue:)) else { return nil }
      return .reject(
        TokenFault(
          code, stage: stage.flatMap(VerificationStage.init(rawValue:)) ?? code.stage,
          member: member.flatMap(TokenMember.init(rawValue:))))
    default: return nil
    }
  }

  /// Whether it is a refusal, with whatever reason.
  var isRejection: Bool { if case .rejected = self { true } else { false } }

  /// Whether another decision is of the same kind: what shrinking must keep.
  public func resembles(_ other: Decision) -> Bool {
    switch (self, other) {
    case (.accepted, .accepted), (.unsupported, .unsupported), (.declined, .declined), (.error, .error),
      (.notAsked, .notAsked):
      true
    case (.rejected(let code, _, _), .rejected(let otherCode, _, _)): code == otherCode
    case (.failed(let failure), .failed(let otherFailure)): failure.name == otherFailure.name
    default: false
    }
  }
}

extension Decision: CustomStringConvertible {
  /// Nothing of the plaintext in it.
  public var description: String {
    switch self {
    case .accepted(let plaintext): "accepted" + (plaintext == nil ? " without a plaintext" : "")
    case .rejected(let code, let stage, let member):
      "rejected" + (code.map { " \($0)" } ?? "") + (member.map { " \($0)" } ?? "")
        + (stage.map { " (stage \($0))" } ?? "")
    case .unsupported: "unsupported"
    case .declined: "unsupported, though it claims to support all that is needed"
    case .error(let reason): "error: \(reason)"
    case .failed(let failure): "\(failure.name): \(failure)"
    case .notAsked: "not asked"
    }
  }
}

extension Decision {
  /// The same with nothing of what the program wrote, which may hold a key or a payment.
  var withoutQuotation: Decision {
    switch self {
    case .rejected(let code, let stage, let member):
      .rejected(
        code: code.map { TokenFault.Code(rawValue: $0) == nil ? "a code that is none" : $0 }, stage: stage,
        member: member.flatMap(TokenMember.init(rawValue:))?.path)
    case .error: .error("an error that is not shown")
    case .failed(let failure): .failed(failure.withoutQuotation)
    case .accepted, .unsupported, .declined, .notAsked: self
    }
  }
}

/// Who is asked: an engine of this process, or an external.
public protocol Contender: AnyObject {
  /// How reports call it.
  var name: String { get }

  /// Loads keys and roots for the cases that follow, all of which have this window, in seconds.
  func begin(_ setting: TestSetting, windowSeconds: UInt32?)

  /// Decides about a case of that setting.
  func decide(_ test: TestCase) -> Decision

  /// Ends the setting; what is to be said about how that went.
  func end() -> [String]

  /// The last lines it wrote to its standard error, after a failure.
  var lastWords: [String] { get }
}
