import ReferenceDecryption

/// What bytes look like that are not the one JSON object a token is.
enum InputForm {
  case empty, byteOrderMark, jsonString, escapedJSON, percentEncoded, base64, truncated, unknown

  init(_ input: [UInt8]) {
    let text = input.drop { InputForm.isSpace($0) }
    self =
      if text.isEmpty {
        .empty
      } else if InputForm.marks.contains(where: { input.starts(with: $0) }) {
        .byteOrderMark
      } else if text.starts(with: "{\\\"".utf8) {
        .escapedJSON
      } else if InputForm.holdsStringWithToken(text) {
        .jsonString
      } else if text.first == UInt8(ascii: "%") {
        .percentEncoded
      } else if let decoded = TextForm(text: Array(text)).repairedBase64, NestedToken.holdsToken(decoded) {
        .base64
      } else if InputForm.endsInside(text) {
        .truncated
      } else {
        .unknown
      }
  }

  /// In words, for a finding.
  var words: String {
    switch self {
    case .empty: "nothing"
    case .byteOrderMark: "a byte-order mark before the text"
    case .jsonString: "a JSON string that holds a token"
    case .escapedJSON: "JSON whose quotation marks are escaped"
    case .percentEncoded: "percent-encoded text"
    case .base64: "base64 that holds a token"
    case .truncated: "JSON that ends before it is complete"
    case .unknown: "something else"
    }
  }

  var diagnosis: Diagnosis {
    switch self {
    case .empty: .emptyInput
    case .byteOrderMark: .byteOrderMark
    case .jsonString, .escapedJSON: .doubleEncodedJSON
    case .percentEncoded: .percentEncodedToken
    case .base64: .base64EncodedToken
    case .truncated: .truncatedJSON
    case .unknown: .malformedJSON
    }
  }

  /// UTF-8, UTF-16 of either order.
  private static let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func holdsStringWithToken(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "\"") else { return false }
    // The reader takes objects only.
    let object = Array("{\"\":".utf8) + text + Array("}".utf8)
    guard let inside = TokenText(object.span)?.members.first?.value.string else { return false }
    return NestedToken.holdsToken(Array(inside))
  }

  /// Whether an object begins and the text ends within it.
  private static func endsInside(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "{") else { return false }
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
        if depth == 0 { return false }
      }
    }
    return true
  }
}
