import Corpus
import Gateways
import HostIO
import PaymentToken

/// `assay corpus add`: takes raw inputs into the seeds.
struct CorpusAddCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "add"], summary: "add raw inputs to the seeds", operands: "FILE…", operandLimit: 10_000,
    options: [
      CorpusFolder.option,
      .flag("--regression", "take files of vectors instead: what an engine here once got wrong"),
      .value("--comment", "TEXT", "what broke, for regressions (default: the vector's own words)"),
      .choice("--envelope", Envelope.all.map(\.name), "what they come in (default: told by their shape)"),
      .json, .quiet,
    ],
    remarks: [
      "Each is filed by envelope, version and content. One that is there already stays as it is. Whatever holds a",
      "certificate under Apple's own root is refused with exit 1: genuine tokens are nobody's to publish.",
      "A regression is a vector.json of a finding of assay fuzz. It is taken, under a name of its contents, once both",
      "engines agree with it: when what it found is mended.",
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
      let code = try VectorIntake(
        folder: folder, target: "regressions/found-\(name)", command: "add", output: output
      ).add(vectors)
      if code != .success { worst = code }
    }
    return worst
  }
}
