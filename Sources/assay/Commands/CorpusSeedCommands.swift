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
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    var added = try AddedRegressions(to: folder, checkedBy: CorpusLint(engines: EngineName.all))
    for path in paths { try added.add(path, comment: comment) { progress.show($0, fraction: $1) } }
    progress.finish()
    // If one file has a finding, none is written.
    let findings = added.findings
    if findings.isEmpty { try added.write() }
    let text = added.files.map { "\(folder.path)/\($0.file.path): \(Text.counted($0.vectors, "vector"))\n" }.joined()
    try output.answer(
      [
        "schema": "assay.corpus-add/1", "imported": findings.isEmpty,
        "vectors": added.files.reduce(0) { $0 + $1.vectors },
        "findings": findings.map { JSON(["file": $0.path, "test": $0.finding.test, "reason": $0.finding.reason]) },
      ], findings.isEmpty ? text : findings.map(\.finding).text + "nothing imported\n")
    return findings.isEmpty ? .success : .finding
  }
}
