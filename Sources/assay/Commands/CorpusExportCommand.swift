import Corpus
import HostIO
import Reports
import StrictJSON

enum CorpusExportCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "export"], summary: "write the vectors of a suite as JSON Lines",
    options: [
      CorpusFolder.option, .suite, .value("--out", "DIR", "folder of the file (default: .)"), .json, .quiet,
    ],
    remarks: [
      "Writes SUITE.jsonl, for test suites without the line protocol: one vector on each line with key, roots and expected",
      "result, after a header with count and SHA-256. Corpus/README.md describes it. Keys are public test keys.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let suite = CorpusSuite(arguments)
    let out = arguments.value("--out") ?? "."
    let vectors = try folder.vectors().map(\.file)
    guard !vectors.isEmpty else {
      throw CommandError(.noAnswer, "\(Text.harmless(folder.path)) has no vectors; assay corpus generate makes them.")
    }
    let name = "\(suite.rawValue).jsonl"
    let bytes = try VectorLines.write(suite, of: vectors)
    _ = try CorpusFolder(path: out).write(bytes, to: name)
    let document: JSON = [
      "schema": "assay.corpus-export/1", "suite": suite.rawValue,
      "files": [JSON(["path": "\(out)/\(name)", "bytes": bytes.count])],
    ]
    try output.answer(
      document,
      Text.table(header: ["file", "bytes"], rows: [["\(out)/\(name)", String(bytes.count)]]).joined(separator: "\n")
        + "\n")
    return .success
  }
}
