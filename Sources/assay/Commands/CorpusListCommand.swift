import Corpus
import HostIO
import PaymentToken
import Reports
import StrictJSON
import TestCases

enum CorpusListCommand: Command {
  static let definition = CommandDefinition(
    path: ["corpus", "list"], summary: "list the vectors and their expected results",
    options: [
      CorpusFolder.option,
      .value("--flag", "NAME", "only vectors with this flag"),
      .value("--clause", "NUMBER", "only vectors of this rule in Docs/Verification.md"),
      .value("--code", "CODE", "only vectors that expect this code, or accept"),
      .json,
    ])

  private struct Row {
    let path: String
    let test: TestCase

    var number: Int { Int(test.id) ?? 0 }

    var result: String { test.expected?.fault?.code.rawValue ?? "accept" }
  }

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let (flag, clause, code) = (arguments.value("--flag"), arguments.value("--clause"), arguments.value("--code"))
    let all = try CorpusFolder(arguments).vectors().flatMap { path, file in
      file.cases.map { Row(path: path, test: $0) }.sorted { $0.number < $1.number }
    }
    // Another folder may have flags of its own.
    try check(flag, "flag", among: Set(VectorFlag.all.map(\.name) + all.flatMap(\.test.flags)).sorted())
    try check(clause, "rule", among: RuleClauses.all, orKnown: RuleClauses.isKnown)
    try check(code, "code", among: TokenFault.Code.allCases.map(\.rawValue) + ["accept"])
    let rows = all.filter { row in
      (flag.map { row.test.flags.contains($0) } ?? true) && (clause.map { row.test.clauses.contains($0) } ?? true)
        && (code.map { $0 == row.result } ?? true)
    }
    // The words are known, but no vector has all of them.
    guard !rows.isEmpty else { throw CommandError(.noAnswer, "no vector is of this kind.") }
    try output.answer(document(rows), text(rows))
    return .success
  }

  /// Refuses a word that no vector can have: an empty list would look like an answer.
  private static func check(
    _ word: String?, _ kind: String, among known: [String], orKnown isKnown: (String) -> Bool = { _ in false }
  ) throws(CommandError) {
    guard let word, !known.contains(word), !isKnown(word) else { return }
    let meant = Suggestion.nearest(to: word, among: known).map { "; did you mean \($0)?" }
    let ending = meant ?? ": it is one of \(known.joined(separator: ", "))."
    throw CommandError(.usage, "there is no \(kind) \(Text.harmless(word))\(ending)")
  }

  private static func text(_ rows: [Row]) -> String {
    let cells = rows.map {
      ["\($0.path) \($0.test.id)", $0.result, "\($0.test.clauses.joined(separator: ","))  \($0.test.comment)"]
    }
    return Text.columns(cells).map { Text.harmless($0) + "\n" }.joined()
  }

  private static func document(_ rows: [Row]) -> JSON {
    [
      "schema": "assay.corpus-list/1",
      "vectors": rows.map { row in
        JSON([
          "file": row.path, "id": row.number, "name": row.test.name.isEmpty ? nil : row.test.name,
          "result": row.result, "flags": row.test.flags, "clauses": row.test.clauses, "comment": row.test.comment,
        ])
      },
    ]
  }
}
