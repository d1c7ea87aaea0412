import Corpus
import Fuzzing
import HostIO
import Reports

enum FuzzReplayCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "replay"], summary: "run both engines on a finding or a sample again", operands: "FINDING",
    operandLimit: 1, needs: "a finding's folder", options: ExternalOptions.oracle + [.json],
    remarks: [
      "FINDING is the folder of a finding, or a sample file. Exits with 1 if the finding persists: if the engines differ,",
      "or accept a token that nobody signed. A finding of an external program needs the program: without it, or where it",
      "cannot run or does not support the sample, exits with 2.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let path = arguments.operands[0]
    let engines = try FuzzEngines()
    let finding = try FindingFiles(path, defaults: engines.sampleSigner.defaultContext)
    let external = try ExternalOptions.plan(arguments, for: finding.record)
    let replay = FindingReplay(finding, by: engines, external: external)
    try output.answer(replay.json, replay.text)
    return replay.shows.map { $0 ? .finding : .success } ?? .noAnswer
  }
}

enum FuzzMinimizeCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "minimize"], summary: "minimize a finding further than the run did", operands: "FINDING",
    operandLimit: 1, needs: "a finding's folder",
    options: [.value("--duration", "TIME", "time limit (default: 60s)")] + ExternalOptions.oracle + [.quiet],
    remarks: [
      "Rewrites the finding's sample and input. Exits with 1 if the finding no longer occurs. A finding of an external",
      "program needs the program: without it, or where it cannot run or does not support the sample,",
      "exits with 2.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let path = arguments.operands[0]
    let seconds = try FuzzOptions.seconds(arguments.value("--duration") ?? "60s")
    let engines = try FuzzEngines()
    let defaults = engines.sampleSigner.defaultContext
    let finding = try FindingFiles(path, defaults: defaults)
    guard finding.record != nil else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not the folder of a finding.")
    }
    let replay = FindingReplay(
      finding, by: engines, external: try ExternalOptions.plan(arguments, for: finding.record))
    guard let shows = replay.shows else { throw CommandError(.noAnswer, "\(Text.harmless(replay.verdict)).") }
    guard shows else {
      Console.remark("it no longer occurs.")
      return .finding
    }
    let sample = replay.minimized(finding, seconds: seconds, by: engines)
    try FileWriter.write(
      [
        FileWriter.Content(sample.file(defaults: defaults), to: "\(path)/sample", visibility: .everyone),
        FileWriter.Content(sample.request, to: "\(path)/input", visibility: .everyone),
      ], replacing: true)
    output.remark("\(finding.sample.request.count) bytes became \(sample.request.count).")
    return .success
  }
}

enum FuzzStatusCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "status"], summary: "show the state of a run, or of all runs in a sync folder", operands: "DIR",
    operandLimit: 1, needs: "a run's folder", options: [FuzzOptions.waivers, .json],
    remarks: [
      "DIR is the folder of a run, or that of --sync: then a table of its runs, in which those that were not seen for an",
      "hour are marked silent. Exits with 1 if there are findings, of this session or earlier ones, that are not waived.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let path = arguments.operands[0]
    if !FileWriter.exists("\(path)/settings.json"), SyncFolder.isSyncFolder(path) {
      let fleet = try FleetStatus(SyncFolder(path: path), at: WallClock.now)
      try output.answer(fleet.json, fleet.text)
      return fleet.hasFindings ? .finding : .success
    }
    let folder = try RunFolder(path: path)
    let statistics = folder.statistics
    let findings = try FuzzFindingSummary.all(in: folder)
    if statistics == nil {
      let problem = "\(Text.harmless(path)) has no statistics that can be read"
      if findings.isEmpty { throw CommandError(.noAnswer, "\(problem).") }
      Console.remark("\(problem): its counters are not known.")
    }
    var state = FuzzState(statistics ?? folder.document("settings.json") ?? .null, findings: findings)
    state.waivers = try arguments.waivers()
    try output.answer(statistics ?? state.document, FuzzText.status(state, findings, folder: path))
    return state.openFindings.isEmpty ? .success : .finding
  }
}
