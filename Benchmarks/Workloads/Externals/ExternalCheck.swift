import Differential
import PaymentToken
import Reports
import TestCases

/// What a program answers before anything is timed. A wrong answer never ends a run: it excludes a token, or it decides
/// how far the program's times can be compared.
struct ExternalCheck {
  /// The tokens that it decrypts, as positions in the set.
  private(set) var usable: [Int] = []
  /// What limits its figures; phrases for reports.
  private(set) var remarks: [String] = []
  /// Why it cannot be measured at all; nil if it can.
  private(set) var reasonToDrop: String?
  /// Whether it accepts an altered or forged token.
  private(set) var acceptsForgery = false
  private(set) var givesPlaintext = true
  /// Whether it answers lines without a token. The time of such an answer is that of the protocol alone.
  private(set) var answersNonsense = false
  var tokenCount: Int { self.set.entries.count }
  private let contender: ExternalContender
  private let set: TokenSet
  private var crashes = 0

  /// Crashes after which a program is given up. It may crash on an altered token, on a forged one and on what is no
  /// token, twice each, because each is sent again.
  private static let crashLimit = 7
  /// The number of tokens that are also sent with a forged signature.
  private static let forgedCount = 8

  /// Checks all tokens, altered ones, forged ones, and a line that is no token.
  init(_ contender: ExternalContender, _ set: TokenSet) {
    self.contender = contender
    self.set = set
    checkSound()
    if reasonToDrop == nil { checkForgeries() }
    if reasonToDrop == nil { checkNonsense() }
    if !givesPlaintext { remarks.append("gives no plaintext; its times are of verdicts only") }
  }

  static func testCase(_ token: [UInt8], _ set: TokenSet) -> TestCase {
    TestCase(id: "benchmark", source: "minted", input: TestInput(token, TestContext(now: set.now)), expected: nil)
  }

  /// A request of the same size that is invalid from its first byte.
  static func nonsense(like token: [UInt8]) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: token.count) }

  // MARK: Parts

  private mutating func checkSound() {
    var exceptions: [Exception] = []
    for (index, entry) in set.entries.enumerated() {
      let decision = decide(entry.token)
      if reasonToDrop != nil { return }
      switch decision {
      case .accepted(let plaintext, _) where plaintext == nil || plaintext == entry.plaintext:
        usable.append(index)
        givesPlaintext = givesPlaintext && plaintext != nil
      case .unsupported:
        let lists = contender.identity?.supports.contains("EC_v1") == true
        reasonToDrop = lists ? "needs roots or keys of its own (supports)" : "does not list EC_v1 in supports"
        return
      // It refused the keys in its answer to hello.
      case .notAsked:
        reasonToDrop = exceptions.last?.detail ?? "was not asked"
        return
      default: exceptions.append(Exception(decision, of: index, reason: contender.lastReason))
      }
    }
    guard let first = exceptions.first else { return }
    if usable.isEmpty {
      reasonToDrop = said(first.phrase(about: "every token"))
    } else {
      let rest = exceptions.count > 1 ? " and \(exceptions.count - 1) more" : ""
      let phrase = first.phrase(about: "token \(first.index + 1)")
      remarks.append("measured on \(usable.count) of \(set.entries.count) tokens: \(phrase)\(rest)")
    }
  }

  private mutating func checkForgeries() {
    checkRefusal(of: "an altered token", usable.compactMap { set.entries[$0].altered })
    checkRefusal(of: "a forged signature", usable.prefix(Self.forgedCount).compactMap { set.entries[$0].forged })
  }

  private mutating func checkRefusal(of what: String, _ tokens: [[UInt8]]) {
    guard !acceptsForgery else { return }
    for token in tokens where reasonToDrop == nil {
      switch decide(token) {
      case .accepted:
        acceptsForgery = true
        remarks.append("accepts \(what), so it does less than a decryptor must; compare it with none")
        return
      case .failed(let failure):
        remarks.append("fails on \(what): \(failure)")
        return
      default: continue
      }
    }
  }

  private mutating func checkNonsense() {
    guard let first = usable.first else { return }
    switch decide(Self.nonsense(like: set.entries[first].token)) {
    case .failed(let failure): remarks.append("fails on what is no token, so the protocol's time is echo's: \(failure)")
    default: answersNonsense = reasonToDrop == nil
    }
  }

  // MARK: Answers

  /// Asks again after a crash, which may have another reason than the token.
  private mutating func decide(_ token: [UInt8]) -> Decision {
    let test = Self.testCase(token, set)
    let answer = contender.decide(test)
    let decision = contender.hasAnsweredTwice ? .failed(.unasked) : answer
    guard isCrash(decision), reasonToDrop == nil else { return decision }
    let second = contender.decide(test)
    _ = isCrash(second)
    return second
  }

  /// Counts crashes. A program that does not answer in time, or crashes too often, is dropped.
  private mutating func isCrash(_ decision: Decision) -> Bool {
    guard case .failed(let failure) = decision else { return false }
    crashes += 1
    if contender.couldNotRun {
      reasonToDrop = said("cannot be run")
    } else if case .timedOut = failure {
      reasonToDrop = said("\(failure)")
    } else if contender.isGivenUp || crashes >= Self.crashLimit {
      reasonToDrop = said(crashes > 1 ? "\(failure), \(crashes) times" : "\(failure)")
    }
    return true
  }

  /// The failure with the last line of its standard error.
  private func said(_ failure: String) -> String {
    failure + (contender.standardErrorTail.last.map { "; it wrote: \($0)" } ?? "")
  }
}

/// A token that a program does not decrypt.
private struct Exception {
  let index: Int
  let what: String
  let detail: String?

  init(_ decision: Decision, of index: Int, reason: String?) {
    self.index = index
    switch decision {
    case .rejected(let code, _, _): (what, detail) = ("refuses", reason ?? code)
    case .accepted: (what, detail) = ("gives another plaintext for", nil)
    case .failed(let failure): (what, detail) = ("fails on", "\(failure)")
    case .error(let text): (what, detail) = ("answers with an error to", text)
    default: (what, detail) = ("does not decide", "\(decision)")
    }
  }

  func phrase(about tokens: String) -> String { "\(what) \(tokens)" + (detail.map { " (\($0))" } ?? "") }
}
