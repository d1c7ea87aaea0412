import Minting
import NamedCases
import TestCases

/// Chooses the constructed cases of the committed corpus: for each rule, place and class of spellings that no vector
/// shows yet, the smallest case that does.
struct CoveringSelection {
  /// The chosen cases, each after the named case whose spelling it is.
  private(set) var chosen: [(spelling: Spelling, made: MintedCase, base: MintedCase)] = []
  /// Why no case of a row has a spelling of a class: the reasons of all its cases.
  private(set) var reasons: [SpellingRow: [SpellingClass: Set<Inapplicability>]] = [:]
  private var covered: [SpellingRow: Set<SpellingClass>] = [:]
  private let simple = Spelling.all.filter { !$0.isCompound }

  /// - Parameter subjects: every named case, in order.
  /// - Throws: `MintingError` when minting fails.
  init(_ subjects: [SpellingSubject]) throws(MintingError) {
    var rows: [SpellingRow: [SpellingSubject]] = [:]
    for subject in subjects {
      let test = subject.made.test
      let row = SpellingRow(subject.recipe.clause, test.expected)
      guard test.context.isExpressible else { continue }
      rows[row, default: []].append(subject)
      for row in SpellingRow.rows(of: test) { covered[row, default: []].formUnion(SpellingClass.classes(of: test)) }
    }
    for row in rows.keys.sorted() {
      let cases = (rows[row] ?? []).enumerated().sorted { first, second in
        (first.element.made.test.size, first.offset) < (second.element.made.test.size, second.offset)
      }
      for column in SpellingClass.allCases { try choose(row, column, cases.map(\.element)) }
    }
  }

  private mutating func choose(
    _ row: SpellingRow, _ column: SpellingClass, _ cases: [SpellingSubject]
  ) throws(MintingError) {
    guard covered[row]?.contains(column) != true else { return }
    for subject in cases {
      for spelling in simple where spelling.column == column {
        switch try subject.spelled(spelling) {
        case .success(let made):
          guard made.test.context.isExpressible else { continue }
          chosen.append((spelling, made, subject.made))
          covered[row, default: []].insert(column)
          return
        case .failure(let reason): reasons[row, default: [:]][column, default: []].insert(reason)
        }
      }
    }
  }
}

extension TestCase {
  /// The bytes of the request and of those before it.
  var size: Int { request.count + context.prelude.reduce(0) { $0 + $1.count } }
}
