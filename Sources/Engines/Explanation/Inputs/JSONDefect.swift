import PaymentToken
import ReferenceDecryption
import StrictJSON

/// The first place at which text that begins an object is not strict JSON.
package struct JSONDefect {
  enum Kind {
    case trailingComma
    /// A line break within a string.
    case lineBreak
    /// Another object follows.
    case secondDocument
    /// No error, but more levels than a token may have.
    case tooDeep
    /// No error, but more members and elements than a token may have.
    case tooManyValues
    /// A comment, which JSON does not have.
    case comment
    case other
  }

  let kind: Kind
  /// Whether the text ends before the outermost object does.
  let isTruncation: Bool
  /// The line and the column, both from 1; columns count characters.
  let place: String

  /// The nesting depth of rule 2.4.
  private static let maximumDepth = 32

  /// Nil when the text is one strict JSON object.
  init?(_ text: [UInt8]) {
    let error: MalformedJSON
    do throws(MalformedJSON) {
      _ = try JSONDocument(WipedBytes(text.span))
      return nil
    } catch let found {
      error = found
    }
    let offset = min(error.offset, text.count)
    let before = text[..<offset]
    let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
    // Continuation bytes of UTF-8 are no characters of their own.
    let column = before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1
    place = "line \(before.count { $0 == 0x0A } + 1), column \(column)"
    isTruncation = Self.isTruncation(text, at: offset)
    kind = error.hasTooManyValues ? .tooManyValues : Self.kind(text, at: offset)
  }

  /// Whether the error is the end of the text, or zero bytes up to the end.
  private static func isTruncation(_ text: [UInt8], at offset: Int) -> Bool {
    let state = JSONFragment.state(after: text[..<offset])
    // A closing bracket at the end of an open string shows that a quotation mark is missing, not the end.
    if state.isInString, text.last == UInt8(ascii: "}") { return false }
    return state.depth > 0 && text[offset...].allSatisfy { $0 == 0 }
  }

  private static func kind(_ text: [UInt8], at offset: Int) -> Kind {
    guard offset < text.count else { return .other }
    let before = text[..<offset]
    let last = before.last { !InputText.isSpace($0) }
    let state = JSONFragment.state(after: before)
    switch text[offset] {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if state.depth >= maximumDepth, !state.isInString { return .tooDeep }
      return text[offset] == UInt8(ascii: "{") && JSON(lenient: Array(before)) != nil ? .secondDocument : .other
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return last == UInt8(ascii: ",") ? .trailingComma : .other
    case 0x0A, 0x0D:
      return state.isInString ? .lineBreak : .other
    case UInt8(ascii: "/"):
      let next = text[offset...].dropFirst().first
      return !state.isInString && (next == UInt8(ascii: "/") || next == UInt8(ascii: "*")) ? .comment : .other
    default:
      return .other
    }
  }
}

extension JSONDefect {
  /// Words that end a message about JSON that is not strict: the place of the error. Empty if there is no error, or the
  /// text is larger than a request may be.
  package static func ending(for text: [UInt8]) -> String {
    guard text.count <= Envelope.maximumRequestSize, let defect = JSONDefect(text) else { return "" }
    return ": \(defect.kind == .comment ? "it has a comment" : "it has an error") at \(defect.place)"
  }
}

/// JSON as part of other text.
enum JSONFragment {
  /// How many brackets are open after text that begins a value, and whether a string is open.
  static func state(after text: ArraySlice<UInt8>) -> (depth: Int, isInString: Bool) {
    var scan = Scan()
    for character in text { scan.read(character) }
    return (scan.depth, scan.isInString)
  }

  /// The offset after the value that begins at `start` with a bracket or a quotation mark; nil if it does not end.
  static func end(of text: [UInt8], from start: Int) -> Int? {
    var scan = Scan()
    for index in start..<text.count {
      scan.read(text[index])
      if scan.depth == 0, !scan.isInString { return index + 1 }
    }
    return nil
  }

  private struct Scan {
    var depth = 0
    var isInString = false
    private var isEscaped = false

    mutating func read(_ character: UInt8) {
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
        default: break
        }
      }
    }
  }

  /// The objects and arrays of text that has nothing but white space between them; nil for other text.
  static func documents(_ text: [UInt8]) -> [[UInt8]]? {
    var documents: [[UInt8]] = []
    var start = text.firstIndex { !InputText.isSpace($0) }
    while let from = start {
      guard "{[".utf8.contains(text[from]), let end = end(of: text, from: from) else { return nil }
      let document = Array(text[from..<end])
      guard JSON(lenient: document) != nil else { return nil }
      documents.append(document)
      start = text[end...].firstIndex { !InputText.isSpace($0) }
    }
    return documents
  }

  /// The shell command that unescapes the content of a JSON string, which it reads without quotation marks.
  static let unescapingCommand = #"tr -d '\r\n\t' | jq -Rr '"\"" + . + "\"" | fromjson'"#

  /// What the command makes of text whose first quotation mark is escaped; nil when it is no content of a JSON string.
  static func unescaped(_ text: [UInt8]) -> [UInt8]? {
    guard let quote = text.firstIndex(of: UInt8(ascii: "\"")), quote > 0, text[quote - 1] == UInt8(ascii: "\\") else {
      return nil
    }
    let mark = [UInt8(ascii: "\"")]
    let content = text.filter { ![0x09, 0x0A, 0x0D].contains($0) }
    return JSON(lenient: mark + content + mark)?.string.map { Array($0.utf8) }
  }
}
