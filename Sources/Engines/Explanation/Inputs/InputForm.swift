import PaymentToken
import StrictJSON

/// What an input is instead of a token's JSON, and how to get from it to the token.
struct InputForm {
  /// The form in words, for a finding.
  let words: String
  let diagnosis: Diagnosis
  /// A place or a name; never text of a token.
  var subject: String?
  /// A shell command that reads the input and writes the token; nil where none works in general.
  var command: String?

  /// Whether this form says more than that the input cannot be read.
  var isSpecific: Bool {
    switch diagnosis {
    case .malformedJSON, .truncatedJSON, .unknownText, .emptyInput, .otherJSON: false
    default: true
    }
  }

  var verdict: Verdict { Verdict(diagnosis, subject, command: command) }
}

/// An input as the recognizers see it.
struct InputText {
  /// The bytes without surrounding white space.
  let bytes: [UInt8]
  /// The same as text; nil when it is not UTF-8.
  let string: String?

  init(_ input: some Collection<UInt8>) {
    let start = input.drop(while: Self.isSpace)
    bytes = Array(Array(start.reversed()).drop(while: Self.isSpace).reversed())
    string = String(validating: bytes, as: UTF8.self)
  }

  static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  func starts(with text: String) -> Bool { bytes.starts(with: text.utf8) }

  /// The text behind `{` and white space; nil when the input does not begin an object.
  var insideObject: Substring? {
    guard let string, string.utf8.first == UInt8(ascii: "{") else { return nil }
    return string.dropFirst().drop { $0.isWhitespace }
  }
}

extension InputForm {
  /// The form of any input that is not a token's JSON object.
  init(_ input: [UInt8]) {
    let text = InputText(input)
    self = Self.byteOrderMark(input) ?? Self.recognizers.lazy.compactMap { $0(text) }.first ?? Self.unreadable(text)
  }

  /// In this order, the first that recognizes the input names it.
  private static let recognizers: [@Sendable (InputText) -> InputForm?] = [
    nothing, json, escapedJSON, pemArmour, curlCommand, phpDump, rubyHash, pythonDict, objectLiteral, formBody,
    percentEncoded, hexadecimal, base64, jsonDefect, surrounded,
  ]

  private static func nothing(_ text: InputText) -> InputForm? {
    text.bytes.isEmpty ? InputForm(words: "nothing", diagnosis: .emptyInput) : nil
  }

  /// UTF-8 with a mark, or UTF-16 of either order.
  private static func byteOrderMark(_ input: [UInt8]) -> InputForm? {
    let command: String
    if input.starts(with: [0xEF, 0xBB, 0xBF]) {
      command = "tail -c +4"
    } else if input.starts(with: [0xFE, 0xFF]) || input.starts(with: [0xFF, 0xFE]) {
      command = "iconv -f UTF-16 -t UTF-8"
    } else {
      return nil
    }
    return InputForm(words: "a byte-order mark before the text", diagnosis: .byteOrderMark, command: command)
  }

  /// Text that no recognizer knows: JSON with an error, or something else.
  private static func unreadable(_ text: InputText) -> InputForm {
    guard text.bytes.first == UInt8(ascii: "{"), let defect = JSONDefect(text.bytes) else {
      return InputForm(words: "something else", diagnosis: .unknownText)
    }
    return InputForm(
      words: defect.isTruncation ? "JSON that is cut off before its end" : "JSON with an error at \(defect.place)",
      diagnosis: defect.isTruncation ? .truncatedJSON : .malformedJSON, subject: defect.place)
  }

  // MARK: JSON

  /// A whole JSON value other than an object.
  private static func json(_ text: InputText) -> InputForm? {
    guard let value = JSON(lenient: text.bytes) else { return nil }
    if case .object = value { return nil }
    if let simulated = SimulatorToken(value) { return simulated.form }
    if let place = TokenPlace(in: text.bytes) { return form(of: place) }
    if case .string(let content) = value {
      let inside = InputForm(Array(content.utf8))
      if inside.isSpecific {
        return InputForm(
          words: "a JSON string with \(inside.words)", diagnosis: inside.diagnosis, subject: inside.subject,
          command: inside.command.map { "jq -r . | \($0)" })
      }
    }
    return InputForm(words: value.typeName, diagnosis: .otherJSON, subject: value.typeName)
  }

  /// The form of a value that is not an object and has a token inside.
  private static func form(of place: TokenPlace) -> InputForm {
    switch place.steps.first {
    case .text:
      InputForm(words: "a JSON string that contains a token", diagnosis: .doubleEncodedJSON, command: place.command)
    case .base64:
      InputForm(words: "base64 of a token in quotes", diagnosis: .base64EncodedToken, command: place.command)
    case .element where place.steps.count == 1:
      InputForm(
        words: "an array that contains a token", diagnosis: .tokenInArray, subject: place.path, command: place.command)
    case .element, .member, nil:
      InputForm(
        words: "a document that contains a token", diagnosis: .wrappedInEnvelope, subject: place.path,
        command: place.command)
    }
  }

  /// The content of a JSON string without the quotes around it, as copied from a log.
  private static func escapedJSON(_ text: InputText) -> InputForm? {
    guard text.starts(with: "{\\\"") else { return nil }
    let isWhole = JSONFragment.escaped(text.bytes) != nil
    return InputForm(
      words: "JSON with escaped quotation marks", diagnosis: .doubleEncodedJSON,
      command: isWhole ? JSONFragment.unescapingCommand : nil)
  }

  // MARK: JSON with an error

  private static func jsonDefect(_ text: InputText) -> InputForm? {
    guard text.bytes.first == UInt8(ascii: "{"), let defect = JSONDefect(text.bytes) else { return nil }
    switch defect.kind {
    case .trailingComma:
      return InputForm(
        words: "a comma before a closing bracket, at \(defect.place)", diagnosis: .trailingComma,
        subject: defect.place, command: "tr -d '\\r\\n' | sed -E 's/,[[:space:]]*([]}])/\\1/g'")
    case .lineBreak:
      let joined = text.bytes.filter { $0 != 0x0A && $0 != 0x0D }
      return InputForm(
        words: "a line break within a string, at \(defect.place)", diagnosis: .lineBreakInString,
        subject: defect.place, command: JSON(lenient: joined) == nil ? nil : "tr -d '\\r\\n'")
    case .secondDocument:
      return InputForm(
        words: "several JSON documents", diagnosis: .severalDocuments, subject: defect.place,
        command: "jq -sc '.[0]'")
    case .other:
      return nil
    }
  }
}
