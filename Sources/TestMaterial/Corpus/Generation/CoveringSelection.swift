import Minting
import NamedCases
import TestCases

/// Chooses the constructed cases of the committed corpus: few and small ones that together show every class of
/// spellings (a column) at every place of every rule (a row) where one can be.
///
/// A greedy search, cell by cell in the order of the rules. For a cell that is still empty, it takes the smallest
/// named case of the row to which a spelling of the column applies, and also applies as many other spellings as the row
/// still lacks.
struct CoveringSelection {
  /// The chosen cases in the order of the rules, each with the named case that it respells.
  private(set) var chosen: [(made: MintedCase, base: MintedCase)] = []
  /// The classes of which no case of a row has a spelling.
  private(set) var missing: [SpellingRow: Set<SpellingClass>] = [:]
  private var covered: [SpellingRow: Set<SpellingClass>] = [:]
  private let subjects: [SpellingSubject]

  /// The largest case that is respelled, in bytes. Larger cases test limits on sizes: they take much space, and other
  /// spellings would exceed the limit.
  private static let largestCase = 16_384
  /// The largest request in several spellings at once, in bytes.
  private static let largestRequest = 32_768

  /// - Parameter subjects: every named case, the oldest family first.
  /// - Throws: `MintingError` when minting fails.
  init(_ subjects: [SpellingSubject]) throws(MintingError) {
    self.subjects = subjects
    // Rows hold indices, since subjects are large. Costs are computed once, since sorting compares them often.
    let costs = subjects.map(Self.cost)
    var rows: [SpellingRow: [Int]] = [:]
    for (index, subject) in subjects.enumerated() where subject.made.test.context.isForOtherPrograms {
      for row in cover(subject.made.test) { rows[row, default: []].append(index) }
    }
    for row in rows.keys.sorted() {
      let cases = (rows[row] ?? []).filter { subjects[$0].made.test.size <= Self.largestCase }.sorted {
        (costs[$0], $0) < (costs[$1], $1)
      }
      missing[row] = []
      for column in SpellingChoices.order { try fill(row, column, cases) }
    }
  }

  /// The bytes of a case, more for one that needs a group of its own.
  private static func cost(of subject: SpellingSubject) -> Int {
    subject.made.test.size + (subject.made.isSingleToken ? 0 : 8_000)
  }

  /// Marks the cells that a vector fills. Returns its rows.
  @discardableResult
  private mutating func cover(_ test: TestCase) -> [SpellingRow] {
    var test = test
    test.clauses += RuleClauses.further(for: test)
    let rows = SpellingRow.rows(of: test)
    for column in SpellingClass.classes(of: test) {
      for row in rows { covered[row.row(for: column.scope), default: []].insert(column) }
    }
    return rows
  }

  private func isCovered(_ row: SpellingRow, _ column: SpellingClass) -> Bool {
    covered[row.row(for: column.scope)]?.contains(column) == true
  }

  /// Chooses a case for an empty cell.
  private mutating func fill(
    _ row: SpellingRow, _ column: SpellingClass, _ cases: [Int]
  ) throws(MintingError) {
    guard !isCovered(row, column) else { return }
    for subject in cases.lazy.map({ [subjects] in subjects[$0] }) {
      for spelling in SpellingChoices.spellings(of: column, turn: chosen.count) {
        if case .success(let made) = try subject.spelled(spelling),
          SpellingClass.classes(of: made.test).contains(column), made.test.request.count <= Self.largestRequest
        {
          let best = try combined(row, spelling, subject) ?? made
          chosen.append((best, subject.made))
          cover(best.test)
          missing[row]?.remove(column)
          return
        }
        missing[row]?.insert(column)
      }
    }
    missing[row]?.insert(column)
  }

  /// A case in a spelling, and in as many others as its row lacks.
  private func combined(
    _ row: SpellingRow, _ spelling: Spelling, _ subject: SpellingSubject
  ) throws(MintingError) -> MintedCase? {
    let lacking = SpellingClass.allCases.filter { !isCovered(row, $0) && missing[row]?.contains($0) != true }
    let choices = SpellingChoices.lists(
      beside: spelling, lacking, turn: chosen.count, isSmall: subject.made.isSingleToken)
    // In another envelope, the reader may not see this spelling.
    let bare = choices.map { $0.filter { $0.column.part != .envelope || $0.name == spelling.name } }
    for choices in [choices, bare] {
      if let made = try subject.combined(choices, largest: Self.largestRequest),
        SpellingClass.classes(of: made.test).contains(spelling.column)
      {
        return made
      }
    }
    return nil
  }
}

extension VectorGenerator {
  /// The classes of which no named case of a row has a spelling, for the test that vectors show all others.
  ///
  /// - Throws: `MintingError` when minting fails.
  package func missingSpellings() throws(MintingError) -> [SpellingRow: Set<SpellingClass>] {
    try CoveringSelection(try subjects()).missing
  }
}

/// The spellings that one request can have at once.
private enum SpellingChoices {
  /// Columns in one list exclude each other. The lists are in the order in which spellings must be applied: the CMS
  /// must be encoded before the string that contains it is respelled.
  private static let slots: [[SpellingClass]] = [
    [.payloadName], [.payloadValue], [.payloadOrder], [.payloadUnknown], [.payloadSpace],
    [.certificateOrder], [.shortest, .long, .indefinite],
    [.first, .middle, .last], [.unknownBefore], [.unknownAfter],
    [.nameOnce, .nameEscaped], [.valueOnce, .valueEscaped], [.solidus], [.whiteSpace],
    // Text first: it is the shortest, and the first entry gets most other spellings.
    [.text, .object, .base64, .parts, .automatic],
    [.afterAccepted], [.afterRefused],
  ]
  /// The order in which cells are filled: first those that restrict the choice of others.
  static let order: [SpellingClass] = {
    let first: [SpellingClass] = [.first, .middle, .last]
    return first + SpellingClass.allCases.filter { !first.contains($0) }
  }()

  /// The smallest request for each way to carry a token.
  private static let envelopes = ["in-mpgs", "in-applepayjs", "in-bambora", "in-worldline"]

  private static let byColumn: [SpellingClass: [Spelling]] = {
    var spellings = Dictionary(grouping: Spelling.all.filter { !$0.isCompound }, by: \.column)
    for column in [SpellingClass.object, .text, .base64, .parts] {
      guard let all = spellings[column] else { continue }
      spellings[column] =
        all.filter { envelopes.contains($0.name) } + all.filter { !envelopes.contains($0.name) }
    }
    return spellings
  }()

  /// The spellings of a column. Except for envelopes they are equivalent, so `turn` selects the first one.
  static func spellings(of column: SpellingClass, turn: Int) -> [Spelling] {
    let all = byColumn[column] ?? []
    guard column.part != .envelope, !all.isEmpty else { return all }
    let start = turn % all.count
    return Array(all[start...] + all[..<start])
  }

  /// The spellings of a case, for `SpellingSubject.combined`: this one, and spellings of missing columns that do not
  /// change it.
  ///
  /// - Parameter isSmall: whether the case is a single token. Half of these cases are put into an envelope even if no
  ///   spelling of an envelope is missing.
  static func lists(
    beside spelling: Spelling, _ lacking: [SpellingClass], turn: Int, isSmall: Bool
  ) -> [[Spelling]] {
    var lacking = lacking
    var position: SpellingClass?
    return slots.map { slot in
      if slot.contains(spelling.column) {
        if slot.contains(.first) { position = spelling.column }
        return [automatic(spelling, lacking), spelling]
      }
      // An unknown member would take the first or last place from the member that the rule is about.
      if slot == [.unknownBefore], position == .first || spelling.column == .first { return [] }
      if slot == [.unknownAfter], position == .last || spelling.column == .last { return [] }
      var wanted = slot.filter { lacking.contains($0) }
      if slot.contains(.first) {
        if spelling.column == .unknownBefore { wanted.removeAll { $0 == .first } }
        if spelling.column == .unknownAfter { wanted.removeAll { $0 == .last } }
        position = wanted.first
      }
      if slot.contains(.automatic), wanted.count > 1 { wanted.removeAll { $0 == .automatic } }
      if slot.contains(.automatic), wanted.isEmpty, isSmall {
        return [["in-bambora"], ["in-worldline"], [], []][turn % 4].compactMap { Spelling.named($0) }
      }
      lacking.removeAll { slot.contains($0) && $0 != .automatic }
      return wanted.flatMap { spellings(of: $0, turn: turn) }.flatMap { [automatic($0, lacking), $0] }
    }
  }

  /// The spelling with the envelope chosen by shape, if that column is missing too; otherwise the spelling itself.
  private static func automatic(_ spelling: Spelling, _ lacking: [SpellingClass]) -> Spelling {
    guard lacking.contains(.automatic) else { return spelling }
    return Spelling.named("\(spelling.name)-chosen-by-shape") ?? spelling
  }
}

extension TestCase {
  /// The bytes of the request and of those before it.
  var size: Int { request.count + context.prelude.reduce(0) { $0 + $1.count } }
}
