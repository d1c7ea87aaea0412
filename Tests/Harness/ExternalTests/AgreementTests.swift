import Corpus
import Differential
import Foundation
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Runs `assay serve` as an external, which must decide every vector as expected.
@Suite(.blocking, .timeLimit(.minutes(10)))
struct AgreementTests {
  private static let files = Result {
    try CorpusFolder(path: Package.folder.appending(path: "Corpus").path).files([.vectors, .regressions])
      .map { try VectorReader.read($0.bytes) }
  }
  private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .resolvingSymlinksInPath().appending(path: "assay").path

  @Test(arguments: ["fast", "reference"])
  func `the served engine answers every vector with the right code or plaintext`(engine: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let all = try Self.files.get().flatMap(\.groups)
    let groups = Ring.isDeep ? all : stride(from: 0, to: all.count, by: 16).map { all[$0] }
    let external = ExternalContender(.patient("exec '\(Self.program)' serve --engine \(engine)"))
    let report = TestRun(engines: [], externals: [external], strictness: .code).run(groups)
    let score = report.scores[0]
    for finding in report.findings.prefix(5) {
      Issue.record("\(finding.test.title): \(finding.test.expected?.summary ?? ""), \(finding.decision)")
    }
    #expect(report.findings.isEmpty && score.restarts == 0 && score.remarks.isEmpty)
    #expect(score.tally.passed > (Ring.isDeep ? 2_000 : 80) && score.tally.notAsked == 0)
    // One wrong expectation is one finding.
    let first = try #require(
      groups.first { $0.setting.isForOtherPrograms && $0.cases.first?.context.isForOtherPrograms == true })
    let test = first.cases[0]
    var wrong = test
    wrong.expected =
      test.expected?.isAccepted == true ? .reject(TokenFault(.malformedJSON)) : .accept(plaintext: [])
    let planted = TestRun(engines: [], externals: [external], strictness: .code)
      .run([TestGroup(setting: first.setting, cases: [test, wrong])])
    #expect(planted.scores[0].tally.passed == 1 && planted.findings.count == 1)
    print("\(engine): \(score.tally.passed) held, \(score.tally.unsupported) unsupported, \(groups.count) settings")
  }

  @Test func `a program is given external keys as its own, and never asked what only an engine can be`() throws {
    signal(SIGPIPE, SIG_IGN)
    let groups = try Self.files.get().flatMap(\.groups).filter { group in
      group.setting.keys.contains { $0.holder != .merchant } || group.cases.contains { !$0.context.isForOtherPrograms }
    }
    let own = groups.flatMap { group in
      group.cases.filter { $0.context.isForOtherPrograms && group.setting.isForOtherPrograms }
    }
    let external = ExternalContender(.patient("exec '\(Self.program)' serve"))
    let report = TestRun(engines: [], externals: [external], strictness: .code).run(groups)
    #expect(report.findings.isEmpty)
    #expect(own.count > 20 && report.scores[0].tally.passed == own.count)
    #expect(report.scores[0].tally.unsupported == groups.flatMap(\.cases).count - own.count)
    #expect(report.scores[0].tally.unsupported > 40)
  }
}
