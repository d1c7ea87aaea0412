import CExternals
import Corpus
import Differential
import HostIO
import PaymentToken
import Reports
import TestCases

struct DiffCommand: Command {
  static let definition = CommandDefinition(
    path: ["diff"], summary: "run engines and other programs on vectors; compare verdict, code and plaintext",
    operands: "[PATH…]", operandLimit: 256, options: DiffOptions.definitions,
    remarks: [
      "PATH is a corpus, a file of vectors, a folder of requests or one request (default: Corpus). Vectors contain the",
      "expected verdict; for anything else the reference engine's verdict is expected. --key, --cert, --root, --at and the",
      "other verification options apply to requests; without keys, the corpus' keys, time and root apply.",
      "--strictness accept compares verdicts only, plaintext also the decrypted data, code also the reason for rejection.",
      "What an external does not list in supports counts as unsupported. Externals receive private keys in their first",
      "line: keys that are not known to be test keys are refused. Docs/TestYourDecryptor.md is a step-by-step guide.",
      "Exits with 0 if nothing is worse than --level allows, 1 for such findings, 2 if nothing was compared. Any",
      "disagreement of the engines is a finding. A line of a waiver file is NAME REASON; NAME may end in an asterisk.",
    ])

  private let options: DiffOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    options = try DiffOptions(arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    assay_external_end_on_signals()
    if options.checksAdapter { return try checkAdapter(output) }
    let gate = try options.gate()
    let sources = try options.sources()
    try refuseRealKeys(sources)
    for request in options.reports { try request.checkFolder() }
    var folder: FindingFolder?
    if let path = options.findingsFolder {
      folder = try FindingFolder(path: path, replay: options.replay, notes: sources.notes)
    }
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let names = options.engines.map { "assay \($0.rawValue)" } + options.externals.map(\.command)
    let engines = try options.contenders()
    let groups = try options.groups(of: sources)
    let report = TestRun(
      engines: engines, externals: options.externals.map { ExternalContender($0) },
      strictness: options.strictness, gate: gate, isWholeSuite: sources.areWholeSuite
    ).run(groups) { state in
      progress.update(Self.phase(state), remaining: state.remaining)
    } found: { finding, run in
      folder?.add(finding, in: run, contender: names[finding.contender])
    } isInterrupted: {
      assay_external_was_interrupted() != 0
    }
    progress.finish()
    try write(
      report, origins: sources.origins + played(by: engines, behindOthers: groups.testCount - sources.groups.testCount),
      sources.notes, output)
    if let failure = folder?.failure { throw failure }
    return DiffSummary.exitCode(report)
  }

  /// The adapter gets keys of its own, which are made for the check.
  private func checkAdapter(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let check = try CommandError.of { try AdapterCheck(options.externals[0], now: WallClock.now) }
    try output.answer(check.json, check.text)
    return check.isReady ? .success : check.hasAnswered ? .finding : .noAnswer
  }

  private func refuseRealKeys(_ sources: TestSources) throws(CommandError) {
    guard !options.externals.isEmpty, !options.trustsExternals else { return }
    guard sources.groups.contains(where: { !$0.setting.hasTestKeys && !$0.setting.keys.isEmpty }) else { return }
    throw CommandError(
      .noAnswer,
      "some private keys are not known to be test keys, and externals receive private keys: "
        + "--i-trust-this-program-with-my-keys allows that.")
  }

  /// The histories that were asked for, in words.
  private func played(by engines: [EngineContender], behindOthers count: Int) -> [String] {
    guard options.playsHistories else { return [] }
    return (count > 0 ? ["\(Text.counted(count, "test")) again behind others"] : [])
      + engines.compactMap { engine in engine.histories.map { Text.counted($0.coverage.count, "history", "histories") }
      }
  }

  private func write(
    _ report: RunReport, origins: [String], _ notes: [String: VectorNote], _ output: OutputOptions
  ) throws(CommandError) {
    // The answer first, so that a report that cannot be written loses nothing else.
    let report = DiffReport(
      report, notes: notes, origins: origins, seed: options.mint > 0 ? options.seed : nil,
      findingsFolder: options.findingsFolder)
    try output.answer(report.document, report.text)
    for request in options.reports { try request.write(report) { report.page(at: WallClock.now) } }
  }

  private static func phase(_ state: TestRun.Progress) -> String {
    let rate = state.elapsed > 0 ? Int(Double(state.done) / state.elapsed) : 0
    return "\(state.done) of \(state.total) tests, \(rate)/s, \(Text.counted(state.findings, "finding"))"
  }
}

extension [TestGroup] {
  fileprivate var testCount: Int { reduce(0) { $0 + $1.cases.count } }
}

extension TestRun.Progress {
  /// The remaining seconds, estimated from the tests so far.
  fileprivate var remaining: Double {
    done > 0 ? elapsed / Double(done) * Double(total - done) : 0
  }
}
