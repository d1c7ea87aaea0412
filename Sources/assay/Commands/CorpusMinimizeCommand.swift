import Corpus
import Fuzzing
import HostIO
import Reports
import StrictJSON
import TestCases

struct CorpusMinimizeCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "minimize"], summary: "keep the smallest set of samples with the same coverage", operands: "DIR…",
    operandLimit: 64,
    options: [
      .choice("--target", FuzzTarget.allCases.map(\.rawValue), "fuzz target of the inputs (default: token)"),
      .value("--into", "DIR", "folder for the kept inputs; existing files stay").required,
      .flag("--seeds", "also add the kept inputs to the seeds of the corpus"), CorpusFolder.option, .json, .quiet,
    ],
    remarks: [
      "DIR are folders of inputs, such as a run's corpus/ or Corpus/seeds. Builds the target's program from Fuzz/ and runs",
      "it with -merge=1, which keeps an input if it covers code that no smaller one covers. Needs the sources.",
    ])

  private let paths: [String]
  private let target: FuzzTarget
  private let into: String
  private let addsSeeds: Bool
  private let corpus: CorpusFolder

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments.operands
    guard !paths.isEmpty else { throw UsageError("corpus minimize needs a folder of inputs.") }
    into = arguments.required("--into")
    target = arguments.value("--target").flatMap(FuzzTarget.init(rawValue:)) ?? .token
    addsSeeds = arguments.has("--seeds")
    guard !addsSeeds || target.runsInLoop else { throw UsageError("seeds of the corpus are whole requests.") }
    corpus = CorpusFolder(arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    var before = 0
    for path in paths {
      let count = try FolderWalk.files(below: path).count
      guard count > 0 else { throw CommandError(.noAnswer, "\(Text.harmless(path)) has no inputs.") }
      before += count
    }
    let build = LibFuzzerBuild(target: target)
    try build.build(quiet: output.quiet)
    try FileWriter.makeFolder(into, visibility: .everyone)
    try build.merge(paths, into: into)
    let kept = try FolderWalk.files(below: into)
    let added = addsSeeds ? try addSeeds(kept) : 0
    try output.answer(
      ["schema": "assay.corpus-minimize/1", "inputs": before, "kept": kept.count, "seeds_added": added],
      "\(kept.count) of \(before) inputs kept in \(Text.harmless(into))\n"
        + (addsSeeds ? "\(added) added to the seeds\n" : ""))
    return .success
  }

  /// Adds the inputs without a context of their own: seeds contain only requests.
  private func addSeeds(_ files: [String]) throws(CommandError) -> Int {
    var added = 0
    for file in files {
      let bytes = try FileReader.corpusFile(file)
      guard !CorpusLint.isGenuine(bytes), TestInput.isBareRequest(bytes),
        try corpus.write(bytes, to: SeedPath(of: bytes).path)
      else { continue }
      added += 1
    }
    return added
  }
}
