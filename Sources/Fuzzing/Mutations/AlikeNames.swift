extension Mutation {
  static let alikeNames = Mutation(
    "alike-names", .members,
    hunts:
      "names that differ in writing alone, or in one character: characters of two to four octets, pairs of surrogates, what stands behind an escape"
  ) { draft, random in
    guard var token = draft.token, case .object(var members) = token else { return false }
    let name = AlikeNames.name(using: &random)
    let other = random.chance(2) ? name : AlikeNames.nearly(name, using: &random)
    let value = JSONPiece.scalar([0x30])
    let pair = [name, other].map { JSONPiece.Member(name: AlikeNames.written($0, using: &random), value) }
    // In one object they collide where they are the same; in two they never do.
    if random.chance(4), case .object(var inner)? = token["header"] {
      members.append(pair[0])
      inner.append(pair[1])
      token = .object(members)
      token["header"] = .object(inner)
    } else {
      for member in pair { members.insert(member, at: random.below(members.count + 1)) }
      token = .object(members)
    }
    draft.token = token
    draft.touch(.members)
    draft.touch(.tokenText)
    return true
  }
}

private enum AlikeNames {
  /// Characters at the ends of each length in UTF-8, and plain ones.
  private static let scalars: [Unicode.Scalar] = [
    "a", "z", "/", "\u{7F}", "\u{80}", "\u{E9}", "\u{7FF}", "\u{800}", "\u{20AC}", "\u{D7FF}", "\u{E000}", "\u{FFFD}",
    "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{2F600}", "\u{10FFFF}",
  ]

  static func name(using random: inout QuickGenerator) -> [Unicode.Scalar] {
    let plain = [Unicode.Scalar](repeating: "n", count: random.pick([0, 0, 1, 7, 15, 16, 31, 64]))
    return plain + (0..<1 + random.below(4)).map { _ in random.pick(scalars) } + (random.chance(2) ? ["x", "y"] : [])
  }

  /// One character other: of another plane where it is beyond the first.
  static func nearly(_ name: [Unicode.Scalar], using random: inout QuickGenerator) -> [Unicode.Scalar] {
    var changed = name
    let index = random.below(name.count)
    let value = name[index].value
    changed[index] = Unicode.Scalar(value >= 0x10000 ? value & 0xFFFF : value ^ 1) ?? "b"
    return changed
  }

  /// As a string, with none, some or all of its characters escaped.
  static func written(_ name: [Unicode.Scalar], using random: inout QuickGenerator) -> [UInt8] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: name)
    let quoted = JSONPiece.quoted(Array(String(text).utf8))
    return random.chance(3) ? quoted : JSONTextEdits.escaped(quoted, oneIn: random.pick([1, 2, 3]), using: &random)
  }
}
