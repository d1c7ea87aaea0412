import Corpus
import NamedCases
import TestCases
import TestSupport
import Testing

@Suite struct SpellingCoverageTests {
  private struct SpelledTest {
    let rows: [SpellingRow]
    let classes: Set<SpellingClass>

    init(_ test: TestCase) {
      rows = SpellingRow.rows(of: test)
      classes = SpellingClass.classes(of: test)
    }
  }

  private struct Cell: Hashable {
    let row: SpellingRow
    let column: SpellingClass
  }

  private static let tests = Result { try GeneratorTests.files().flatMap(\.file.cases).map(SpelledTest.init) }
  private static let missing = Result { try VectorGenerator().missingSpellings() }

  /// The rows of the tests, and the classes that they show of each. A member has a row of a rule only if a named case
  /// of that rule fails at it.
  private static func shown(
    by tests: [SpelledTest], _ missing: [SpellingRow: Set<SpellingClass>]
  ) -> (rows: Set<SpellingRow>, isShown: (Cell) -> Bool) {
    var rows: Set<SpellingRow> = []
    var cells: Set<Cell> = []
    for test in tests {
      for row in test.rows.map({ missing[$0] == nil ? $0.verdictRow : $0 }) {
        rows.insert(row)
        for column in test.classes { cells.insert(Cell(row: row.row(for: column.scope), column: column)) }
      }
    }
    return (rows, { cells.contains(Cell(row: $0.row.row(for: $0.column.scope), column: $0.column)) })
  }

  /// The cells that no test shows, although a named case could be written so.
  private static func holes(in tests: [SpelledTest], _ missing: [SpellingRow: Set<SpellingClass>]) -> Set<Cell> {
    let (rows, isShown) = shown(by: tests, missing)
    let cells = rows.flatMap { row in SpellingClass.allCases.map { Cell(row: row, column: $0) } }
    return Set(cells.filter { !isShown($0) && missing[$0.row]?.contains($0.column) != true })
  }

  @Test(.deep(.counts)) func `vectors show every spelling that a named case can have, and a planted hole is seen`()
    throws
  {
    let tests = try Self.tests.get()
    let missing = try Self.missing.get()
    let holes = Self.holes(in: tests, missing)
    #expect(holes.isEmpty, "\(holes.prefix(10))")
    let rows = Self.shown(by: tests, missing).rows
    #expect(rows.count > 100)
    // Without the vectors of one cell, the same search finds the hole.
    let row = try #require(rows.first { $0.clause == "4.1" && $0.place == "data" })
    for column in [SpellingClass.valueOnce, .text] {
      let place = row.row(for: column.scope)
      let fewer = tests.filter { test in
        !test.classes.contains(column) || !test.rows.contains { $0.row(for: column.scope) == place }
      }
      #expect(Self.holes(in: fewer, missing).contains(Cell(row: row, column: column)), "\(column)")
    }
  }

  @Test(.deep(.counts))
  func `a spelling around the members speaks for all places of a rule, one of a value does not`() throws {
    let tests = try Self.tests.get()
    let inText = tests.filter { $0.classes.contains(.text) }.map(\.rows)
    // A row for one member of a rule; a vector of another member of the same rule has the spelling too.
    let row = try #require(
      tests.lazy.flatMap(\.rows).first { row in
        row.clause.hasPrefix("4.") && row != row.verdictRow
          && inText.contains { rows in !rows.contains(row) && rows.contains { $0.verdictRow == row.verdictRow } }
      })
    func shows(_ column: SpellingClass, at test: SpelledTest, inRow: Bool) -> Bool {
      test.classes.contains(column) && test.rows.contains(row) == inRow
    }
    for column in [SpellingClass.valueOnce, .text] {
      // Only other places of the rule have vectors with this spelling.
      let elsewhere = tests.filter { !shows(column, at: $0, inRow: true) }
      #expect(elsewhere.contains { shows(column, at: $0, inRow: false) })
      let isShown = Self.shown(by: elsewhere, try Self.missing.get()).isShown
      #expect(isShown(Cell(row: row, column: column)) == (column == .text))
    }
  }

  @Test func `every class has vectors`() throws {
    let shown = try Self.tests.get().reduce(into: Set<SpellingClass>()) { $0.formUnion($1.classes) }
    #expect(shown == Set(SpellingClass.allCases))
  }
}
