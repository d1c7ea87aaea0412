import TestCases

extension Mutation {
  static let jsonMembers = Mutation(
    "json-members", .members, \.token,
    hunts:
      "members removed, repeated with escapes, renamed, reordered, moved between token and header; limits on their number"
  ) { token, _, random in
    if random.chance(8), case .object(var members) = token, let header = token["header"],
      case .object(var inner) = header, !inner.isEmpty, !members.isEmpty
    {
      // Copy a member from one object into the other.
      if random.chance(2) { members.append(random.pick(inner)) } else { inner.append(random.pick(members)) }
      token = .object(members)
      token["header"] = .object(inner)
    } else {
      for _ in 0..<random.pick([1, 1, 2]) { JSONEdits.change(&token, names: TokenNames.all, using: &random) }
    }
    return true
  }

  static let jsonValues = Mutation(
    "json-values", .members, \.token,
    hunts: "members of the wrong type, null, the keys of both versions together, the order of these checks"
  ) { token, draft, random in
    for _ in 0..<random.pick([1, 1, 2]) {
      let path = draft.aim(at: TokenNames.paths, \.self, using: &random)
      switch random.below(5) {
      case 0: token[path[...]] = nil
      case 1:
        // The other version's key in addition to the right one.
        token[["header", draft.version.otherKeyName][...]] =
          random.chance(2) ? token[["header", draft.keyName][...]] : .scalar(random.pick(JSONTextEdits.values))
      case 2: token[path[...]] = JSONEdits.someValue(using: &random)
      case 3:
        token[path[...]] = .scalar(Array(random.pick(["null", "0", "true", "{}", "[]", "\"\"", "\"AAAA\""]).utf8))
      default:
        if case .scalar(let text)? = token[path[...]] {
          token[path[...]] = JSONEdits.changedScalar(text, using: &random)
        }
      }
    }
    return true
  }

  static let jsonEscapes = Mutation(
    "json-escapes", .members, \.token,
    hunts: "escapes in names and values: valid ones that must not matter, broken ones, surrogates"
  ) { token, _, random in
    let rate = random.pick([1, 3, 20])
    let breaks = random.chance(3)
    token.edit(at: random.below(token.nodeCount)) { piece in
      piece = piece.respelling(names: { JSONTextEdits.escaped($0, oneIn: rate, using: &random) })
        .respelling(strings: { JSONTextEdits.escaped($0, oneIn: rate, using: &random) })
      guard breaks, case .scalar(var text) = piece, text.count > 2 else { return }
      text.insert(contentsOf: random.pick(JSONTextEdits.insideStrings), at: 1 + random.below(text.count - 1))
      piece = .scalar(text)
    }
    return true
  }

  static let alikeNames = Mutation(
    "alike-names", .members, \.token,
    hunts:
      "names that differ only in escapes or in one character: multi-byte characters, surrogate pairs, text after an escape"
  ) { token, _, random in
    guard case .object(var members) = token else { return false }
    let name = AlikeNames.name(using: &random)
    let other = random.chance(2) ? name : AlikeNames.nearly(name, using: &random)
    let value = JSONPiece.scalar([0x30])
    let pair = [name, other].map { JSONPiece.Member(name: AlikeNames.written($0, using: &random), value) }
    // Equal names collide in one object, but not in two.
    if random.chance(4), case .object(var inner)? = token["header"] {
      members.append(pair[0])
      inner.append(pair[1])
      token = .object(members)
      token["header"] = .object(inner)
    } else {
      for member in pair { members.insert(member, at: random.below(members.count + 1)) }
      token = .object(members)
    }
    return true
  }

  static let base64Text = Mutation(
    "base64", .members, \.token,
    hunts:
      "lenient base64: padding, trailing bits, alphabets, white space, the block kernel and the scalar remainder"
  ) { token, draft, random in
    let members = Boundary.token.filter { $0.isBase64 && $0.path.last != draft.version.otherKeyName }
    let boundary = draft.aim(at: members, \.path, using: &random)
    guard var text = token.content(at: boundary.path) else { return false }
    switch random.below(8) {
    case 0:
      text = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
    case 1: text = text.filter { $0 != UInt8(ascii: "=") }
    case 2: text.insert(UInt8(ascii: "="), at: random.below(text.count + 1))
    case 3, 4:
      // One character at any offset of a vector of 16, 32 or 64 bytes.
      let place =
        random.chance(2) ? random.below(text.count + 1) : min(text.count, random.below(4) * 64 + random.below(64))
      let character = random.pick(Self.strange)
      if random.chance(3) || place >= text.count {
        text.insert(contentsOf: character, at: place)
      } else {
        text.replaceSubrange(place..<min(text.count, place + character.count), with: character)
      }
    default: text = boundary.content(near: text, using: &random)
    }
    token[boundary.path[...]] = .scalar([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
    return true
  }

  private static let strange: [[UInt8]] =
    [" ", "\\n", "\\u0041", "\\/", "-", "_", "=", ".", "*", "@", "[", "`", "{", ":", ",", "é", "\\u0000", "~"].map {
      Array($0.utf8)
    } + [[0x7F], [0xC3, 0x81], [0xC2, 0x80], [0xC3, 0xBF]]

  static let hexText = Mutation(
    "hex", .members, \.token,
    hunts:
      "lenient hexadecimal: odd lengths, other characters, prefixes; both cases must be accepted"
  ) { token, draft, random in
    let members = Boundary.token.filter { if case .hexadecimal = $0.form { true } else { false } }
    let boundary = draft.aim(at: members, \.path, using: &random)
    var text = token.content(at: boundary.path) ?? Array(String(repeating: "0f", count: 32).utf8)
    switch random.below(8) {
    case 0: text = text.map { (0x61...0x66).contains($0) && random.chance(2) ? $0 - 0x20 : $0 }
    case 1: text = Array("0x".utf8) + text
    case 2: text = Array(text.reversed())
    case 3: text = ByteEdits.offByOne(text, using: &random)
    case 4: text = ByteEdits.changed(text, using: &random)
    default: text = boundary.content(near: text, using: &random)
    }
    token[boundary.path[...]] = .scalar([UInt8(ascii: "\"")] + text + [UInt8(ascii: "\"")])
    return true
  }

  static let version = Mutation(
    "version", .members, \.token,
    hunts: "versions compared in part or ignoring case, and tokens of one version processed as the other"
  ) { token, draft, random in
    let texts = [
      "EC_v1", "RSA_v1", "EC_v2", "EC_v", "EC_v11", "ec_v1", "EC_V1", "", "EC_v1 ", "\\u0045C_v1", "EC_v1\\u0000",
      "RSA_v", "RSA_v10", "rsa_v1", "RSA_v\\u0031", "X", "EC_v0",
    ]
    token["version"] = .scalar(Array("\"\(random.pick(texts))\"".utf8))
    if random.chance(3), let key = token[["header", draft.keyName][...]] {
      token[["header", draft.keyName][...]] = nil
      token[["header", draft.version.otherKeyName][...]] = key
    }
    return true
  }
}

/// The member names of tokens (Docs/Verification.md stage 3).
enum TokenNames {
  static let all = Set(paths.joined()).sorted() + ["unknown", "", "😀", "é\u{10FFFF}"]

  /// Their paths.
  static let paths = Boundary.token.map(\.path) + [["header"]]
}

private enum AlikeNames {
  /// The first and last characters of each UTF-8 length, and plain ones.
  private static let scalars: [Unicode.Scalar] = [
    "a", "z", "/", "\u{7F}", "\u{80}", "\u{E9}", "\u{7FF}", "\u{800}", "\u{20AC}", "\u{D7FF}", "\u{E000}", "\u{FFFD}",
    "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{2F600}", "\u{10FFFF}",
  ]

  static func name(using random: inout QuickGenerator) -> [Unicode.Scalar] {
    let plain = [Unicode.Scalar](repeating: "n", count: random.pick([0, 0, 1, 7, 15, 16, 31, 64]))
    return plain + (0..<1 + random.below(4)).map { _ in random.pick(scalars) } + (random.chance(2) ? ["x", "y"] : [])
  }

  /// Returns the name with one character changed; a supplementary character loses its plane.
  static func nearly(_ name: [Unicode.Scalar], using random: inout QuickGenerator) -> [Unicode.Scalar] {
    var changed = name
    let index = random.below(name.count)
    let value = name[index].value
    changed[index] = Unicode.Scalar(value >= 0x10000 ? value & 0xFFFF : value ^ 1) ?? "b"
    return changed
  }

  /// The name as a string with none, some or all of its characters escaped.
  static func written(_ name: [Unicode.Scalar], using random: inout QuickGenerator) -> [UInt8] {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: name)
    let quoted = JSONPiece.quoted(Array(String(text).utf8))
    return random.chance(3) ? quoted : JSONTextEdits.escaped(quoted, oneIn: random.pick([1, 2, 3]), using: &random)
  }
}
