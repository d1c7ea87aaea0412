import Gateways
import Minting
import PaymentToken
import TestCases

/// A rule, and the place where it decides: what spellings are counted for.
package struct SpellingRow: Hashable, Comparable, Sendable {
  /// The rule.
  package let clause: String
  /// The path of the member that the fault names, `refused` where it names none, or `accepted`.
  package let place: String

  package static let accepted = "accepted"
  package static let refused = "refused"

  /// The row of a rule for an expected verdict.
  package init(_ clause: String, _ verdict: TestVerdict?) {
    self.clause = clause
    place = verdict?.fault.map { $0.member?.path ?? Self.refused } ?? Self.accepted
  }

  /// The rows of a test: one for each of its rules.
  package static func rows(of test: TestCase) -> [SpellingRow] {
    test.clauses.map { SpellingRow($0, test.expected) }
  }

  /// The row without the member: its rule, and whether it accepts.
  package var verdictRow: SpellingRow {
    SpellingRow(clause: clause, place: place == Self.accepted ? place : Self.refused)
  }

  /// The row whose vectors fill a cell of this row: itself, its rule with its verdict, or its stage.
  package func row(for scope: SpellingClass.Scope) -> SpellingRow {
    switch scope {
    case .place: self
    case .member: SpellingRow(clause: String(stage), place: place)
    case .rule: verdictRow
    case .stage: SpellingRow(clause: String(stage), place: verdictRow.place)
    }
  }

  private init(clause: String, place: String) {
    self.clause = clause
    self.place = place
  }

  /// The stage of the rule.
  package var stage: Int { Int(clause.prefix { $0 != "." }) ?? 0 }

  /// The number of the rule within its stage; zero for a whole stage.
  private var number: Int { clause.firstIndex(of: ".").flatMap { Int(clause[clause.index(after: $0)...]) } ?? 0 }

  package static func < (first: SpellingRow, second: SpellingRow) -> Bool {
    (first.stage, first.number, first.place) < (second.stage, second.number, second.place)
  }
}

extension SpellingClass {
  /// Whether a reader without keys sees it in the request.
  fileprivate var isInBytes: Bool { self != .certificateOrder && part != .state && part != .payload }

  /// The classes of spellings that a test's bytes show. Those that no reader sees in the bytes are taken from the name
  /// of the test: the payload's spelling, the verdict on an earlier token, and which certificate was the first.
  package static func classes(of test: TestCase) -> Set<SpellingClass> {
    var classes: Set<SpellingClass> = []
    for spelling in Spelling.all(in: test.name) where !spelling.column.isInBytes { classes.insert(spelling.column) }
    if case .automatic = test.context.policy.envelope { classes.insert(.automatic) }
    guard let carried = CarriedToken(test.input) else { return classes }
    if let route = carried.route { classes.insert(route.column) }
    if carried.hasSpace { classes.insert(.whiteSpace) }
    classes.formUnion(carried.nameClasses)
    classes.formUnion(carried.unknownClasses)
    classes.formUnion(carried.wrapperClasses)
    for clause in test.clauses {
      guard let member = SpellingSubject.member(of: clause, test.expected?.fault, carried.version) else { continue }
      classes.formUnion(carried.valueClasses(of: member))
    }
    return classes
  }
}

extension Spelling {
  /// The spelling of that name.
  package static func named(_ name: String) -> Spelling? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}

extension CarriedToken {
  private static let known = Set(TokenMember.allCases.compactMap { $0.names.last })

  fileprivate var version: TokenVersion {
    token?["header"]?[TokenVersion.rsaV1.keyName] == nil ? .ecV1 : .rsaV1
  }

  /// Whether a string has an escape, and whether it has nothing else.
  private static func escapes(in text: [UInt8]) -> (some: Bool, all: Bool) {
    guard text.contains(UInt8(ascii: "\\")) else { return (false, false) }
    let content = String(decoding: JSONPiece.content(of: text) ?? [], as: UTF8.self)
    return (true, text.count == 2 + 6 * content.utf16.count)
  }

  fileprivate var nameClasses: Set<SpellingClass> {
    func names(_ piece: JSONPiece?, _ wanted: Set<String>) -> [[UInt8]] {
      guard case .object(let members)? = piece else { return [] }
      return members.map(\.name).filter { name in
        JSONPiece.content(of: name).map { wanted.contains(String(decoding: $0, as: UTF8.self)) } ?? false
      }
    }
    // The names of the token, and those on the way to it.
    let own = names(token, Self.known) + names(token?["header"], Self.known)
    var around: [[UInt8]] = []
    if let route {
      for depth in route.path.indices { around += names(request[route.path[..<depth]], [route.path[depth]]) }
      if case .parts(let parts) = route.wrapping { around += names(token, Set(parts.map(\.name))) }
    }
    var classes: Set<SpellingClass> = []
    for names in [own, around] {
      let escapes = names.map { Self.escapes(in: $0) }
      guard escapes.contains(where: \.some) else { continue }
      classes.insert(escapes.allSatisfy(\.all) ? .nameEscaped : .nameOnce)
    }
    return classes
  }

  fileprivate var unknownClasses: Set<SpellingClass> {
    guard case .object(let members)? = token else { return [] }
    var known = Self.known
    if case .parts(let parts)? = route?.wrapping { known.formUnion(parts.map(\.name)) }
    func isUnknown(_ member: JSONPiece.Member?) -> Bool {
      guard let member, let name = JSONPiece.content(of: member.name) else { return false }
      return !known.contains(String(decoding: name, as: UTF8.self))
    }
    return Set((isUnknown(members.first) ? [.unknownBefore] : []) + (isUnknown(members.last) ? [.unknownAfter] : []))
  }

  fileprivate var wrapperClasses: Set<SpellingClass> {
    guard let path = path(of: .signature), let text = token?.content(at: path),
      let tree = LenientBase64.decodeCanonical(text).flatMap({ ASN1Node(ber: $0) })
    else { return [] }
    var classes: Set<SpellingClass> = []
    for path in WrapperLengths.paths(in: tree) {
      switch tree.node(at: path)?.length {
      case .indefinite?: classes.insert(.indefinite)
      case .long?: classes.insert(.long)
      default: break
      }
    }
    return classes.isEmpty ? [.shortest] : classes
  }

  fileprivate func valueClasses(of member: TokenMember) -> Set<SpellingClass> {
    guard let path = path(of: member), let own = path.last else { return [] }
    var classes: Set<SpellingClass> = []
    if case .scalar(let text)? = token?[path[...]] {
      let escapes = Self.escapes(in: text)
      if escapes.some { classes.insert(escapes.all ? .valueEscaped : .valueOnce) }
      if String(decoding: text, as: UTF8.self).contains("\\/") { classes.insert(.solidus) }
    }
    guard case .object(let members)? = token?[path.dropLast()], members.count > 1,
      let index = members.firstIndex(where: { JSONPiece.has($0.name, own) })
    else { return classes }
    classes.insert(index == 0 ? .first : index == members.count - 1 ? .last : .middle)
    return classes
  }
}
