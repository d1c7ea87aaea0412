import PaymentToken
import StrictJSON

/// What an input is instead of a token's JSON, and how to get from it to the token.
///
/// Most recognizers take one layer off, as their shell command does, and look at what is left (`Unwrapping`). They give
/// a form only if a token is inside, and a command only if all commands together write the token. Compressed data is
/// not decompressed to look for a token.
struct InputForm {
  /// The form in words, for a finding.
  let words: String
  let diagnosis: Diagnosis
  /// A place or a name; never text of a token.
  var subject: String?
  /// A shell command that reads the input and writes the token; nil where none works.
  var command: String?
  /// The token inside; nil if none was found.
  var token: JSON?

  /// Whether the form explains the input: not merely unreadable, unknown, empty, or JSON without a token.
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
  /// The bytes as a command reads them.
  let raw: [UInt8]
  /// The bytes without surrounding white space.
  let bytes: [UInt8]
  /// `bytes` as text; nil when they are not UTF-8.
  let string: String?
  /// How many layers were taken off to get here.
  let layers: Int
  /// Whether only a token inside matters. Printed text that lost bytes is then not recognized.
  let seeksToken: Bool
  /// The budget of the whole search.
  let budget: SearchBudget

  init(_ input: [UInt8], layers: Int, _ budget: SearchBudget, seeksToken: Bool = false) {
    self.budget = budget
    self.seeksToken = seeksToken
    raw = input
    bytes = Self.trimmed(input[...])
    string = String(validating: bytes, as: UTF8.self)?.streamSafe
    self.layers = layers
  }

  /// The text without surrounding white space.
  static func trimmed(_ text: ArraySlice<UInt8>) -> [UInt8] {
    let start = text.drop(while: isSpace)
    return Array(start.prefix(start.count - start.reversed().prefix(while: isSpace).count))
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  func starts(with text: String) -> Bool { bytes.starts(with: text.utf8) }

  func contains(_ text: String) -> Bool { Self.contains(bytes, text) }

  /// Whether a text occurs in bytes.
  static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let part = Array(text.utf8)
    guard let first = part.first, bytes.count >= part.count else { return part.isEmpty }
    return (0...bytes.count - part.count).contains { bytes[$0] == first && bytes[$0...].starts(with: part) }
  }

  /// What `tr -d '\r\n'` makes of the input.
  var joined: [UInt8] { raw.filter { $0 != 0x0A && $0 != 0x0D } }
}

extension InputForm {
  /// The form of any input that is not a token's JSON object.
  init(_ input: [UInt8]) {
    self.init(input, layers: 0, SearchBudget(for: input.count))
  }

  /// The form of what is left of an input when `layers` layers are taken off; unknown text once the budget is spent.
  init(_ input: [UInt8], layers: Int, _ budget: SearchBudget, seeksToken: Bool = false) {
    guard budget.spend(input.count) else {
      self.init(words: "something else", diagnosis: .unknownText)
      return
    }
    let text = InputText(input, layers: layers, budget, seeksToken: seeksToken)
    self = Self.recognizers.firstResult { $0(text) } ?? Self.unreadable(text)
  }

  /// The recognizers in order. The first that recognizes the input names it.
  private static let recognizers: [@Sendable (InputText) -> InputForm?] = [
    byteOrderMark, nothing, json, escapedJSON, compressed, pemArmour, keyFile, curlCommand, phpDump, htmlEscaped,
    csvField,
    printedObjectAlone, formBody, percentEncoded, hexDump, hexadecimal, decimalBytes, base64, quotedPrintable,
    jsonDefect,
    surrounded, printedObject, lostBytes,
  ]

  /// The form of an input from which `take` takes a layer off and leaves `content`; nil unless a token is inside.
  ///
  /// - Parameter isRepair: whether `take` guesses the original text. The token inside must then be intact.
  static func layer(
    _ words: String, _ diagnosis: Diagnosis, subject: String? = nil, take: String, content: [UInt8], of text: InputText,
    isRepair: Bool = false
  ) -> InputForm? {
    guard let inside = Unwrapping(content, layers: text.layers, text.budget), !isRepair || inside.token.isIntactToken
    else {
      return nil
    }
    return InputForm(
      words: words, diagnosis: diagnosis, subject: subject,
      command: inside.commands.map { ([take] + $0).joined(separator: " | ") }, token: inside.token)
  }

  private static func nothing(_ text: InputText) -> InputForm? {
    text.bytes.isEmpty ? InputForm(words: "nothing", diagnosis: .emptyInput) : nil
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

  /// A whole JSON value.
  private static func json(_ text: InputText) -> InputForm? {
    guard let value = JSON(lenient: text.bytes) else { return nil }
    if let place = TokenPlace(in: value) { return form(of: place) }
    if let other = SimulatorToken(value)?.form ?? OtherWallet.form(of: value) { return other }
    if let typed = TypedJSON.form(of: value) { return typed }
    if let hidden = HiddenToken.form(in: value, layers: text.layers, text.budget) { return hidden }
    if case .string(let content) = value, text.layers < Unwrapping.limit {
      // The string has no token inside, but may have another known form, such as a member alone.
      let inside = InputForm(Array(content.utf8), layers: text.layers + 1, text.budget)
      if inside.isSpecific {
        return InputForm(
          words: "a JSON string with \(inside.words)", diagnosis: inside.diagnosis, subject: inside.subject)
      }
    }
    if case .object = value, let defect = JSONDefect(text.bytes), let form = form(ofLimit: defect) { return form }
    return InputForm(words: value.typeName, diagnosis: .otherJSON, subject: value.typeName)
  }

  /// The form of a document that has a token inside.
  private static func form(of place: TokenPlace) -> InputForm {
    let (words, diagnosis, subject): (String, Diagnosis, String?) =
      switch place.steps.first {
      case .text: ("a JSON string that contains a token", .doubleEncodedJSON, nil)
      case .base64: ("base64 of a token in quotes", .base64EncodedToken, nil)
      case .element where place.steps.count == 1: ("an array that contains a token", .tokenInArray, place.path)
      case .element, .member, nil: ("a document that contains a token", .wrappedInEnvelope, place.path)
      }
    return InputForm(
      words: words, diagnosis: diagnosis, subject: subject, command: place.command, token: place.token)
  }

  /// The content of a JSON string without the quotes around it, as copied from a log.
  private static func escapedJSON(_ text: InputText) -> InputForm? {
    guard let first = text.bytes.first, "{[".utf8.contains(first), let content = JSONFragment.unescaped(text.raw) else {
      return nil
    }
    return layer(
      "JSON with escaped quotation marks", .doubleEncodedJSON, take: JSONFragment.unescapingCommand, content: content,
      of: text)
  }

  // MARK: JSON with an error

  private static func jsonDefect(_ text: InputText) -> InputForm? {
    guard text.bytes.first == UInt8(ascii: "{"), let defect = JSONDefect(text.bytes) else { return nil }
    switch defect.kind {
    case .trailingComma: return trailingComma(text, defect)
    case .lineBreak: return lineBreak(text, defect)
    case .secondDocument: return severalDocuments(text, defect)
    case .tooDeep, .tooManyValues: return form(ofLimit: defect)
    case .comment, .other: return nil
    }
  }

  /// JSON beyond a limit of rule 2.4; nil for an error.
  private static func form(ofLimit defect: JSONDefect) -> InputForm? {
    let (words, diagnosis): (String, Diagnosis)
    switch defect.kind {
    case .tooDeep: (words, diagnosis) = ("JSON more than 32 levels deep", .jsonTooDeep)
    case .tooManyValues: (words, diagnosis) = ("JSON with more than 2,048 members and elements", .tooManyValues)
    default: return nil
    }
    return InputForm(words: "\(words) at \(defect.place)", diagnosis: diagnosis, subject: defect.place)
  }

  private static func trailingComma(_ text: InputText, _ defect: JSONDefect) -> InputForm {
    let words = "a comma before a closing bracket, at \(defect.place)"
    let fixed = String(streamSafe: text.joined).replacing(/,[ \t]*([\]}])/) { $0.1 }
    return layer(
      words, .trailingComma, subject: defect.place, take: #"tr -d '\r\n' | sed -E 's/,[[:space:]]*([]}])/\1/g'"#,
      content: Array(fixed.utf8), of: text, isRepair: true)
      ?? InputForm(words: words, diagnosis: .trailingComma, subject: defect.place)
  }

  private static func lineBreak(_ text: InputText, _ defect: JSONDefect) -> InputForm {
    let words = "a line break within a string, at \(defect.place)"
    let join = #"tr -d '\r\n'"#
    let unindented = text.raw.split(separator: 0x0A).flatMap { $0.drop(while: InputText.isSpace) }
    for (take, content) in [(join, text.joined), ("sed -E 's/^[[:space:]]+//' | \(join)", unindented)] {
      let joined = content.filter { $0 != 0x0D }
      if let form = layer(
        words, .lineBreakInString, subject: defect.place, take: take, content: joined, of: text, isRepair: true)
      {
        return form
      }
    }
    return InputForm(words: words, diagnosis: .lineBreakInString, subject: defect.place)
  }

  /// JSON documents one after the other; nil if one of them is not JSON.
  private static func severalDocuments(_ text: InputText, _ defect: JSONDefect) -> InputForm? {
    guard let documents = JSONFragment.documents(text.bytes) else { return nil }
    for (index, document) in documents.enumerated() {
      if let form = layer(
        "several JSON documents", .severalDocuments, subject: defect.place, take: "jq -sc '.[\(index)]'",
        content: document, of: text)
      {
        return form
      }
    }
    return InputForm(words: "several JSON documents", diagnosis: .severalDocuments, subject: defect.place)
  }
}
