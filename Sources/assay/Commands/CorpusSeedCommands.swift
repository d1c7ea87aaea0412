import Corpus
import Gateways
import HostIO
import PaymentToken
import Reports
import StrictJSON

enum CorpusAddCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "add"], summary: "add raw inputs to the seeds", operands: "FILE…", operandLimit: 10_000,
    needs: "a file",
    options: [
      CorpusFolder.option,
      .flag("--regression", "add files of vectors instead: cases that an engine once got wrong"),
      .value("--comment", "TEXT", "what was wrong, for regressions (default: the vector's own comment)"),
      .choice("--envelope", Envelope.all.map(\.name), "format of the inputs (default: detected)"),
      .json, .quiet,
    ],
    remarks: [
      "Files each input by envelope, version and content. Existing inputs stay as they are. An input with a certificate",
      "under Apple's own root is refused, and the exit code is 1: genuine tokens must not be published.",
      "A regression is the vector.json of a finding of assay fuzz. It is added, under a name made from its content, once",
      "both engines agree with it: after the bug is fixed.",
    ])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let paths = arguments.operands
    let envelope = arguments.value("--envelope")
    let isRegression = arguments.has("--regression")
    let comment = arguments.value("--comment")
    guard isRegression || comment == nil else { throw .usage("--comment goes with --regression.") }
    guard !isRegression || envelope == nil else { throw .usage("--envelope does not go with --regression.") }
    if isRegression { return try addRegressions(paths, to: folder, comment, output) }
    var inputs: [SeedIntake.Input] = []
    for path in paths { inputs.append((path, try FileReader.corpusFile(path))) }
    return try SeedIntake(folder: folder, envelope: envelope).add(inputs, output)
  }

  private static func addRegressions(
    _ paths: [String], to folder: CorpusFolder, _ comment: String?, _ output: OutputOptions
  ) throws(CommandError) -> ExitCode {
    let known = FileWriter.exists(folder.path) ? try folder.files([.vectors, .regressions]) : []
    var files: [CorpusFile] = []
    var (count, text) = (0, "")
    var findings: [(path: String, finding: CorpusFinding)] = []
    for path in paths {
      let read = try CorpusVectors.read(try FileReader.corpusFile(path), named: path)
      let vectors = comment.map { Self.with(comment: $0, read) } ?? read
      let bytes = vectors.cases.flatMap(\.request)
      let name = SeedPath(of: bytes, envelope: "found", version: "").path.split(separator: "/").last ?? "found.json"
      let file = CorpusFile(path: "regressions/found-\(name)", bytes: VectorWriter.write(vectors))
      // A sample has one name, also where it was found at another time or under another policy.
      if let other = (files + known).first(where: { $0.path == file.path }), try asksOtherThings(other, than: vectors) {
        let reason = "\(Text.harmless(path)) has the same tokens and other tests: give them one file"
        findings.append((path, CorpusFinding(path: file.path, reason: reason)))
      }
      findings += self.findings(in: file, addedTo: known + files, output).map { (path, $0) }
      files.append(file)
      count += vectors.cases.count
      text += "\(folder.path)/\(file.path): \(Text.counted(vectors.cases.count, "vector"))\n"
    }
    // If one file has a finding, none is written.
    if findings.isEmpty { for file in files { _ = try folder.write(file.bytes, to: file.path) } }
    try output.answer(
      [
        "schema": "assay.corpus-add/1", "imported": findings.isEmpty, "vectors": count,
        "findings": findings.map { JSON(["file": $0.path, "test": $0.finding.test, "reason": $0.finding.reason]) },
      ], findings.isEmpty ? text : FindingList.text(findings.map(\.finding)) + "nothing imported\n")
    return findings.isEmpty ? .success : .finding
  }

  private static func with(comment: String, _ vectors: VectorFile) -> VectorFile {
    var vectors = vectors
    for group in vectors.groups.indices {
      for test in vectors.groups[group].cases.indices { vectors.groups[group].cases[test].comment = comment }
    }
    return vectors
  }

  /// Whether a file has other vectors, apart from comments.
  private static func asksOtherThings(_ file: CorpusFile, than vectors: VectorFile) throws(CommandError) -> Bool {
    let others = try CorpusVectors.read(file.bytes, named: file.path)
    return VectorWriter.write(with(comment: "", others)) != VectorWriter.write(with(comment: "", vectors))
  }

  /// The findings of both engines and of lint in a file of vectors that is added to the corpus.
  private static func findings(
    in file: CorpusFile, addedTo others: [CorpusFile], _ output: OutputOptions
  ) -> [CorpusFinding] {
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    return CorpusLint(engines: CorpusVectors.engines)
      .findings(in: others.filter { $0.path != file.path } + [file], expected: nil) {
        progress.show($0, fraction: $1)
      }
      .filter { $0.path == file.path }
  }
}
