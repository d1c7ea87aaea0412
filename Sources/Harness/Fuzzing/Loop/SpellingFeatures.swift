import Differential
import Gateways
import Minting
import PaymentToken
import TestCases

/// Features that say which rule decided, in which spelling, and on which side of its limits the value was. So a rule
/// that fails only for escaped text, or only in the last member, yields a feature of its own.
extension Features {
  mutating func addSpellings(_ draft: Draft, _ verdict: Verdict) {
    let location = Self.location(draft)
    switch verdict {
    case .failure(let fault):
      if let path = fault.member?.path.split(separator: ".").map({ String($0) }), let token = draft.token {
        let index = Boundary.token.firstIndex { $0.path == path } ?? Boundary.token.count
        addSpelling(60, index, of: path, in: token, location)
      }
    case .success:
      guard let token = draft.token else { break }
      for (index, boundary) in Boundary.token.enumerated() {
        addSpelling(60, index, of: boundary.path, in: token, location)
      }
    }
    if let token = draft.token { addDepth(61, token) }
    if let tree = draft.requestTree, location > 0 { addDepth(62, tree) }
  }

  /// Features of the payload's members.
  mutating func addPayloadSpellings(_ tree: JSONPiece) {
    for (index, boundary) in Boundary.payload.enumerated() {
      addSpelling(63, index, of: boundary.path, in: tree, 0)
    }
    addDepth(64, tree)
  }

  /// How a member is spelled, where it is, and which side of its limits its content is on.
  private mutating func addSpelling(
    _ kind: UInt64, _ index: Int, of path: [String], in tree: JSONPiece, _ location: Int
  ) {
    guard case .object(let members)? = tree[path.dropLast()], let name = path.last,
      let place = members.firstIndex(where: { JSONPiece.has($0.name, name) })
    else { return add(kind << 8, index) }
    let position = place == 0 ? 0 : place == members.count - 1 ? 2 : 1
    let member = members[place]
    var spelling = 3
    if case .scalar(let text) = member.value, text.first == UInt8(ascii: "\"") {
      spelling = Int(StringSpelling.kind(of: text))
    }
    add(kind << 8 | 1, index << 8 | spelling << 4 | location)
    add(kind << 8 | 2, index << 8 | Int(StringSpelling.kind(of: member.name)) << 4 | position << 2 | spelling)
    guard let boundary = (kind == 63 ? Boundary.payload : Boundary.token).dropFirst(index).first,
      let side = boundary.side(of: member.value)
    else { return }
    add(kind << 8 | 3, index << 24 | side << 2 | spelling)
  }

  /// The number of levels near the limit, and in which member they are.
  private mutating func addDepth(_ kind: UInt64, _ tree: JSONPiece) {
    guard case .object(let members) = tree else { return }
    for member in members.prefix(16) {
      let depth = member.value.depth + 1
      guard depth >= RuleLimits.nesting - 2 else { continue }
      add(kind << 8, min(depth, RuleLimits.nesting + 2))
      add(kind << 8 | 1, bytes: member.name.prefix(40) + [UInt8(min(depth, RuleLimits.nesting + 2))])
    }
  }

  /// How the request carries the token: 0 if the request is the token, 1 as an object, 2 as a string, 3 as base64, 4 in
  /// parts, 5 if unknown.
  private static func location(_ draft: Draft) -> Int {
    switch draft.location {
    case nil: return 5
    case .bare?: return 0
    case .route(let route)?:
      switch route.wrapping {
      case .object: return 1
      case .text: return 2
      case .base64: return 3
      case .parts: return 4
      }
    }
  }
}

extension Boundary {
  /// A class of the value by the limits of its rule: on which side of them its length is, and which character is
  /// outside the alphabet. Nil if the rule requires a string and the value is none, and for a form without limits.
  func side(of value: JSONPiece) -> Int? {
    guard case .scalar(let text) = value else { return nil }
    if case .amount = form { return text.count > 30 ? 31 : text.count }
    guard let content = JSONPiece.content(of: text) else { return nil }
    switch form {
    case .digits(let counts): return Self.side(content.count, counts) | Self.strange(content, .decimal) << 3
    case .date: return Self.side(content.count, 6...6) | Self.strange(content, .decimal) << 3
    case .hexadecimal(let counts):
      let isOdd = content.count % 2
      return Self.side(content.count / 2, counts) | Self.strange(content, .hexadecimal) << 3 | isOdd << 12
    case .base64(let counts):
      let padding = content.suffix(4).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
      return Self.side(content.count / 4 * 3 - padding, counts) | Self.strange(content, .base64) << 3 | padding << 12
    case .words(let words):
      let isKnown = words.contains { $0.utf8.elementsEqual(content) }
      return isKnown ? 0 : words.contains { content.starts(with: $0.utf8) } ? 1 : 2
    case .text: return content.isEmpty ? 0 : content.contains { $0 < 0x20 } ? 1 : 2
    case .amount, .value: return nil
    }
  }

  /// 0 far below, 1 one below, 2 the lower limit, 3 inside, 4 the upper limit, 5 one above, 6 far above.
  private static func side(_ count: Int, _ counts: ClosedRange<Int>) -> Int {
    switch count {
    case counts.lowerBound: 2
    case counts.upperBound: 4
    case counts.lowerBound - 1: 1
    case counts.upperBound + 1: 5
    case ..<counts.lowerBound: 0
    default: counts.contains(count) ? 3 : 6
    }
  }

  /// The first character outside the alphabet: 0 none, 1 if it is no neighbour, else its index in `neighbours` plus 2.
  private static func strange(_ content: [UInt8], _ alphabet: Alphabet) -> Int {
    guard let first = content.first(where: { !alphabet.contains($0) }) else { return 0 }
    return alphabet.neighbours.firstIndex(of: first).map { $0 + 2 } ?? 1
  }
}

/// The class of an ECDSA value's numbers.
extension SignatureValues {
  /// Combines the classes of r and s; 0 if the value is no pair of numbers.
  static func side(of value: [UInt8]) -> Int {
    guard let node = ASN1Node(ber: value), node.children.count == 2 else { return 0 }
    return side(node[0].contents) << 4 | side(node[1].contents)
  }

  private static func side(_ contents: [UInt8]) -> Int {
    guard let first = contents.first else { return 1 }
    if first >= 0x80 { return 2 }
    let number = Array(contents.drop { $0 == 0 })
    let isPadded = contents.count > number.count && number.first.map { $0 < 0x80 } ?? (contents.count > 1)
    if isPadded { return 3 }
    if number.isEmpty { return 4 }
    if number == [1] { return 5 }
    if number.count > order.count { return 6 }
    if number == order { return 7 }
    guard number.count == order.count else { return 8 }
    return order.lexicographicallyPrecedes(number) ? 9 : 10
  }
}
