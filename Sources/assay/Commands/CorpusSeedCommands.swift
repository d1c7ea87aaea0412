import Corpus
import Gateways
import HostIO
import PaymentToken
import Reports
import StrictJSON

struct CorpusAddCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "add"], summary: "add raw inputs to the seeds", operands: "FILE…", operandLimit: 10_000,
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

  private let folder: CorpusFolder
  private let paths: [String]
  private let envelope: String?
  private let isRegression: Bool
  private let comment: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
    paths = arguments.operands
    guard !paths.isEmpty else { throw UsageError("corpus add needs a file.") }
    envelope = arguments.value("--envelope")
    isRegression = arguments.has("--regression")
    comment = arguments.value("--comment")
    guard isRegression || comment == nil else { throw UsageError("--comment goes with --regression.") }
    guard !isRegression || envelope == nil else { throw UsageError("--envelope does not go with --regression.") }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    if isRegression { return try addRegressions(output) }
    var inputs: [SeedIntake.Input] = []
    for path in paths { inputs.append((path, nil, try FileReader.corpusFile(path))) }
    return try SeedIntake(folder: folder, envelope: envelope).add(inputs, as: "add", output)
  }
  private func addRegressions(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var worst = ExitCode.success
    for path in paths {
      var vectors = try CorpusVectors.read(try FileReader.corpusFile(path), named: path)
      for group in vectors.groups.indices {
        for test in vectors.groups[group].cases.indices {
          if let comment { vectors.groups[group].cases[test].comment = comment }
        }
      }
      let bytes = vectors.cases.flatMap(\.request)
      let name = SeedPath(of: bytes, envelope: "found", version: "").path.split(separator: "/").last ?? "found.json"
      if try !add(vectors, as: "regressions/found-\(name)", output) { worst = .finding }
    }
    return worst
  }

  /// Adds a file of vectors if both engines agree with every test and lint finds nothing in it; false otherwise.
  private func add(_ vectors: VectorFile, as target: String, _ output: OutputOptions) throws(CommandError) -> Bool {
    let file = CorpusFile(path: target, bytes: VectorWriter.write(vectors))
    let others = FileWriter.exists(folder.path) ? try folder.files([.vectors, .regressions]) : []
    let progress = ProgressLine(enabled: !output.quiet)
    defer { progress.finish() }
    let findings = CorpusLint(engines: CorpusVectors.engines)
      .findings(in: others.filter { $0.path != target } + [file], expected: nil) { progress.show($0, fraction: $1) }
      .filter { $0.path == target }
    progress.finish()
    if findings.isEmpty { _ = try folder.write(file.bytes, to: target) }
    let count = vectors.cases.count
    try output.answer(
      [
        "schema": "assay.corpus-add/1", "imported": findings.isEmpty, "vectors": count,
        "findings": findings.map { JSON(["test": $0.test, "reason": $0.reason]) },
      ],
      findings.isEmpty
        ? "\(folder.path)/\(target): \(Text.counted(count, "vector"))\n"
        : FindingList.text(findings) + "nothing imported\n")
    return findings.isEmpty
  }
}

struct CorpusMergeCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "merge"], summary: "add the seeds of other corpora", operands: "DIR…", operandLimit: 1_000,
    options: [CorpusFolder.option, .json, .quiet],
    remarks: [
      "Existing seeds stay as they are. Seeds with a certificate under Apple's own root are refused and named, and the",
      "exit code is 1.",
    ])

  private let folder: CorpusFolder
  private let others: [String]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
    others = arguments.operands
    guard !others.isEmpty else { throw UsageError("corpus merge needs a folder.") }
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var inputs: [SeedIntake.Input] = []
    for other in others {
      try CorpusFolder(path: other).requireSeeds()
      inputs += try CorpusFolder(path: other).files([.seeds]).map { ("\(other)/\($0.path)", $0.path, $0.bytes) }
    }
    return try SeedIntake(folder: folder, envelope: nil).add(inputs, as: "merge", output)
  }
}
