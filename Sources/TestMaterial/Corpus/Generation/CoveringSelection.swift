import Minting
import NamedCases
import TestCases

/// Chooses the constructed cases of the committed corpus: for each rule, place and class of spellings that no vector
/// shows yet, the smallest case that does.
struct CoveringSelection {
  /// The chosen cases, each after the named case whose spelling it is.
  private(set) var chosen: [(part: SpellingClass.Part?, made: MintedCase, base: MintedCase)] = []
  /// Why no case of a row has a spelling of a class: the reasons of all its cases.
  private(set) var reasons: [SpellingRow: [SpellingClass: Set<Inapplicability>]] = [:]
  private var covered: [SpellingRow: Set<SpellingClass>] = [:]
  private var coveredVerdicts: [SpellingRow: Set<SpellingClass>] = [:]
  private let simple = Spelling.all.filter { !$0.isCompound }

  /// - Parameter subjects: every named case, in order.
  /// - Throws: `MintingError` when minting fails.
  init(_ subjects: [SpellingSubject]) throws(MintingError) {
    var rows: [SpellingRow: [SpellingSubject]] = [:]
    for subject in subjects {
      var test = subject.made.test
      guard test.context.isExpressible else { continue }
      test.clauses += RuleClauses.further(for: test)
      let classes = SpellingClass.classes(of: test)
      for row in SpellingRow.rows(of: test) {
        rows[row, default: []].append(subject)
        cover(row, classes)
      }
    }
    for row in rows.keys.sorted() {
      let cases = (rows[row] ?? []).enumerated().sorted { first, second in
        (first.element.made.test.size, first.offset) < (second.element.made.test.size, second.offset)
      }
      reasons[row] = [:]
      for names in Self.combinations { try combine(row, names, cases.map(\.element)) }
      for column in SpellingClass.allCases { try choose(row, column, cases.map(\.element)) }
    }
  }

  /// Spellings that one request can have at once. What is left of a row is chosen one by one.
  private static let combinations: [[String]] = [
    [
      "long-form-wrappers", "names-escaped-at-their-start", "value-escaped-in-its-middle", "member-last",
      "after-unknown-members", "with-white-space-everywhere", "in-applepayjs",
    ],
    [
      "indefinite-wrappers", "names-escaped", "value-with-solidus-escaped", "member-first", "before-unknown-members",
      "in-mpgs", "after-an-accepted-token",
    ],
    [
      "definite-wrappers", "certificates-in-the-other-order", "member-in-the-middle", "in-bambora-chosen-by-shape",
      "after-a-refused-token",
    ],
    ["value-escaped-at-its-end", "in-worldline"],
  ]

  private mutating func cover(_ row: SpellingRow, _ classes: Set<SpellingClass>) {
    covered[row, default: []].formUnion(classes)
    coveredVerdicts[row.verdictRow, default: []].formUnion(classes)
  }

  private func isCovered(_ row: SpellingRow, _ column: SpellingClass) -> Bool {
    (column.isPerPlace ? covered[row] : coveredVerdicts[row.verdictRow])?.contains(column) == true
  }

  private mutating func combine(
    _ row: SpellingRow, _ names: [String], _ cases: [SpellingSubject]
  ) throws(MintingError) {
    let wanted = names.compactMap { Spelling.named($0) }.filter { !isCovered(row, $0.column) }
    guard wanted.count > 1 else { return }
    for subject in cases.prefix(3) {
      guard let made = try subject.combined(wanted), made.test.context.isExpressible else { continue }
      let classes = SpellingClass.classes(of: made.test).filter { !isCovered(row, $0) }
      guard classes.count > 1 else { continue }
      chosen.append((nil, made, subject.made))
      return cover(row, classes)
    }
  }

  private mutating func choose(
    _ row: SpellingRow, _ column: SpellingClass, _ cases: [SpellingSubject]
  ) throws(MintingError) {
    guard !isCovered(row, column) else { return }
    for subject in cases {
      for spelling in simple where spelling.column == column {
        switch try subject.spelled(spelling) {
        case .success(let made):
          guard made.test.context.isExpressible else { continue }
          chosen.append((column.part, made, subject.made))
          // A cell that a case fills has no reason to be empty.
          reasons[row]?[column] = nil
          return cover(row, [column])
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
