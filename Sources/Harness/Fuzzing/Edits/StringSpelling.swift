import TestCases

/// How a JSON string writes its content: with no more escapes than necessary, or with the first, the last, some or all
/// characters escaped, drawn at random. All spellings mean the same, but readers have separate code for them. The
/// spellings of whole requests are `Spelling` of NamedCases.
enum StringSpelling {
  /// The maximum size, in bytes, of a content that is wholly escaped, so that the request stays small.
  private static let longest = 6_000

  /// A string of this content: plain a third of the time, otherwise in a random spelling.
  static func written(_ content: [UInt8], using random: inout QuickGenerator) -> JSONPiece {
    random.chance(3) ? .string(content) : .scalar(text(of: content, using: &random))
  }

  /// The string with its quotes. Bytes beyond ASCII stay as they are.
  static func text(of content: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    let kind = random.below(5)
    let rate = random.pick([2, 8])
    for (index, byte) in content.enumerated() {
      let isEscaped =
        switch kind {
        case 0: false
        case 1: index == 0
        case 2: index == content.count - 1
        case 3: random.chance(rate)
        default: content.count <= longest
        }
      let isSpecial = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      guard isSpecial || isEscaped && byte < 0x80 else {
        result.append(byte)
        continue
      }
      result += JSONTextEdits.escape(of: Unicode.Scalar(byte), using: &random)
    }
    return result + [UInt8(ascii: "\"")]
  }

  /// How a string or name is written: 0 without escapes, 1 partly, 2 wholly escaped.
  static func kind(of text: [UInt8]) -> UInt8 {
    var escapes = 0
    var plain = 0
    var index = 1
    while index < text.count - 1 {
      if text[index] == UInt8(ascii: "\\") {
        escapes += 1
        index += text[index + 1] == UInt8(ascii: "u") ? 6 : 2
      } else {
        plain += 1
        index += 1
      }
    }
    return escapes == 0 ? 0 : plain == 0 ? 2 : 1
  }
}
