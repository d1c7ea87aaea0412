import Fuzzing
import HostIO

/// `assay fuzz replay`: runs both engines on a finding again.
struct FuzzReplayCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "replay"], summary: "run both engines on a finding or a sample again", operands: "FINDING",
    operandLimit: 1, options: [.json],
    remarks: [
      "FINDING is the folder of a finding, or a sample file. Exits with 1 if the finding persists: if the engines differ,",
      "or accept a token that nobody signed.",
    ])

  private let path: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz replay needs a finding's folder.")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let engines = try FuzzEngines()
    let finding = try FindingFiles(path, usual: engines.workshop.usual)
    let replay = FindingReplay(finding, by: engines)
    try output.answer(replay.json, replay.text)
    return replay.shows ? .finding : .success
  }
}
