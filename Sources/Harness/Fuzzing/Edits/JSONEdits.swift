import TestCases

/// Edits of JSON trees: members removed, duplicated, renamed, retyped or moved.
enum JSONEdits {
  /// Makes one edit anywhere in the tree: of a value or its name, of its spelling or place, or at a limit. New names
  /// come from `names`.
  static func change(_ tree: inout JSONPiece, names: [String], using random: inout QuickGenerator) {
    switch random.below(8) {
    case 0: return LimitEdits.change(&tree, names: names, using: &random)
    case 1, 2: if Respelling.change(&tree, since: nil, using: &random) { return }
    default: break
    }
    // Prefer the root and its neighbours: engines read few values further down.
    let position = random.chance(3) ? 0 : random.below(min(tree.nodeCount, random.chance(4) ? tree.nodeCount : 12))
    tree.edit(at: position) { piece in
      switch piece {
      case .object(var members):
        changeMembers(&members, names: names, using: &random)
        piece = .object(members)
      case .array(var elements):
        elements.edit(with: someValue(using: &random), using: &random)
        piece = .array(elements)
      case .scalar(let text): piece = changedScalar(text, using: &random)
      }
    }
  }

  private static func changeMembers(
    _ members: inout [JSONPiece.Member], names: [String], using random: inout QuickGenerator
  ) {
    let index = members.isEmpty ? 0 : random.below(members.count)
    switch random.below(members.isEmpty ? 1 : 8) {
    case 0, 1, 2, 3:
      members.edit(with: .init(random.pick(names), someValue(using: &random)), using: &random)
    case 4: members[index].name = JSONPiece.quoted(Array(random.pick(names).utf8))
    case 5: members[index].name = changedName(members[index].name, using: &random)
    case 6: members[index].value = someValue(using: &random)
    default: members[index].value = retyped(members[index].value, using: &random)
    }
  }

  /// Edits a string or another scalar, or replaces it.
  static func changedScalar(_ text: [UInt8], using random: inout QuickGenerator) -> JSONPiece {
    guard text.count >= 2, text.first == UInt8(ascii: "\"") else {
      return random.chance(3) ? someValue(using: &random) : .scalar(changedNumber(text, using: &random))
    }
    switch random.below(8) {
    case 0: return .scalar(JSONTextEdits.escaped(text, oneIn: random.pick([1, 2, 20]), using: &random))
    case 1, 2, 3:
      var changed = text
      changed.insert(contentsOf: random.pick(JSONTextEdits.insideStrings), at: 1 + random.below(text.count - 1))
      return .scalar(changed)
    case 4: return .scalar([UInt8(ascii: "\""), UInt8(ascii: "\"")])
    case 5: return someValue(using: &random)
    default:
      return .scalar(
        text.prefix(1) + ByteEdits.changed(Array(text[1..<text.count - 1]), using: &random) + text.suffix(1))
    }
  }

  private static let numberEnds = [
    ".0", ".00", ".5", ".", ".999999999999", ".50000000000000000000", ".000000000000000000000",
    ".50000000000000000000000e2", "e0", "e1", "E+2", "e-1", "e12", "e13", "e99", "e-99",
    "e00000000000000000000000000000002", "E-00", "e18446744073709551617", "e-18446744073709551617",
  ]

  static func changedNumber(_ text: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    switch random.below(7) {
    case 0: Array("-".utf8) + text
    case 1: text + Array(random.pick(numberEnds).utf8)
    case 2: Array(random.pick(["0", "00"]).utf8) + text
    case 3: text + Array("0".utf8)
    case 4: [UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")]
    case 5: Array(random.pick(["999999999999", "1000000000000", "9223372036854775808", "18446744073709551616"]).utf8)
    default: ByteEdits.changed(text, using: &random)
    }
  }

  private static func changedName(_ name: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    guard name.count > 2 else { return JSONPiece.quoted([0x61]) }
    let inside = Array(name[1..<name.count - 1])
    let changed: [UInt8] =
      switch random.below(6) {
      case 0: Array(inside.dropLast())
      case 1: inside + [random.pick([0x20, 0x00, 0x61])]
      case 2: [inside[0] ^ 0x20] + inside.dropFirst()
      case 3: ByteEdits.nearly(inside, using: &random)
      case 4: inside + Array("\\u0000".utf8)
      default: inside + Array("\u{301}".utf8)
      }
    return [UInt8(ascii: "\"")] + changed + [UInt8(ascii: "\"")]
  }

  static func someValue(using random: inout QuickGenerator) -> JSONPiece {
    guard random.chance(8) else { return .scalar(random.pick(JSONTextEdits.values)) }
    // Also about as deep as the limit, counted from here or from the root.
    let depth = random.chance(4) ? random.pick([2, 5]) : RuleLimits.nesting + 1 - random.below(5)
    return JSONTextEdits.nested(depth, using: &random)
  }

  private static func retyped(_ value: JSONPiece, using random: inout QuickGenerator) -> JSONPiece {
    switch random.below(5) {
    case 0: .array([value])
    case 1: .object([.init("value", value)])
    case 2: .scalar(JSONPiece.quoted(value.text))
    case 3: .scalar(Array("null".utf8))
    default: .scalar(random.pick(["0", "true", "{}", "[]", "\"\""].map { Array($0.utf8) }))
    }
  }

  /// Inserts white space, or bytes that resemble it, next to a structural character or at the end.
  static func spaced(_ text: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    let structural = Set(Array("{}[]:,".utf8))
    var places = text.indices.filter { structural.contains(text[$0]) }
    places.append(text.count)
    guard let place = random.pick(from: places) else { return text }
    var changed = text
    let count = random.pick([1, 1, 1, 2, 40])
    let space = random.pick(JSONTextEdits.spaces)
    for _ in 0..<count { changed.insert(contentsOf: space, at: min(place + random.below(2), changed.count)) }
    return changed
  }
}
