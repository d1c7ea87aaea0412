import Corpus
import HostIO
import Reports
import StrictJSON

/// Adds a file of vectors to a corpus, if both engines agree with every test and lint finds nothing.
struct VectorIntake {
  let folder: CorpusFolder
  /// The path of the file below the corpus.
  let target: String
  /// The command's name in the answer's schema, such as `import-vectors`.
  let command: String
  let output: OutputOptions

  func add(_ vectors: VectorFile) throws(CommandError) -> ExitCode {
    var files = FileWriter.exists(folder.path) ? try folder.files([.vectors, .regressions]) : []
    files.removeAll { $0.path == target }
    files.append(CorpusFile(path: target, bytes: VectorWriter.write(vectors)))
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let findings = CorpusLint(engines: CorpusVectors.engines).findings(in: files, expected: nil) {
      progress.show($0, fraction: $1)
    }.filter { $0.path == target }
    progress.finish()
    if findings.isEmpty { _ = try folder.write(VectorWriter.write(vectors), to: target) }
    let count = vectors.cases.count
    try output.answer(document(findings, count), text(findings, count))
    return findings.isEmpty ? .success : .finding
  }

  private func text(_ findings: [CorpusFinding], _ count: Int) -> String {
    findings.isEmpty
      ? "\(folder.path)/\(target): \(Text.counted(count, "vector"))\n"
      : FindingList.text(findings) + "nothing imported\n"
  }

  private func document(_ findings: [CorpusFinding], _ count: Int) -> JSON {
    [
      "schema": "assay.corpus-\(command)/1", "imported": findings.isEmpty, "vectors": count,
      "findings": findings.map { finding in
        JSON(["test": finding.test, "reason": finding.reason])
      },
    ]
  }
}
