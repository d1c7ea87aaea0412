import Benchmarking
import Corpus
import Gateways
import PaymentToken

/// `assay corpus add`: takes raw inputs into the seeds.
struct CorpusAddCommand: Command {
  static var definition: CommandDefinition {
    CommandDefinition(
      path: ["corpus", "add"], summary: "add raw inputs to the seeds", operands: "FILE…", operandLimit: 10_000,
      options: [
        CorpusFolder.option,
        .choice("--envelope", Envelope.all.map(\.name), "what they come in (default: told by their shape)"),
        .json, .quiet,
      ],
      remarks: [
        "Each is filed by envelope, version and content. One that is there already stays as it is. Whatever holds a",
        "certificate under Apple's own root is refused with exit 1: genuine tokens are nobody's to publish.",
      ])
  }

  private let folder: CorpusFolder
  private let paths: [String]
  private let envelope: String?
  private let json: Bool
  private let quiet: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
    paths = arguments.operands
    guard !paths.isEmpty else { throw UsageError("corpus add needs a file.") }
    envelope = arguments.value("--envelope")
    json = arguments.has("--json")
    quiet = arguments.has("--quiet")
  }

  func run() throws(CommandError) -> ExitCode {
    var inputs: [SeedIntake.Input] = []
    for path in paths { inputs.append((path, nil, try FileReader.corpusFile(path))) }
    return try SeedIntake(folder: folder, envelope: envelope).add(inputs, json: json, quiet: quiet, command: "add")
  }
}
