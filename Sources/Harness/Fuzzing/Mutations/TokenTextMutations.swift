import Gateways
import NamedCases
import PaymentToken
import TestCases

extension Mutation {
  static let tokenBytes = Mutation(
    "token-bytes", .tokenText, hunts: "disagreements of JSON readers: syntax, names, trailing bytes"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    draft.tokenText = Frame.changed(draft.tokenText, using: &random)
    if random.chance(8) {
      draft.tokenText += random.pick([[0], [0x20], [0x7D], [0x7B, 0x7D], [0x2C], [0xEF, 0xBB, 0xBF]])
    }
    draft.token = nil
    return true
  }

  static let tokenSpace = Mutation(
    "token-space", .tokenText,
    hunts: "white space where it is allowed, bytes that resemble it, bytes before and after the token"
  ) { draft, random in
    guard !draft.tokenText.isEmpty else { return false }
    draft.tokenText =
      random.chance(4)
      ? random.pick(JSONTextEdits.spaces) + draft.tokenText : JSONEdits.spaced(draft.tokenText, using: &random)
    return true
  }

  static let tokenUTF8 = Mutation(
    "token-utf8", .tokenText,
    hunts:
      "invalid UTF-8, raw control characters and broken escapes in unknown members, at every offset of a vector"
  ) { draft, random in
    guard let brace = draft.tokenText.firstIndex(of: UInt8(ascii: "{")) else { return false }
    // Plain characters around the edge case move it to any offset of a block.
    let before = [UInt8](
      repeating: 0x78, count: random.pick([0, 1, 3, 7, 15, 16, 31, 32, 47, 63, 64, random.below(130)]))
    let after = [UInt8](repeating: 0x79, count: random.pick([0, 1, 2, 15, 16, 64]))
    let inside = before + random.pick(JSONTextEdits.insideStrings) + after
    let quote = [UInt8(ascii: "\"")]
    let member =
      random.chance(3)
      ? quote + inside + quote + Array(":0,".utf8)
      : Array("\"unknown\":".utf8) + quote + inside + quote + [UInt8(ascii: ",")]
    draft.tokenText.insert(contentsOf: member, at: brace + 1)
    draft.token = nil
    return true
  }

  static let tokenCut = Mutation(
    "token-cut", .tokenText,
    hunts: "text truncated in a literal, an escape or a number: reads past the end"
  ) { draft, random in
    var text = Array(draft.tokenText.prefix(1 + random.below(draft.tokenText.count)))
    if random.chance(2) {
      // Put the beginning of a value after the last colon.
      let end = text.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
      text = text[..<end] + random.pick(Self.beginnings)
    }
    draft.tokenText = text
    draft.token = nil
    return true
  }

  private static let beginnings: [[UInt8]] =
    [
      "t", "tru", "f", "fals", "n", "nul", "-", "0", "1.", "1e", "1e+", "\"", "\"\\", "\"\\u", "\"\\u00e", "\"\\uD83D",
      "\"\\uD83D\\", "\"\\uD83D\\uDE0", "{", "{\"", "[", "[0,",
    ].map { Array($0.utf8) } + [[0x22, 0xC3], [0x22, 0xE2, 0x82], [0x22, 0xF0, 0x9F, 0x98]]

  static let size = Mutation(
    "size", .tokenText, hunts: "the limits of 16,384 and 65,536 bytes, and buffers that are too small"
  ) { draft, random in
    guard !draft.tokenText.isEmpty, let brace = draft.tokenText.firstIndex(of: UInt8(ascii: "{")) else { return false }
    let token = RuleLimits.token
    let size = random.near(random.pick([token, token, token, token / 16, token / 2, 2 * token, RuleLimits.request]))
    let missing = size - draft.tokenText.count
    guard missing > 0 else { return false }
    let filler: UInt8 = random.pick([0x20, 0x0A, 0x20])
    switch random.below(3) {
    case 0: draft.tokenText += [UInt8](repeating: filler, count: missing)
    case 1: draft.tokenText.insert(contentsOf: [UInt8](repeating: filler, count: missing), at: brace + 1)
    default:
      guard missing > 12 else { return false }
      let member = Array("\"unknown\":\"".utf8) + [UInt8](repeating: 0x78, count: missing - 13) + Array("\",".utf8)
      draft.tokenText.insert(contentsOf: member, at: brace + 1)
    }
    return true
  }
}

/// Edits that favour the frame of a JSON document over long runs of base64 and hexadecimal digits.
enum Frame {
  /// Returns the text with one or two edits near one place.
  static func changed(_ text: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    let place = place(in: text, using: &random)
    return ByteEdits.changed(text, within: max(0, place - 4)..<min(text.count, place + 5), using: &random)
  }

  /// Picks a place: in three of four cases in the frame, otherwise anywhere.
  private static func place(in text: [UInt8], using random: inout QuickGenerator) -> Int {
    let index = random.below(text.count)
    if random.chance(4) { return index }
    var run = 0
    for offset in text.indices {
      let place = (index + offset) % text.count
      run = isRun(text[place]) ? run + 1 : 0
      if offset >= 24, run < 24 { return place }
    }
    return index
  }

  private static func isRun(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }
}
