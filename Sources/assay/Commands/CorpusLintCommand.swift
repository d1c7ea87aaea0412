import Corpus
import HostIO
import Reports
import StrictJSON

enum CorpusLintCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "lint"], summary: "check the corpus, and every verdict with both engines",
    options: [
      CorpusFolder.option,
      .flag("--foreign", "do not compare with the output of corpus generate"),
      .json, .quiet,
    ],
    remarks: [
      "Checks that files are well formed, ids and names are unique, flags and clauses are documented, both engines agree",
      "with each verdict, nothing chains to Apple's own root, nothing occurs twice, every clause has a vector and every",
      "code three, and assay corpus generate makes the same bytes. Exits with 1 otherwise.",
    ], isInternal: true)

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let files = try folder.files()
    guard !files.isEmpty else {
      throw CommandError(.noAnswer, "\(Text.harmless(folder.path)) is empty; assay corpus generate fills it.")
    }
    let expected = arguments.has("--foreign") ? nil : try folder.generated(progress)
    let findings = CorpusLint(engines: EngineName.all).findings(in: files, expected: expected) {
      progress.show($0, fraction: $1)
    }
    progress.finish()
    try output.answer(document(findings, of: files), text(findings, of: files))
    return findings.isEmpty ? .success : .finding
  }

  private static func text(_ findings: [CorpusFinding], of files: [CorpusFile]) -> String {
    let verdict = findings.isEmpty ? "clean" : Text.counted(findings.count, "finding")
    return findings.text + "\(Text.counted(files.count, "file")): \(verdict)\n"
  }

  private static func document(_ findings: [CorpusFinding], of files: [CorpusFile]) -> JSON {
    [
      "schema": "assay.corpus-lint/1", "files": files.count, "clean": findings.isEmpty,
      "findings": findings.map { finding in
        JSON(["path": finding.path, "test": finding.test, "reason": finding.reason])
      },
    ]
  }
}
