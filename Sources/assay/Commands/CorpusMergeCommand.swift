import Corpus
import HostIO

/// `assay corpus merge`: adds the seeds of other corpora.
struct CorpusMergeCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "merge"], summary: "add the seeds of other corpora", operands: "DIR…", operandLimit: 1_000,
    options: [CorpusFolder.option, .json, .quiet],
    remarks: [
      "Existing seeds stay as they are. Seeds with a certificate under Apple's own root are refused and named, and the",
      "exit code is 1.",
    ])

  private let folder: CorpusFolder
  private let others: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
    others = arguments.operands
    guard !others.isEmpty else { throw UsageError("corpus merge needs a folder.") }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var inputs: [SeedIntake.Input] = []
    for other in others {
      inputs += try CorpusFolder(path: other).files([.seeds]).map { ("\(other)/\($0.path)", $0.path, $0.bytes) }
    }
    return try SeedIntake(folder: folder, envelope: nil).add(inputs, as: "merge", output)
  }
}
