import Corpus
import HostIO
import PaymentToken
import Reports
import StrictJSON

struct CorpusStatsCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "stats"], summary: "count vectors by code, flag, clause and spelling",
    options: [CorpusFolder.option, .json],
    remarks: [
      "The matrix counts, for each clause and class of spellings, the vectors whose bytes show such a spelling; a letter in",
      "place of a count says why the named cases of the clause have none. --json has a row for each place of a clause.",
      "The table of register boundaries counts the offsets at which the generator puts each construct, of those around the",
      "ends of registers of 16, 32 and 64 bytes (Corpus/README.md).",
      "Clauses are the rules of Docs/Verification.md. keyUnavailable and replayStoreUnavailable are not verdicts about a",
      "token, and replayStoreFull depends on the contents of the store: no vector requires them.",
    ], isInternal: true)

  private let folder: CorpusFolder

  init(_ arguments: ParsedArguments) throws(UsageError) {
    folder = CorpusFolder(arguments)
  }

  func run(_ output: OutputOptions) throws(CommandError) -> ExitCode {
    let vectors = try CorpusVectors.read(folder)
    let statistics = CorpusStatistics(files: vectors.map(\.file), seeds: try folder.files([.seeds]).count)
    let (reasons, placements) = try CommandError.of {
      let generator = try VectorGenerator()
      return (try generator.inapplicabilities(), try generator.registerPlacements())
    }
    let matrix = SpellingMatrix(vectors.flatMap(\.file.cases).map(SpelledTest.init), reasons: reasons)
    let registers = RegisterMatrix(placements)
    try output.answer(
      document(statistics, vectors).with(["spellings": matrix.document, "registerBoundaries": registers.document]),
      [text(statistics, vectors), matrix.text, registers.text].joined(separator: "\n"))
    return .success
  }

  private func text(_ statistics: CorpusStatistics, _ vectors: [(path: String, file: VectorFile)]) -> String {
    var lines = Text.pairs([
      (name: "vectors", value: "\(statistics.vectors) in \(vectors.count) files and \(statistics.groups) groups"),
      (name: "must be accepted", value: String(statistics.accepted)),
      (name: "seeds", value: String(statistics.seeds)),
      (name: "clauses covered", value: covered(statistics)),
    ])
    lines += [""] + Text.table(header: ["file", "vectors"], rows: vectors.map { [$0.path, String(count($0.file))] })
    lines += [""] + Text.table(header: ["code", "vectors"], rows: codes(statistics).map { [$0.0, String($0.1)] })
    lines += [""] + Text.table(header: ["flag", "vectors"], rows: flags(statistics).map { [$0.0, String($0.1)] })
    lines += [""] + Text.table(header: ["clause", "vectors"], rows: clauses(statistics).map { [$0.0, String($0.1)] })
    return lines.joined(separator: "\n") + "\n"
  }

  private func document(_ statistics: CorpusStatistics, _ vectors: [(path: String, file: VectorFile)]) -> JSON {
    func counts(_ rows: [(String, Int)]) -> JSON { .object(rows.map { .init($0.0, $0.1) }) }
    return [
      "schema": "assay.corpus-stats/1", "vectors": statistics.vectors, "groups": statistics.groups,
      "accepted": statistics.accepted, "seeds": statistics.seeds, "uncoveredClauses": statistics.uncoveredClauses,
      "files": counts(vectors.map { ($0.path, count($0.file)) }), "codes": counts(codes(statistics)),
      "flags": counts(flags(statistics)), "clauses": counts(clauses(statistics)),
    ]
  }

  private func covered(_ statistics: CorpusStatistics) -> String {
    let missing = statistics.uncoveredClauses
    let count = RuleClauses.all.count
    guard !missing.isEmpty else { return "all \(count)" }
    return "\(count - missing.count) of \(count), not \(missing.joined(separator: " "))"
  }

  private func count(_ file: VectorFile) -> Int { file.cases.count }

  private func codes(_ statistics: CorpusStatistics) -> [(String, Int)] {
    TokenFault.Code.allCases.map { ($0.rawValue, statistics.codes[$0, default: 0]) }
  }

  private func flags(_ statistics: CorpusStatistics) -> [(String, Int)] {
    statistics.flags.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func clauses(_ statistics: CorpusStatistics) -> [(String, Int)] {
    let others = statistics.clauses.keys.filter { !RuleClauses.all.contains($0) }.sorted()
    return (RuleClauses.all + others).map { ($0, statistics.clauses[$0, default: 0]) }
  }
}
