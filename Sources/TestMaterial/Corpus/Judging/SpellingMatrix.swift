import Minting
import NamedCases
import TestCases

/// How many vectors there are for each rule, place and class of spellings, and why there are none.
package struct SpellingMatrix: Sendable {
  /// A cell without a vector.
  package struct Hole: Hashable, Sendable {
    package let row: SpellingRow
    package let column: SpellingClass
    /// Why no case of the row has such a spelling, the most telling reason of all; nil for a hole that nothing explains.
    package let reason: Inapplicability?
  }

  /// Why no named case of a row has a spelling of a class: the reasons of all its cases.
  package typealias Reasons = [SpellingRow: [SpellingClass: Set<Inapplicability>]]

  /// The rows that vectors have, in the order of the rules.
  package let rows: [SpellingRow]
  private let counts: [SpellingRow: [SpellingClass: Int]]
  private let totals: [SpellingRow: Int]
  private let reasons: Reasons

  /// Counts tests by the rules they name, their verdicts and the spellings that their bytes show. A member at which no
  /// named case of a rule fails has no row of its own.
  ///
  /// - Parameter reasons: those of the generator, `VectorGenerator.inapplicabilities`.
  package init(_ tests: [TestCase], reasons: Reasons) {
    var counts: [SpellingRow: [SpellingClass: Int]] = [:]
    var totals: [SpellingRow: Int] = [:]
    for test in tests {
      let classes = SpellingClass.classes(of: test)
      for row in SpellingRow.rows(of: test).map({ reasons[$0] == nil ? $0.verdictRow : $0 }) {
        totals[row, default: 0] += 1
        for column in classes { counts[row, default: [:]][column, default: 0] += 1 }
      }
    }
    self.counts = counts
    self.totals = totals
    self.reasons = reasons
    rows = totals.keys.sorted()
  }

  /// The tests of a row.
  package func total(_ row: SpellingRow) -> Int { totals[row, default: 0] }

  /// The tests of a row whose bytes show a spelling of a class.
  package func count(_ row: SpellingRow, _ column: SpellingClass) -> Int { counts[row]?[column] ?? 0 }

  /// The cell, where no test is in it.
  package func hole(_ row: SpellingRow, _ column: SpellingClass) -> Hole? {
    guard count(row, column) == 0, column.isPerPlace || !hasVerdict(row, column) else { return nil }
    let all = reasons[row]?[column] ?? []
    return Hole(row: row, column: column, reason: Inapplicability.allCases.first { all.contains($0) })
  }

  /// Whether a test of the rule with the same verdict, whatever member it names, shows a spelling of a class.
  private func hasVerdict(_ row: SpellingRow, _ column: SpellingClass) -> Bool {
    rows.contains { $0.verdictRow == row.verdictRow && count($0, column) > 0 }
  }

  /// The cells without a test.
  package var holes: [Hole] { rows.flatMap { row in SpellingClass.allCases.compactMap { hole(row, $0) } } }

  /// The cells without a test that nothing explains: the generator can fill them.
  package var unexplained: [Hole] { holes.filter { $0.reason == nil } }
}

extension VectorGenerator {
  /// Why no named case of a row has a spelling of a class, for the cells that no case fills.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func inapplicabilities() throws(MintingError) -> SpellingMatrix.Reasons {
    var subjects: [SpellingSubject] = []
    for recipe in CaseRecipe.all { subjects.append(try SpellingSubject(recipe, by: minter)) }
    return try CoveringSelection(subjects).reasons
  }
}
