import Corpus
import HostIO
import Reports
import StrictJSON

enum CorpusExportCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "export"], summary: "write the vectors of a suite in a form for other test suites",
    options: [
      CorpusFolder.option, .choice("--form", Form.allCases.map(\.rawValue), "form of the files (default: lines)"),
      .suite, .value("--out", "DIR", "folder of the files (default: .)"), .json, .quiet,
    ],
    remarks: [
      "lines writes SUITE.jsonl: JSON Lines, one vector each with key, roots and expected result, after a header with",
      "count and SHA-256. wycheproof writes what the vectors test of ECDSA, ECDH, AES-GCM, X.509 paths and CMS alone, in",
      "the form of C2SP/wycheproof. Corpus/README.md describes both. Keys are public test keys.",
    ])

  private enum Form: String, CaseIterable {
    case lines, wycheproof
  }

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let form: Form = arguments.choice("--form") ?? .lines
    let suite = CorpusSuite(arguments)
    let out = arguments.value("--out") ?? "."
    let vectors = try CorpusVectors.read(folder).map(\.file)
    guard !vectors.isEmpty else {
      throw CommandError(.noAnswer, "\(Text.harmless(folder.path)) has no vectors; assay corpus generate makes them.")
    }
    let files =
      switch form {
      case .lines: [(name: "\(suite.rawValue).jsonl", bytes: try VectorLines.write(suite, of: vectors))]
      case .wycheproof: try WycheproofFiles.write(suite, of: vectors).map { (name: $0.name, bytes: $0.bytes) }
      }
    for file in files { _ = try CorpusFolder(path: out).write(file.bytes, to: file.name) }
    let document = JSON([
      "schema": "assay.corpus-export/1", "suite": suite.rawValue,
      "files": files.map { JSON(["path": "\(out)/\($0.name)", "bytes": $0.bytes.count]) },
    ])
    try output.answer(
      document,
      Text.table(header: ["file", "bytes"], rows: files.map { ["\(out)/\($0.name)", String($0.bytes.count)] })
        .joined(separator: "\n") + "\n")
    return .success
  }
}
