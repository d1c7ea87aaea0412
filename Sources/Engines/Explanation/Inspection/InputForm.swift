import ReferenceDecryption

/// What an input looks like that is not one JSON object.
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

  /// The form in words, for a finding.
  var words: String { description.words }
  /// The diagnosis of an input of this form.
  var diagnosis: Diagnosis { description.diagnosis }

  private var description: (words: String, diagnosis: Diagnosis) {
    switch self {
    case .empty: ("nothing", .emptyInput)
    case .byteOrderMark: ("a byte-order mark before the text", .byteOrderMark)
    case .jsonString: ("a JSON string that contains a token", .doubleEncodedJSON)
    case .escapedJSON: ("JSON with escaped quotation marks", .doubleEncodedJSON)
    case .percentEncoded: ("percent-encoded text", .percentEncodedToken)
    case .base64: ("base64 of a token", .base64EncodedToken)
    case .truncated: ("JSON that is cut off before its end", .truncatedJSON)
    case .unknown: ("something else", .malformedJSON)
    }
  }

  /// Byte-order marks: UTF-8, UTF-16 of either order.
  private static let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]]

  private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func holdsStringWithToken(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.first == UInt8(ascii: "\"") else { return false }
    // The reader accepts only objects.
    let object = Array("{\"\":".utf8) + text + Array("}".utf8)
    guard let inside = TokenText(object.span)?.members.first?.value.string else { return false }
    return NestedToken.holdsToken(Array(inside))
  }

  /// Whether the text begins an object and ends inside it.
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
