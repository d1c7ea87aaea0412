import Corpus
import Differential
import Foundation
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Deliberately bad decryptors (Tests/BadDecryptors): the report names each in its first sentence.
@Suite(.blocking, .enabled(if: BadDecryptors.canRun), .timeLimit(.minutes(10)))
struct BadDecryptorTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let files =
    ["forgeries", "ecdsa", "agreement", "gcm"]
    + (Ring.isDeep ? ["merchant-keys", "replay", "expectations", "time", "base64-hex"] : [])

  private static func groups(of path: String) throws -> [TestGroup] {
    try VectorReader.read([UInt8](Data(contentsOf: root.appending(path: "Corpus/\(path)")))).groups.map {
      TestGroup(
        setting: TestSetting(keys: $0.setting.keys, rootsPem: $0.setting.rootsPem, hasTestKeys: true), cases: $0.cases)
    }
  }

  // Each group starts Python, so small groups are left out: the large ones have the tests that show the patterns.
  private static let groups = Result { try groups(in: files) }

  private static func groups(in files: [String]) throws -> [TestGroup] {
    try files.flatMap { try groups(of: "vectors/\($0).json").filter { $0.cases.count >= 6 } }
  }

  private static let core = Result { try groups(of: CorpusSuite.corePath) }
  private static let largeCore = Result { try core.get().filter { $0.cases.count >= 6 } }

  private static func report(
    _ name: String, strictness: Strictness = .plaintext, core: [TestGroup]? = nil, in shown: [String] = []
  ) throws -> RunReport {
    signal(SIGPIPE, SIG_IGN)
    let external = ExternalContender(BadDecryptors.program(name))
    return TestRun(engines: [], externals: [external], strictness: strictness, isWholeSuite: core != nil)
      .run(try core ?? (shown.isEmpty || Ring.isDeep ? groups.get() : groups(in: shown)))
  }

  /// In the first ring most programs are asked only the file that shows their fault; two are asked all files.
  @Test(arguments: [
    ("no-signature", "checks no signature"),
    ("own-intermediate", "trusts the token's own intermediate"),
    ("any-signer", "accepts any signer beside Apple's certificates"),
    ("signer-by-serial-number", "finds the signer by issuer and serial number, and not by the chain that it checked"),
    ("skips-with-application-data", "skips the check of the signed bytes when applicationData is present"),
    ("dropped-result", "drops the result of the signature's verification"),
    ("no-tag", "ignores the tag of AES-GCM"),
    ("leading-zeros", "loses leading zeros of the shared secret: 1 payment in 256"),
  ])
  func `a bad decryptor is named in the first sentence, and its findings rank first`(name: String, sentence: String)
    throws
  {
    let showing = ["no-signature": [], "leading-zeros": [], "no-tag": ["gcm"]]
    let report = try Self.report(name, in: showing[name] ?? ["forgeries"])
    let verdict = ContenderVerdict(report.scores[0])
    #expect(verdict.sentences.first == sentence)
    let first = try #require(report.findings.first)
    #expect(first.severity == verdict.patterns.first?.severity)
    #expect(!report.failing.isEmpty)
  }

  /// The first ring runs only the programs that no other test here starts.
  @Test(
    arguments: [("expired-certificates", Pattern.expiredCertificates), ("no-digest", .noDigest)]
      + (Ring.isDeep ? [("leading-zeros", .leadingZeros), ("dropped-result", .droppedResult)] : []))
  func `the core suite names a bad decryptor in the first sentence`(name: String, pattern: Pattern) throws {
    let report = try Self.report(name, core: (Ring.isDeep ? Self.core : Self.largeCore).get())
    let verdict = ContenderVerdict(report.scores[0])
    #expect(verdict.patterns == [pattern])
    #expect(verdict.sentences == [pattern.sentence])
    #expect(report.findings.first?.severity == pattern.severity)
  }

  @Test func `the external itself decides correctly by the core suite`() throws {
    let report = try Self.report("none", core: Self.core.get())
    #expect(report.findings.isEmpty && report.scores[0].tally.unsupported == 0)
    #expect(ContenderVerdict(report.scores[0]).sentences == ["decides correctly"])
  }

  @Test func `one that claims no signatures is asked nothing that only a signature shows`() throws {
    let report = try Self.report("unclaimed")
    #expect(report.failing.isEmpty)
    let moved = report.scores[0].records.filter { $0.test.title.contains("forgery-h-") }
    #expect(moved.count >= 18 && moved.allSatisfy { $0.assessment == .unsupported })
    let altered = report.scores[0].records.filter { $0.test.title.contains("forgery-g-") }
    #expect(altered.count >= 4 && altered.allSatisfy { $0.assessment == .passed })
  }

  @Test func `if it ignores the tag, whoever holds a token can alter it, which is critical`() throws {
    let report = try Self.report("unclaimed-no-tag")
    #expect(
      ContenderVerdict(report.scores[0]).sentences == [
        "claims no check of signatures: it was asked no forgery that needs one", "ignores the tag of AES-GCM",
      ])
    let first = try #require(report.findings.first)
    #expect(first.severity == .critical && first.isForgery && first.standing?.maker == .holder)
    let stale = report.findings.filter { $0.test.name.hasSuffix("forgery-g-ciphertext-bit-flipped-under-the-old-tag") }
    #expect(stale.map(\.kind) == [.accepted, .accepted] && stale.allSatisfy { $0.test.clauses == ["12.1"] })
    #expect(report.findings.allSatisfy { $0.standing?.maker != .apple })
  }

  @Test func `the members of a payload in other bytes are acceptable, unless codes are compared`() throws {
    let report = try Self.report("rewriting")
    #expect(report.findings.isEmpty && report.scores[0].rewritten > 50)
    #expect(report.scores[0].validAccepted.count == report.scores[0].validAccepted.total)
    #expect(
      Set(try Self.report("rewriting", strictness: .code, in: ["agreement"]).findings.map(\.kind)) == [.wrongPlaintext])
  }

  @Test func `one that refuses nearly every sound token has shown nothing`() throws {
    let report = try Self.report("few-sound")
    let (sound, sentence) = (report.scores[0].validAccepted, ContenderVerdict(report.scores[0]).sentences[0])
    #expect(sound.count < sound.total / 10)
    #expect(sentence == "accepts \(sound.count) of \(sound.total) sound tokens: nothing can be concluded")
  }

  @Test func `one that crashes on a token in 256 is told before all leniencies`() throws {
    let report = try Self.report("crash")
    #expect(report.findings.first?.kind == .crashed && report.findings.first?.severity == .high)
  }

  @Test func `a sound but lenient one has no finding above strictness`() throws {
    let report = try Self.report("lenient")
    #expect(report.failing.isEmpty && report.findings.allSatisfy { $0.severity == .strictness })
    let count = report.testCount
    #expect(
      ["has no finding", "has no severe finding"].map { "\($0) in \(count) of \(count) tests; run the corpus" }
        .contains(ContenderVerdict(report.scores[0]).sentences[0]))
  }

  /// A program that checks each transaction only once decides every test correctly if the test is asked alone.
  @Test(arguments: [("remembers", true), ("none", false)])
  func `behind the tokens that they derive from, forgeries show what a program remembers`(
    _ name: String, _ isFound: Bool
  ) throws {
    let minter = try VectorGenerator.minter()
    var histories = HistoryTests { test in CaseRecipe.named(test.name).flatMap { try? minter.origins(of: $0) } ?? [] }
    let groups = try Self.groups(of: "vectors/forgeries.json").flatMap { [$0, histories.behindOthers($0)] }
    let external = ExternalContender(BadDecryptors.program(name))
    let report = TestRun(engines: [], externals: [external], strictness: .plaintext).run(groups)
    #expect(report.findings.contains { $0.test.name.hasSuffix("--behind-its-origin") } == isFound)
    #expect(report.findings.allSatisfy { $0.kind == .accepted && !$0.test.context.prelude.isEmpty })
    #expect(report.testCount > 2 * 40)
  }

  @Test func `the external itself has none at all, its codes included`() throws {
    let report = try Self.report("none", strictness: .code)
    #expect(report.findings.isEmpty && report.scores[0].tally.acceptable == 0)
    let count = report.testCount
    #expect(
      ContenderVerdict(report.scores[0]).sentences == ["has no finding in \(count) of \(count) tests; run the corpus"])
  }
}

/// The programs of Tests/BadDecryptors.
enum BadDecryptors {
  static func program(_ name: String) -> ExternalProgram {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "BadDecryptors/bad-decryptor").path
    return .patient("exec '\(path)' \(name)")
  }

  /// Whether the external in Python runs, for which Python needs the package cryptography.
  static let canRun: Bool = {
    signal(SIGPIPE, SIG_IGN)
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: true)
    let external = ExternalContender(program("none"))
    let test = TestCase(
      id: "1", input: TestInput([], TestContext(now: UnixTime(secondsSinceEpoch: 0))),
      expected: .reject(TokenFault(.malformedJSON)))
    let report = TestRun(engines: [], externals: [external], strictness: .accept)
      .run([TestGroup(setting: setting, cases: [test])])
    let runs = report.scores[0].identity != nil
    if !runs { print("skipped: bad decryptors need Python with the package cryptography (Externals/python/setup)") }
    return runs
  }()
}

extension Pattern {
  /// The expected severity of the pattern.
  fileprivate var severity: Standing.Severity {
    switch self {
    case .leadingZeros, .numericIdentifier: .interoperability
    case .noTag, .anyCurve, .anyAuthority, .noDates, .expiredCertificates, .noRevocation, .noReplays, .noWindow,
      .noExpectations:
      .high
    default: .critical
    }
  }
}
