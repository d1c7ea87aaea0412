import Corpus
import HostIO
import StrictJSON

enum CorpusGenerateCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "generate"], summary: "generate vectors, regressions and seeds",
    options: [
      CorpusFolder.option,
      .flag("--exhaustive", "write every constructed case, as a corpus of its own, to the folder --dir"),
      .value("--dir", "DIR", "folder of the exhaustive corpus (default: .build/exhaustive-corpus)"), .json, .quiet,
    ],
    remarks: [
      "Writes the same bytes on every machine, from the cases of assay mint --list-faults and one fixed seed. Other files",
      "of the corpus stay as they are; assay corpus lint names those that are no longer generated.",
      "--exhaustive writes each of these cases in every spelling that must not change its verdict, and both sides of each",
      "bound at every place where it applies: 1.5 gigabytes. assay diff DIR runs them.",
    ], isInternal: true)

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let path = arguments.value("--dir")
    guard arguments.has("--exhaustive") || path == nil else { throw .usage("--dir needs --exhaustive.") }
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    if arguments.has("--exhaustive") {
      return try generate(CorpusFolder(path: path ?? ".build/exhaustive-corpus"), progress, output)
    }
    let outputs = try folder.generated(progress)
    progress.finish()
    var written: [String] = []
    for output in outputs where try folder.write(output.bytes, to: output.path) { written.append(output.path) }
    let document = JSON(["schema": "assay.corpus-generate/1", "files": outputs.count, "written": written])
    try output.answer(document, "\(outputs.count) files, \(written.count) of them new or changed\n")
    return .success
  }

  private static func generate(
    _ folder: CorpusFolder, _ progress: ProgressLine, _ output: OutputOptions
  ) throws(CommandError) -> ExitCode {
    let generator = try CommandError.of { try VectorGenerator() }
    var files: [String] = []
    let vectors = try generator.exhaustive {
      progress.show("minting", fraction: Double($0) / Double($1))
    } write: { (file) throws(CommandError) in
      _ = try folder.write(file.bytes, to: file.path)
      files.append(file.path)
    }
    progress.finish()
    let document = JSON([
      "schema": "assay.corpus-generate/1", "files": files.count, "written": files, "vectors": vectors,
    ])
    try output.answer(document, "\(vectors) vectors in \(files.count) files below \(folder.path)\n")
    return .success
  }
}
