import Corpus
import NamedCases
import TestCases
import TestSupport
import Testing

@Suite struct SpellingMatrixTests {
  private static let tests = Result { try GeneratorTests.files().flatMap(\.file.cases).map(SpelledTest.init) }
  private static let reasons = Result { try VectorGenerator().inapplicabilities() }

  @Test(.deep(.counts)) func `the corpus has no hole that nothing explains, and a planted one is seen`() throws {
    let tests = try Self.tests.get()
    let reasons = try Self.reasons.get()
    let matrix = SpellingMatrix(tests, reasons: reasons)
    #expect(matrix.unexplained.isEmpty, "\(matrix.unexplained.prefix(10).map { "\($0.row) \($0.column)" })")
    #expect(matrix.holes.count > 100 && matrix.rows.count > 100)
    // Without the vectors of one cell, the same search finds the hole.
    let row = try #require(matrix.rows.first { $0.clause == "4.1" && $0.place == "data" })
    for column in [SpellingClass.valueOnce, .text] {
      let place = row.row(for: column.scope)
      let fewer = tests.filter { test in
        !test.classes.contains(column) || !test.rows.contains { $0.row(for: column.scope) == place }
      }
      let planted = SpellingMatrix(fewer, reasons: reasons).unexplained
      #expect(planted.contains { $0.row == row && $0.column == column }, "\(column)")
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
      let matrix = SpellingMatrix(elsewhere, reasons: try Self.reasons.get())
      #expect(matrix.count(row, column) == 0)
      #expect((matrix.hole(row, column) == nil) == (column == .text))
    }
  }

  @Test func `every class has vectors, and every reason a letter of its own`() throws {
    let matrix = SpellingMatrix(try Self.tests.get(), reasons: [:])
    for column in SpellingClass.allCases {
      #expect(matrix.rows.contains { matrix.count($0, column) > 0 }, "\(column)")
      #expect(column.heading.count <= 4)
    }
    #expect(Set(Inapplicability.allCases.map(\.letter)).count == Inapplicability.allCases.count)
    #expect(Set(SpellingClass.allCases.map(\.heading)).count == SpellingClass.allCases.count)
  }
}
