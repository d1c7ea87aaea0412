import NamedCases
import Reports
import StrictJSON

extension SpellingMatrix {
  /// The matrix as text: a row for each clause, what the columns and the letters mean, and the holes that nothing
  /// explains.
  package var text: String {
    let clauses = Dictionary(grouping: rows, by: \.clause)
    let names = RuleClauses.all.filter { clauses[$0] != nil }
    let width = names.map(\.count).max() ?? 0
    var lines = [line("", width, SpellingClass.allCases.map(\.heading))]
    for name in names {
      let cells = SpellingClass.allCases.map { cell(clauses[name] ?? [], $0) }
      lines.append(line(name, width, cells))
    }
    lines.append("")
    lines += Text.table(
      header: ["column", "the spelling"], rows: SpellingClass.allCases.map { [$0.heading, $0.meaning] })
    lines.append("")
    lines += Text.table(
      header: ["letter", "why a clause has no such vector"],
      rows: Inapplicability.allCases.map { [String($0.letter), $0.explanation] }
        + [["-", "vectors of other rules of the stage have it, and the same code reads it"]])
    let cells = rows.count * SpellingClass.allCases.count
    lines += [
      "",
      "\(rows.count) places, \(cells) cells; \(holes.count) have no vector, \(unexplained.count) of them without a reason",
    ]
    lines += unexplained.map { "? \($0.row.clause) \($0.row.place): no \($0.column.meaning)" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func line(_ name: String, _ width: Int, _ cells: [String]) -> String {
    let cells = cells.map { String(repeating: " ", count: max(0, 4 - $0.count)) + $0 }
    return Text.unbroken(Text.padded(name, to: width) + cells.joined())
  }

  /// The sum of the counts of a clause's places. If it is 0: the letter of the first reason, or a hyphen if vectors of
  /// other rules of the stage fill the cells. A question mark if a hole has no reason.
  private func cell(_ rows: [SpellingRow], _ column: SpellingClass) -> String {
    let holes = rows.compactMap { hole($0, column) }
    guard holes.allSatisfy({ $0.reason != nil }) else { return "?" }
    let sum = rows.reduce(0) { $0 + count($1, column) }
    guard sum == 0 else { return sum > 999 ? "1k+" : String(sum) }
    return holes.first?.reason.map { String($0.letter) } ?? "-"
  }

  /// The matrix for programs: for each place a total, counts, and the reasons of its holes.
  package var document: JSON {
    let rows = rows.map { row -> JSON in
      let counts = SpellingClass.allCases.filter { count(row, $0) > 0 }
      let holes = SpellingClass.allCases.compactMap { hole(row, $0) }
      return [
        "clause": row.clause, "place": row.place, "vectors": total(row),
        "counts": JSON.object(counts.map { .init($0.rawValue, count(row, $0)) }),
        "holes": JSON.object(holes.map { .init($0.column.rawValue, $0.reason?.rawValue ?? "unexplained") }),
      ]
    }
    return ["rows": rows, "unexplained": unexplained.count]
  }
}
