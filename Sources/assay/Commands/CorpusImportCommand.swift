import Corpus
import HostIO
import Reports

struct CorpusImportCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "import-vectors"], summary: "add a file of vectors made elsewhere", operands: "FILE",
    operandLimit: 1,
    options: [
      CorpusFolder.option,
      .value("--name", "NAME", "name of the file below vectors/imported (default: its own)"),
      .json, .quiet,
    ],
    remarks: [
      "The file's schema is assay.vectors/1. Both engines check every test first. If one of them disagrees, or a test",
      "breaks the rules of assay corpus lint, nothing is written and the exit code is 1.",
    ], isInternal: true)

  private let folder: CorpusFolder
  private let path: String
  private let name: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
    path = try arguments.operand(orElse: "corpus import-vectors needs a file.")
    let own = path.split(separator: "/").last.map { String($0) } ?? path
    name = arguments.value("--name") ?? (own.hasSuffix(".json") ? String(own.dropLast(5)) : own)
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
    guard !name.isEmpty, isPlain else {
      throw UsageError("--name may contain letters, digits, - and _.")
    }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let vectors = try CorpusVectors.read(try FileReader.corpusFile(path), named: path)
    guard vectors.generator != VectorGenerator.command else {
      throw CommandError(
        .noAnswer,
        "\(Text.harmless(path)) names \(VectorGenerator.command) as its generator: its files are generated, not imported."
      )
    }
    return try VectorIntake(
      folder: folder, target: "vectors/imported/\(name).json", command: "import-vectors", output: output
    ).add(vectors)
  }
}
