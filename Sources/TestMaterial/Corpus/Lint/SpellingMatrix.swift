import Minting
import NamedCases
import TestCases

/// Counts the vectors for each rule, place and class of spellings, and gives the reason for each empty cell.
///
/// A row is a rule and a place: acceptance, or a fault of one member. A cell counts the vectors of its row whose bytes
/// show a spelling of its column. An empty cell is covered if another vector stands for it, of the same rule or of
/// another rule of the stage (`SpellingClass.scope`). Otherwise it is a hole: either there is a reason why no named
/// case can fill it, or the corpus is incomplete.
package struct SpellingMatrix: Sendable {
  /// A cell without a vector.
  package struct Hole: Hashable, Sendable {
    package let row: SpellingRow
    package let column: SpellingClass
    /// Why no case of the row has such a spelling: the most specific reason; nil for an unexplained hole.
    package let reason: Inapplicability?
  }

  /// Why no named case of a row has a spelling of a class: the reasons of all its cases.
  package typealias Reasons = [SpellingRow: [SpellingClass: Set<Inapplicability>]]

  /// The rows that vectors have, in the order of the rules.
  package let rows: [SpellingRow]
  private let counts: [SpellingRow: [SpellingClass: Int]]
  private let totals: [SpellingRow: Int]
  /// The columns that have a vector, by the row that fills the cell.
  private let filled: [SpellingRow: Set<SpellingClass>]
  private let reasons: Reasons

  /// Counts tests by the rules they name, their verdicts and the spellings that their bytes show. A member has a row of
  /// a rule only if a named case of that rule fails at it.
  ///
  /// - Parameter reasons: those of the generator, `VectorGenerator.inapplicabilities`.
  package init(_ tests: [SpelledTest], reasons: Reasons) {
    var counts: [SpellingRow: [SpellingClass: Int]] = [:]
    var totals: [SpellingRow: Int] = [:]
    var filled: [SpellingRow: Set<SpellingClass>] = [:]
    for test in tests {
      for row in test.rows.map({ reasons[$0] == nil ? $0.verdictRow : $0 }) {
        totals[row, default: 0] += 1
        for column in test.classes {
          counts[row, default: [:]][column, default: 0] += 1
          filled[row.row(for: column.scope), default: []].insert(column)
        }
      }
    }
    self.counts = counts
    self.totals = totals
    self.filled = filled
    self.reasons = reasons
    rows = totals.keys.sorted()
  }

  /// The tests of a row.
  package func total(_ row: SpellingRow) -> Int { totals[row, default: 0] }

  /// The tests of a row whose bytes show a spelling of a class.
  package func count(_ row: SpellingRow, _ column: SpellingClass) -> Int { counts[row]?[column] ?? 0 }

  /// The cell as a hole; nil if a test fills it.
  package func hole(_ row: SpellingRow, _ column: SpellingClass) -> Hole? {
    guard filled[row.row(for: column.scope)]?.contains(column) != true else { return nil }
    let all = reasons[row]?[column] ?? []
    return Hole(row: row, column: column, reason: Inapplicability.allCases.first { all.contains($0) })
  }

  /// The cells without a test.
  package var holes: [Hole] { rows.flatMap { row in SpellingClass.allCases.compactMap { hole(row, $0) } } }

  /// The empty cells without a reason: the generator can fill them.
  package var unexplained: [Hole] { holes.filter { $0.reason == nil } }
}

/// The rows of a test, and the classes of spellings that its bytes show.
package struct SpelledTest: Sendable {
  package let rows: [SpellingRow]
  package let classes: Set<SpellingClass>

  package init(_ test: TestCase) {
    rows = SpellingRow.rows(of: test)
    classes = SpellingClass.classes(of: test)
  }
}

extension VectorGenerator {
  /// Why no named case of a row has a spelling of a class, for the cells that no case fills.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func inapplicabilities() throws(MintingError) -> SpellingMatrix.Reasons {
    try CoveringSelection(try subjects()).reasons
  }
}
