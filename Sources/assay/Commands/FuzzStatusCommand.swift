import Corpus
import Fuzzing
import HostIO
import Reports

/// `assay fuzz status`: shows the state of a run.
struct FuzzStatusCommand: Command {
  static let definition = CommandDefinition(
    path: ["fuzz", "status"], summary: "show the state of a run, during or after it", operands: "DIR",
    operandLimit: 1, options: [.json],
    remarks: ["Exits with 1 if there are findings."])

  private let path: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    path = try arguments.operand(orElse: "fuzz status needs a run's folder.")
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = try RunFolder(path: path)
    guard let document = folder.document("stats.json"), case .object = document else {
      throw CommandError(.noAnswer, "\(Text.harmless(path)) has no statistics yet.")
    }
    let findings = try FuzzFindingList.read(folder)
    if output.json {
      try Console.answer(try FileReader.corpusFile("\(path)/stats.json"))
      return findings.isEmpty ? .success : .finding
    }
    let state = FuzzState(document, findings: findings)
    try Console.answer(FuzzText.status(state, findings, folder: path))
    return findings.isEmpty ? .success : .finding
  }
}
