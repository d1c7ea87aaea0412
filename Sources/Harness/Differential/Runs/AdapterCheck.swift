import Corpus
import Minting
import NamedCases
import PaymentToken
import Reports
import StrictJSON
import TestCases

/// Tries an adapter with one plain token and one forgery. If the token is refused, variants with one change each show
/// the reason.
package struct AdapterCheck {
  /// One attempt.
  struct Step {
    let name: String
    let decision: Decision
    let isRight: Bool
  }

  private let contender: ExternalContender
  private let minter: Minter
  private let now: UnixTime
  private var steps: [Step] = []
  private var hint: String?
  private var reason: String?
  private var standardErrorTail: [String] = []
  private static let seed: UInt64 = 1

  /// - Parameter now: the time of the system's clock.
  /// - Throws: when minting fails.
  package init(_ program: ExternalProgram, now: UnixTime) throws(MintingError) {
    contender = ExternalContender(program, failureLimit: .max)
    minter = try Minter(seed: Self.seed, at: VectorGenerator.time)
    self.now = now
    hint = try run()
  }

  /// The name, the version and `supports` of the program; nil if it did not give them in answer to `hello`.
  private var identity: ExternalIdentity? { contender.identity }

  /// Whether the adapter is ready for the whole corpus.
  package var isReady: Bool { hint == nil }

  /// Whether the program answered `hello`, and not with an error.
  package var hasAnswered: Bool { identity != nil }

  /// The document `assay.adapter-check/1`.
  package var json: JSON {
    [
      "schema": "assay.adapter-check/1", "ready": isReady, "name": identity?.name, "version": identity?.version,
      "supports": identity?.supports ?? [],
      "steps": steps.map { JSON(["name": $0.name, "answered": "\($0.decision)", "right": $0.isRight]) },
      "reason": reason, "hint": hint,
    ]
  }

  /// Lines for people.
  package var text: String {
    let hello = identity.map { "\($0.name) \($0.version), supports \($0.supports.joined(separator: ", "))" }
    var pairs = [("hello", hello ?? "no answer")] + steps.map { ($0.name, "\($0.decision)") }
    if let reason { pairs.append(("its reason", reason)) }
    pairs += standardErrorTail.map { ("stderr", $0) }
    let lines = Text.pairs(pairs) + [""] + (hint.map { [$0] } ?? next)
    return lines.map(Text.harmless).joined(separator: "\n") + "\n"
  }

  /// The next commands. The first generates the corpus, because an installation does not include it.
  private var next: [String] {
    let folder = "assay-corpus"
    let commands = [
      "assay corpus generate --corpus \(folder)",
      "assay diff \(folder)/\(CorpusSuite.corePath) --external \(ShellWord.quoted(contender.program.command)) --report html=conformance.html",
    ]
    return ["The adapter is ready. The next commands make the test vectors, and ask it those of the suite core:"]
      + commands.map(Text.unbroken)
  }
}

/// The attempts, in order.
extension AdapterCheck {
  /// Returns a hint about the first problem; nil if there is none.
  private mutating func run() throws(MintingError) -> String? {
    begin(TestSetting(of: minter))
    ask("plain token", try token(minter))
    // Ask the same process, which must continue to read.
    if steps[0].isRight, identity?.verifies == true, let forgery = try forgery() { ask("forged token", forgery) }
    end()
    guard let wrong = steps.first(where: { !$0.isRight }) else { return nil }
    if case .accepted = wrong.decision, wrong.name != steps[0].name {
      return "It accepts a forged token. If it is not meant to verify signatures, leave signature out of supports."
    }
    let hint = hint(wrong.decision, to: "a \(wrong.name)")
    guard wrong.decision.isRejection else { return hint }
    // The refused token with one thing changed at a time.
    let key = TestKey.all(of: minter, .ecV1)[0]
    begin(TestSetting(of: minter, keys: [key]))
    ask("its key alone", try token(minter))
    end()
    let late = try Minter(seed: Self.seed, at: now)
    begin(TestSetting(of: late))
    ask("minted now", try token(late))
    end()
    if steps[1].isRight { return "It accepts the token if its key is the only one: choose by publicKeyHash." }
    if steps[2].isRight { return "It accepts a token of today: check all dates at `at`, not at the system's clock." }
    return
      "It refuses a sound token. Does it trust rootsPem, in place of Apple's root? Does it read the key (PKCS #8) and "
      + "the merchant ID (certificatePem or merchantId)?"
  }

  /// A token that nobody signed, under the minter's own root.
  private func forgery() throws(MintingError) -> TestCase? {
    for recipe in CaseRecipe.all where recipe.isForgery {
      let made = try minter.make(recipe)
      if made.isSingleToken { return made.test }
    }
    return nil
  }

  private func token(_ minter: Minter) throws(MintingError) -> TestCase {
    minter.soundCase(try minter.mint(), id: "plain")
  }

  private func begin(_ setting: TestSetting) {
    contender.begin(setting, windowSeconds: TestContext(now: now).policy.windowSeconds)
  }

  private mutating func ask(_ name: String, _ test: TestCase) {
    let decision = contender.decide(test)
    withdrawIfAnsweredTwice()
    let assessment = Assessment(decision, on: test, expected: test.expected, strictness: .plaintext)
    steps.append(Step(name: name, decision: decision, isRight: [.passed, .acceptable].contains(assessment)))
  }

  private mutating func end() {
    _ = contender.end()
    withdrawIfAnsweredTwice()
  }

  private mutating func withdrawIfAnsweredTwice() {
    guard contender.hasAnsweredTwice, let last = steps.popLast() else { return }
    steps.append(Step(name: last.name, decision: .failed(.unasked), isRight: false))
  }

  /// A hint about a wrong answer. Also stores the program's reason and its last lines of standard error.
  private mutating func hint(_ decision: Decision, to token: String) -> String {
    reason = contender.lastReason
    standardErrorTail = contender.standardErrorTail
    return switch decision {
    case .accepted(nil, _):
      "It accepts the token without a plaintext: return the decrypted bytes in base64, or run assay diff with "
        + "--strictness accept."
    case .accepted: "The plaintext is another one: return exactly the decrypted bytes, in base64."
    case .declined: "It answers \(token) with unsupported, although its supports list all that the token needs."
    case .unsupported:
      "It does not support \(token): list EC_v1 in supports, and roots if it lists signature."
    case .error: "It could not decide \(token): the answer names the error."
    case .failed where identity == nil: "It did not answer hello: flush each line, and write nothing else to stdout."
    case .failed(.unasked): "It writes more than one line for \(token): answer each line with one."
    case .failed: "It gave no answer to \(token)."
    case .rejected, .notAsked: "It decided nothing."
    }
  }
}
