import ReferenceDecryption
import StrictJSON

/// The first place at which text that begins an object is not strict JSON.
struct JSONDefect {
  enum Kind {
    case trailingComma
    /// A line break within a string.
    case lineBreak
    /// Another object follows.
    case secondDocument
    case other
  }

  let kind: Kind
  /// Whether the text ends before the outermost object does.
  let isTruncation: Bool
  /// The line and the column, both from 1; columns count characters.
  let place: String

  /// Nil when the text is one strict JSON object.
  init?(_ text: [UInt8]) {
    let offset: Int
    do {
      _ = try JSONDocument(WipedBytes(text.span))
      return nil
    } catch {
      offset = min(error.offset, text.count)
    }
    let before = text[..<offset]
    let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
    // Continuation bytes of UTF-8 are no characters of their own.
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    place = "line \(before.count { $0 == 0x0A } + 1), column \(column)"
    isTruncation = Self.state(after: text[...]).isOpen
    kind = Self.kind(text, at: offset)
  }

  private static func kind(_ text: [UInt8], at offset: Int) -> Kind {
    guard offset < text.count else { return .other }
    let before = text[..<offset]
    let last = before.last { !InputText.isSpace($0) }
    switch text[offset] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return last == UInt8(ascii: ",") ? .trailingComma : .other
    case 0x0A, 0x0D:
      return state(after: before).isInString ? .lineBreak : .other
    case UInt8(ascii: "{"):
      return JSON(lenient: Array(before)) == nil ? .other : .secondDocument
    default:
      return .other
    }
  }

  /// Whether text that begins an object ends inside the object, and inside a string.
  private static func state(after text: ArraySlice<UInt8>) -> (isOpen: Bool, isInString: Bool) {
    var depth = 0
    var isInString = false
    var isEscaped = false
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if isInString {
        isEscaped = character == UInt8(ascii: "\\")
        isInString = character != UInt8(ascii: "\"")
      } else {
        switch character {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: continue
        }
        if depth == 0, !isInString { return (false, false) }
      }
    }
    return (true, isInString)
  }
}

/// JSON as part of other text.
enum JSONFragment {
  /// Takes the content of a JSON string, without its quotes, to the JSON that the string holds.
  static let unescapingCommand = "jq -Rc '\"\\\"\" + . + \"\\\"\" | fromjson | fromjson'"

  /// The place of the token in escaped JSON; nil when there is none.
  static func escaped(_ text: some Collection<UInt8>) -> TokenPlace? {
    let quote = [UInt8(ascii: "\"")]
    return TokenPlace(in: quote + text + quote)
  }
}
