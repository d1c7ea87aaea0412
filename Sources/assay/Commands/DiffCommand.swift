import CExternals
import Corpus
import Differential
import HostIO
import PaymentToken
import Reports
import TestCases

enum DiffCommand: Command {
  static let definition = CommandDefinition(
    path: ["diff"], summary: "run engines and other programs on vectors; compare verdict, code and plaintext",
    operands: "[PATH…]", operandLimit: 256, options: DiffOptions.definitions,
    remarks: [
      "PATH is a corpus, a file of vectors, a folder of requests or one request (default: Corpus). Vectors contain the",
      "expected verdict; for anything else the reference engine's verdict is expected. --key, --cert, --root, --at and the",
      "other verification options apply to requests; without keys, the corpus' keys and root apply, and its time without --at.",
      "--strictness accept compares verdicts only, plaintext also the decrypted data, code also the reason for rejection.",
      "What an external does not list in supports counts as unsupported. Externals receive private keys in their first",
      "line: keys that are not known to be test keys are refused. Docs/TestYourDecryptor.md is a step-by-step guide.",
      "Exits with 0 if nothing is worse than --level allows, 1 for such findings, 2 if nothing was compared. Any",
      "disagreement of the engines is a finding. A line of a waiver file is NAME REASON; NAME may end in an asterisk.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let options = try DiffOptions(arguments)
    assay_external_end_on_signals()
    if options.checksAdapter { return try checkAdapter(options.externals[0], output) }
    let failurePolicy = try options.failurePolicy()
    let sources = try options.sources()
    if !options.externals.isEmpty, !options.trustsExternals { try refuseRealKeys(sources) }
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
      strictness: options.strictness, failurePolicy: failurePolicy, isWholeSuite: sources.areWholeSuite
    ).run(groups) { state in
      progress.update(phase(state), remaining: state.remaining)
    } found: { finding, run in
      folder?.add(finding, in: run, contender: names[finding.contender])
    } isInterrupted: {
      assay_external_was_interrupted() != 0
    }
    progress.finish()
    let played =
      options.playsHistories
      ? histories(by: engines, behindOthers: groups.testCount - sources.groups.testCount) : []
    let summary = DiffReport(
      report, notes: sources.notes, origins: sources.origins + played, seed: options.mint > 0 ? options.seed : nil,
      findingsFolder: folder?.failure == nil ? options.findingsFolder : nil, replay: options.replay)
    // What cannot be written neither stops the rest nor hides a finding.
    var failures = [folder?.failure].compactMap(\.self)
    failures += engines.compactMap(\.histories?.lack).map { CommandError(.noAnswer, "\($0).") }
    do { try output.answer(summary.document, summary.text) } catch { failures.append(error) }
    for request in options.reports {
      do { try request.write(summary) { summary.page(at: WallClock.now) } } catch { failures.append(error) }
    }
    for failure in failures where !failure.message.isEmpty { Console.remark(failure.message) }
    let code = DiffSummary.exitCode(report)
    return code == .success && !failures.isEmpty ? .noAnswer : code
  }

  /// Checks an adapter with test keys that are made for the check.
  private static func checkAdapter(
    _ external: ExternalProgram, _ output: OutputOptions
  ) throws(CommandError) -> ExitCode {
    let check = try CommandError.of { try AdapterCheck(external, now: WallClock.now) }
    try output.answer(check.json, check.text)
    return check.isReady ? .success : check.hasAnswered ? .finding : .noAnswer
  }

  private static func refuseRealKeys(_ sources: TestSources) throws(CommandError) {
    guard sources.groups.contains(where: { !$0.setting.hasTestKeys && !$0.setting.keys.isEmpty }) else { return }
    throw CommandError(
      .noAnswer,
      "some private keys are not known to be test keys, and externals receive private keys: "
        + "--i-trust-this-program-with-my-keys allows that.")
  }

  /// Describes the histories that were played.
  private static func histories(by engines: [EngineContender], behindOthers count: Int) -> [String] {
    (count > 0 ? ["\(Text.counted(count, "test")) again behind others"] : [])
      + engines.compactMap(\.histories?.coverage.summary)
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
