import StrictJSON
import TestCases

/// How a JSON string writes its content: a choice of escapes, drawn at random. The spellings of whole requests are
/// `Spelling` of NamedCases. All spellings mean the same, but readers have separate code for them.
enum StringSpelling: CaseIterable {
  case plain, firstEscaped, lastEscaped, someEscaped, allEscaped

  /// The string with its quotes. Bytes beyond ASCII stay as they are.
  func text(of content: [UInt8], using random: inout QuickGenerator) -> [UInt8] {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    let rate = random.pick([2, 8])
    for (index, byte) in content.enumerated() {
      let isEscaped =
        switch self {
        case .plain: false
        case .firstEscaped: index == 0
        case .lastEscaped: index == content.count - 1
        case .someEscaped: random.chance(rate)
        case .allEscaped: true
        }
      let isSpecial = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
      guard isSpecial || isEscaped && byte < 0x80 else {
        result.append(byte)
        continue
      }
      Self.escape(byte, into: &result, using: &random)
    }
    return result + [UInt8(ascii: "\"")]
  }

  private static func escape(_ byte: UInt8, into text: inout [UInt8], using random: inout QuickGenerator) {
    guard byte != UInt8(ascii: "/") || random.chance(2) else {
      text += Array("\\/".utf8)
      return
    }
    text += JSONText.escape(UInt16(byte))
    let low = text.removeLast()
    text.append(low > 0x60 && random.chance(2) ? low - 0x20 : low)
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

  /// The maximum size, in bytes, of a content that is wholly escaped, so that the request stays small.
  private static let longest = 6_000

  /// Picks a spelling of a content of this length.
  static func random(for count: Int, using random: inout QuickGenerator) -> StringSpelling {
    let spelling = random.pick(allCases)
    return spelling == .allEscaped && count > longest ? .lastEscaped : spelling
  }
}

extension StringSpelling {
  /// A string of this content: `plain` a third of the time, otherwise in a random spelling.
  static func written(_ content: [UInt8], using random: inout QuickGenerator) -> JSONPiece {
    let spelling = random.chance(3) ? .plain : StringSpelling.random(for: content.count, using: &random)
    return .scalar(spelling.text(of: content, using: &random))
  }
}
