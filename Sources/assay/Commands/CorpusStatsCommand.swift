import Corpus
import HostIO
import PaymentToken
import Reports
import StrictJSON

enum CorpusStatsCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "stats"], summary: "count vectors by code, flag, clause and spelling",
    options: [CorpusFolder.option, .json],
    remarks: [
      "The matrix counts, for each clause and class of spellings, the vectors whose bytes show such a spelling; a letter in",
      "place of a count says why the named cases of the clause have none. --json has a row for each place of a clause.",
      "The table of register boundaries counts the offsets at which the generator puts each construct, of those around the",
      "ends of registers of 16, 32 and 64 bytes (Corpus/README.md).",
      "Clauses are the rules of Docs/Verification.md. keyUnavailable, replayStoreFull and replayStoreUnavailable are not",
      "verdicts about a token: no vector requires them.",
    ], isInternal: true)

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let folder = CorpusFolder(arguments)
    let vectors = try CorpusVectors.read(folder)
    let statistics = CorpusStatistics(files: vectors.map(\.file), seeds: try folder.files([.seeds]).count)
    let (reasons, placements) = try CommandError.of {
      let generator = try VectorGenerator()
      return (try generator.inapplicabilities(), try generator.registerPlacements())
    }
    let matrix = SpellingMatrix(vectors.flatMap(\.file.cases).map(SpelledTest.init), reasons: reasons)
    let registers = RegisterMatrix(placements)
    let counts = counts(statistics, vectors)
    try output.answer(
      document(statistics, counts).with(["spellings": matrix.document, "registerBoundaries": registers.document]),
      [text(statistics, counts, files: vectors.count), matrix.text, registers.text].joined(separator: "\n"))
    return .success
  }

  /// For file, code, flag and clause: the word in singular and plural, and the numbers of vectors as rows.
  private typealias Counts = [(one: String, all: String, rows: [(String, Int)])]

  private static func counts(_ statistics: CorpusStatistics, _ vectors: [(path: String, file: VectorFile)]) -> Counts {
    let others = statistics.clauses.keys.filter { !RuleClauses.all.contains($0) }.sorted()
    return [
      ("file", "files", vectors.map { ($0.path, $0.file.cases.count) }),
      ("code", "codes", TokenFault.Code.allCases.map { ($0.rawValue, statistics.codes[$0, default: 0]) }),
      ("flag", "flags", statistics.flags.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
      ("clause", "clauses", (RuleClauses.all + others).map { ($0, statistics.clauses[$0, default: 0]) }),
    ]
  }

  private static func text(_ statistics: CorpusStatistics, _ counts: Counts, files: Int) -> String {
    var lines = Text.pairs([
      (name: "vectors", value: "\(statistics.vectors) in \(files) files and \(statistics.groups) groups"),
      (name: "must be accepted", value: String(statistics.accepted)),
      (name: "seeds", value: String(statistics.seeds)),
      (name: "clauses covered", value: covered(statistics)),
    ])
    for count in counts {
      lines += [""] + Text.table(header: [count.one, "vectors"], rows: count.rows.map { [$0.0, String($0.1)] })
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func document(_ statistics: CorpusStatistics, _ counts: Counts) -> JSON {
    let first: JSON = [
      "schema": "assay.corpus-stats/1", "vectors": statistics.vectors, "groups": statistics.groups,
      "accepted": statistics.accepted, "seeds": statistics.seeds, "uncoveredClauses": statistics.uncoveredClauses,
    ]
    return first.with(.object(counts.map { .init($0.all, .object($0.rows.map { .init($0.0, $0.1) })) }))
  }

  private static func covered(_ statistics: CorpusStatistics) -> String {
    let missing = statistics.uncoveredClauses
    let count = RuleClauses.all.count
    guard !missing.isEmpty else { return "all \(count)" }
    return "\(count - missing.count) of \(count), not \(missing.joined(separator: " "))"
  }
}
