import Corpus
import Fuzzing
import HostIO
import Reports

struct FuzzReplayCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "replay"], summary: "run both engines on a finding or a sample again", operands: "FINDING",
    operandLimit: 1, options: ExternalOptions.oracle + [.json],
    remarks: [
      "FINDING is the folder of a finding, or a sample file. Exits with 1 if the finding persists: if the engines differ,",
      "or accept a token that nobody signed.",
    ])

  private let path: String
  private let external: ExternalPlan?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz replay needs a finding's folder.")
    external = try ExternalOptions.plan(arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let engines = try FuzzEngines()
    let finding = try FindingFiles(path, defaults: engines.sampleSigner.defaultContext)
    let replay = FindingReplay(finding, by: engines, external: external)
    try output.answer(replay.json, replay.text)
    return replay.shows ? .finding : .success
  }
}

struct FuzzMinimizeCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "minimize"], summary: "minimize a finding further than the run did", operands: "FINDING",
    operandLimit: 1,
    options: [.value("--duration", "TIME", "time limit (default: 60s)"), .quiet],
    remarks: ["Rewrites the finding's sample and input. Exits with 1 if the finding no longer occurs."])

  private let path: String
  private let seconds: Double

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz minimize needs a finding's folder.")
    seconds = try FuzzOptions.seconds(arguments.value("--duration") ?? "60s")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let engines = try FuzzEngines()
    let defaults = engines.sampleSigner.defaultContext
    let finding = try FindingFiles(path, defaults: defaults)
    guard finding.isFolder else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) is not the folder of a finding.")
    }
    guard let sample = finding.minimized(seconds: seconds, by: engines) else {
      Console.remark("it no longer occurs.")
      return .finding
    }
    try FileWriter.write(
      sample.file(defaults: defaults), to: "\(path)/sample", visibility: .everyone, replacing: true)
    try FileWriter.write(sample.request, to: "\(path)/input", visibility: .everyone, replacing: true)
    output.remark("\(finding.sample.request.count) bytes became \(sample.request.count).")
    return .success
  }
}

struct FuzzCoverageCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "coverage"], summary: "count the edges of the engines' code that samples reach", operands: "PATH…",
    operandLimit: 64, options: [.json],
    remarks: [
      "PATH are samples or folders of them, such as a run's corpus/. Needs the build of make fuzz-coverage, which counts",
      "coverage; any other exits with 2.",
    ], isInternal: true)

  private let paths: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    guard !paths.isEmpty else { throw UsageError("fuzz coverage needs a sample or a folder of samples.") }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var files: [String] = []
    for path in paths { files += FolderWalk.isFolder(path) ? try FolderWalk.files(below: path) : [path] }
    let replay = try CoverageReplay(files.sorted(), by: FuzzEngines())
    try output.answer(replay.json, replay.text)
    return .success
  }
}

struct FuzzStatusCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "status"], summary: "show the state of a run, or of all runs in a sync folder", operands: "DIR",
    operandLimit: 1, options: [FuzzOptions.known, .json],
    remarks: [
      "DIR is the folder of a run, or that of --sync: then a table of its runs, in which those that were not seen for an",
      "hour are marked silent. Exits with 1 if there are findings, of this session or earlier ones, that are not waived.",
    ])

  private let path: String
  private let knownFile: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz status needs a run's folder.")
    knownFile = arguments.value(FuzzOptions.known.name)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    if !FileWriter.exists("\(path)/settings.json"), SyncFolder.isSyncFolder(path) {
      let fleet = try FleetStatus(SyncFolder(path: path), at: WallClock.now)
      try output.answer(fleet.json, fleet.text)
      return fleet.hasFindings ? .finding : .success
    }
    let folder = try RunFolder(path: path)
    guard let document = folder.document("stats.json"), case .object = document else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) has no statistics yet.")
    }
    let findings = try FuzzFindingList.read(folder)
    var state = FuzzState(document, findings: findings)
    state.known = try KnownFindings(knownFile, in: folder, now: WallClock.now)
    for remark in state.known.remarks { Console.remark(remark) }
    try output.answer(document, FuzzText.status(state, findings, folder: path))
    return state.openFindings.isEmpty ? .success : .finding
  }
}
