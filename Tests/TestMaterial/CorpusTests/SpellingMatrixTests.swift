import Corpus
import NamedCases
import TestCases
import Testing

@Suite struct SpellingMatrixTests {
  /// The tests of the corpus and of the covering selection.
  private static let tests = Result {
    try GeneratorTests.files().flatMap(\.file.cases)
      + VectorGenerator().covering().flatMap { try VectorReader.read($0.bytes).cases }
  }
  private static let reasons = Result { try VectorGenerator().inapplicabilities() }

  @Test func `corpus and covering selection have no hole that nothing explains, and a planted one is seen`() throws {
    let tests = try Self.tests.get()
    let reasons = try Self.reasons.get()
    let matrix = SpellingMatrix(tests, reasons: reasons)
    #expect(matrix.unexplained.isEmpty, "\(matrix.unexplained.prefix(10).map { "\($0.row) \($0.column)" })")
    #expect(matrix.holes.count > 100 && matrix.rows.count > 100)
    // Without the vectors of one cell, the same search finds the hole.
    let row = try #require(matrix.rows.first { $0.clause == "4.1" && $0.place == "data" })
    let fewer = tests.filter { test in
      !SpellingRow.rows(of: test).contains(row) || !SpellingClass.classes(of: test).contains(.text)
    }
    let planted = SpellingMatrix(fewer, reasons: reasons).unexplained
    #expect(planted.contains { $0.row == row && $0.column == .text })
  }

  @Test func `every class has vectors, and every reason a letter of its own`() throws {
    let matrix = SpellingMatrix(try Self.tests.get(), reasons: try Self.reasons.get())
    for column in SpellingClass.allCases {
      #expect(matrix.rows.contains { matrix.count($0, column) > 0 }, "\(column)")
      #expect(column.heading.count <= 4)
    }
    #expect(Set(Inapplicability.allCases.map(\.letter)).count == Inapplicability.allCases.count)
    #expect(Set(SpellingClass.allCases.map(\.heading)).count == SpellingClass.allCases.count)
  }
}
