import Corpus
import Differential
import Foundation
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
  func `the served engine gives every vector its answer, code and plaintext included`(engine: String) throws {
    signal(SIGPIPE, SIG_IGN)
    let all = try Self.files.get().flatMap(\.groups).map(Self.group)
    let groups = Ring.isDeep ? all : stride(from: 0, to: all.count, by: 16).map { all[$0] }
    let external = ExternalContender(ExternalProgram(command: "exec '\(Self.program)' serve --engine \(engine)"))
    let report = TrialRun(engines: [], externals: [external], strictness: .code).run(groups)
    let score = report.scores[0]
    for finding in report.findings.prefix(5) {
      Issue.record("\(finding.trial.title): \(finding.trial.expected.map { "\($0)" } ?? ""), \(finding.decision)")
    }
    #expect(report.findings.isEmpty && score.restarts == 0 && score.remarks.isEmpty)
    #expect(score.tally.held > (Ring.isDeep ? 2_000 : 80) && score.tally.notAsked == 0)
    // One wrong expectation is one finding.
    let first = try #require(groups.first { !$0.trials.isEmpty })
    let trial = first.trials[0]
    let isAccepted = if case .accept? = trial.expected { true } else { false }
    let wrong = Trial(
      id: trial.id, name: trial.name, source: trial.source, at: trial.at, policy: trial.policy, prelude: trial.prelude,
      token: trial.token, expected: isAccepted ? .reject(nil) : .accept(plaintext: nil))
    let planted = TrialRun(engines: [], externals: [external], strictness: .code)
      .run([TrialGroup(setting: first.setting, trials: [trial, wrong])])
    #expect(planted.scores[0].tally.held == 1 && planted.findings.count == 1)
    print("\(engine): \(score.tally.held) held, \(score.tally.unsupported) unsupported, \(groups.count) settings")
  }

  private static func group(_ group: VectorGroup) -> TrialGroup {
    TrialGroup(
      setting: TrialSetting(
        keys: group.keys, rootsPem: group.rootsPem, windowSeconds: group.windowSeconds, hasTestKeys: true),
      trials: group.tests.map { test in
        let expected: Trial.Expectation =
          switch test.verdict {
          case .accept(let plaintext): .accept(plaintext: plaintext)
          case .reject(let fault): .reject(fault)
          }
        return Trial(
          id: String(test.id), name: test.name ?? "", source: "vectors", at: group.at, policy: group.policy,
          prelude: test.prelude, token: test.token, expected: expected)
      })
  }
}
