import Corpus
import Differential
import Foundation
import PaymentToken
import TestCases
import TestSupport
import Testing

/// `assay serve` as an external: it and the vectors agree entirely.
@Suite(.blocking, .timeLimit(.minutes(10)))
struct AgreementTests {
  private static let files = Result {
    try VectorGenerator().outputs().filter { !$0.path.hasPrefix("seeds/") }.map { try VectorReader.read($0.bytes) }
  }
  private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .resolvingSymlinksInPath().appending(path: "assay").path

  @Test(arguments: ["fast", "reference"])
  func `the served engine answers every vector with the right code or plaintext`(engine: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let all = try Self.files.get().flatMap(\.groups)
    let groups = Ring.isDeep ? all : stride(from: 0, to: all.count, by: 16).map { all[$0] }
    let external = ExternalContender(ExternalProgram(command: "exec '\(Self.program)' serve --engine \(engine)"))
    let report = TestRun(engines: [], externals: [external], strictness: .code).run(groups)
    let score = report.scores[0]
    for finding in report.findings.prefix(5) {
      Issue.record("\(finding.test.title): \(finding.test.expected?.summary ?? ""), \(finding.decision)")
    }
    #expect(report.findings.isEmpty && score.restarts == 0 && score.remarks.isEmpty)
    #expect(score.tally.passed > (Ring.isDeep ? 2_000 : 80) && score.tally.notAsked == 0)
    // One wrong expectation is one finding.
    let first = try #require(groups.first { !$0.cases.isEmpty })
    let test = first.cases[0]
    var wrong = test
    wrong.expected =
      test.expected?.isAccepted == true ? .reject(TokenFault(.malformedJSON)) : .accept(plaintext: [])
    let planted = TestRun(engines: [], externals: [external], strictness: .code)
      .run([TestGroup(setting: first.setting, cases: [test, wrong])])
    #expect(planted.scores[0].tally.passed == 1 && planted.findings.count == 1)
    print("\(engine): \(score.tally.passed) held, \(score.tally.unsupported) unsupported, \(groups.count) settings")
  }
}
