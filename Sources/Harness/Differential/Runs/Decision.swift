import PaymentToken
public import TestCases

/// A contender's answer to a test.
public enum Decision: Hashable, Sendable {
  /// Accepted with this plaintext, nil if it did not return it, as a token that is signed or not.
  case accepted(plaintext: [UInt8]?, isSigned: Bool = true)
  /// Rejected with these details of the fault, as far as it reported them.
  case rejected(code: String?, stage: Int?, member: String?)
  /// It does not claim to support a feature that the test needs.
  case unsupported
  /// It claims support, but answered `unsupported`.
  case declined
  /// It answered that it could not decide, for this reason.
  case error(String)
  /// It gave no valid answer.
  case failed(ExternalFailure)
  /// The test was skipped: the program failed too often or refused `hello`, or the run was interrupted.
  case notAsked

  /// The decision of an engine.
  init(_ verdict: TestVerdict) {
    switch verdict {
    case .accept(let plaintext): self = .accepted(plaintext: plaintext)
    case .acceptUnsigned(let plaintext): self = .accepted(plaintext: plaintext, isSigned: false)
    case .reject(let fault):
      self = .rejected(code: fault.code.rawValue, stage: fault.stage.rawValue, member: fault.member?.path)
    }
  }

  /// Whether it returned the right members of a payload, in whatever bytes.
  func hasMembers(of expected: TestVerdict?) -> Bool {
    guard case .accepted(let plaintext?, _) = self, let right = expected?.plaintext else { return false }
    return haveSameMembers(plaintext, right)
  }

  /// How a plaintext differs from the right one, without any content of them; nil if it cannot be said.
  func difference(from expected: TestVerdict?) -> String? {
    guard case .accepted(let plaintext?, _) = self, let right = expected?.plaintext else { return nil }
    let place = zip(plaintext, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let first = (place ?? min(plaintext.count, right.count)) + 1
    return "accepted, \(plaintext.count) of \(right.count) bytes, first difference at byte \(first)"
  }

  var isRejection: Bool { if case .rejected = self { true } else { false } }

  /// Whether another decision is of the same kind, which shrinking must preserve.
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
  /// The decision in words, without the plaintext.
  public var description: String {
    switch self {
    case .accepted(let plaintext, let isSigned):
      "accepted" + (isSigned ? "" : " as unsigned") + (plaintext == nil ? " without a plaintext" : "")
    case .rejected(let code, let stage, let member):
      "rejected" + (code.map { " \($0)" } ?? "") + (member.map { " \($0)" } ?? "")
        + (stage.map { " (stage \($0))" } ?? "")
    case .unsupported: "unsupported"
    case .declined: "unsupported, although it claims to support everything needed"
    case .error(let reason): "error: \(reason)"
    case .failed(let failure): "\(failure.name): \(failure)"
    case .notAsked: "skipped"
    }
  }
}

extension Decision {
  /// The same decision without the program's text, which may contain a key or a payment.
  var withoutQuotation: Decision {
    switch self {
    case .rejected(let code, let stage, let member):
      .rejected(
        code: code.map { TokenFault.Code(rawValue: $0) == nil ? "an unknown code" : $0 }, stage: stage,
        member: member.flatMap(TokenMember.init(rawValue:))?.path)
    case .error: .error("an error that is not shown")
    case .failed(let failure): .failed(failure.withoutQuotation)
    case .accepted, .unsupported, .declined, .notAsked: self
    }
  }
}

/// A participant in a comparison: an engine of this process, or an external program.
public protocol Contender: AnyObject {
  /// Its name in reports.
  var name: String { get }

  /// Loads keys and roots for the tests that follow, which all have this window, in seconds.
  func begin(_ setting: TestSetting, windowSeconds: UInt32?)

  /// Decides a test of that setting.
  func decide(_ test: TestCase) -> Decision

  /// Ends the setting. Returns remarks about how it ended.
  func end() -> [String]
}
