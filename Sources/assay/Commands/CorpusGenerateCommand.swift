import Corpus
import HostIO
import StrictJSON

struct CorpusGenerateCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "generate"], summary: "generate vectors, regressions and seeds",
    options: [CorpusFolder.option, .json, .quiet],
    remarks: [
      "Writes the same bytes on every machine, from the cases of assay mint --list-faults and one fixed seed. Other files",
      "of the corpus stay as they are; assay corpus lint names those that are no longer generated.",
    ])

  private let folder: CorpusFolder

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let outputs = try CorpusVectors.generated(progress)
    progress.finish()
    var written: [String] = []
    for output in outputs where try folder.write(output.bytes, to: output.path) { written.append(output.path) }
    written += try folder.updateSchemas()
    let document = JSON(["schema": "assay.corpus-generate/1", "files": outputs.count, "written": written])
    try output.answer(document, "\(outputs.count) files, \(written.count) of them new or changed\n")
    return .success
  }
}
