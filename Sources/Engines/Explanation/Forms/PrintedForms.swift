import PaymentToken
import StrictJSON

/// Tokens as programs print them.
extension InputForm {
  static func curlCommand(_ text: InputText) -> InputForm? {
    guard text.starts(with: "curl ") || text.starts(with: "$ curl ") else { return nil }
    return carved(text, "a curl command", .curlCommand)
      ?? InputForm(words: "a curl command", diagnosis: .curlCommand)
  }

  /// `var_dump`, `var_export` and `print_r`.
  static func phpDump(_ text: InputText) -> InputForm? {
    guard text.string != nil else { return nil }
    if ["array(", "object(", "string(", "array (", "(object) array("].contains(where: text.starts)
      || text.contains("\"]=>")
    {
      return members(text, "the output of PHP's var_dump", .phpVarDump)
    }
    guard text.starts(with: "Array") || text.starts(with: "stdClass Object"), text.contains("] => ") else { return nil }
    return members(text, "the output of PHP's print_r", .phpPrintR)
  }

  /// A printed object whose brace begins the text. It comes before the recognizers that would find JSON within it.
  static func printedObjectAlone(_ text: InputText) -> InputForm? {
    text.starts(with: "{") ? printedObject(text) : nil
  }

  /// A map, a record or an object in the form of a language or a library, alone or within other text.
  static func printedObject(_ text: InputText) -> InputForm? {
    guard let object = PrintedObject(text.bytes), let printer = object.printer else { return nil }
    let isUnnamed = printer.diagnosis == .printedObject
    let form = members(text, printer.words, printer.diagnosis, subject: isUnnamed ? printer.name : nil)
    if form.token != nil { return form }
    if let lost = lostBytes(text) { return lost }
    return isUnnamed
      ? InputForm(words: printer.words, diagnosis: .printedTextLostBytes, subject: printer.name) : form
  }

  /// The form of printed members, with a command if they contain the whole token.
  private static func members(
    _ text: InputText, _ words: String, _ diagnosis: Diagnosis, subject: String? = nil
  ) -> InputForm {
    let restored = PrintedMembers.json(text.raw).flatMap {
      layer(
        words, diagnosis, subject: subject, take: PrintedMembers.command, content: $0, of: text, isRepair: true)
    }
    if let restored { return restored }
    // A string of the object may contain the token's JSON, possibly with escapes that make it unreadable.
    if let carved = carved(text, words, diagnosis, subject: subject), carved.token?.isIntactToken ?? false {
      return carved
    }
    return InputForm(words: words, diagnosis: diagnosis, subject: subject)
  }

  /// Programs, each with an expression for output that lost bytes, and a mark that all such output contains. The
  /// expression is used only if the text contains the mark.
  ///
  /// The expressions are stored, so that each is compiled once. They are `nonisolated(unsafe)` because `Regex` is not
  /// Sendable; several threads may use an expression at once if it runs no code of its own, as here.
  nonisolated(unsafe) private static let losingPrinters: [(name: String, mark: String, form: Regex<AnyRegexOutput>)] = [
    ("NSData", "bytes = 0x", Regex(/bytes = 0x[0-9a-f ]+\.\.\./)),
    ("Swift's Data", " bytes", Regex(/(^|[:=(>]\s*)[0-9]{2,7} bytes\)?$/)),
    ("Node.js", "<Buffer ", Regex(/<Buffer [0-9a-f ]+\.\.\. [0-9]+ more bytes?>/)),
    ("Node.js", " more item", Regex(/\.\.\. [0-9]+ more items?/)),
    ("JavaScript", "bject", Regex(/\[object [A-Za-z0-9]+\]|: \[Object\]/)),
    ("Java", "@", Regex(/\[[A-Z]@[0-9a-f]{5,8}/)),
    ("Java", "@", Regex(/[A-Z][A-Za-z0-9_$]{0,60}@[0-9a-f]{5,8}($|[^0-9A-Za-z.-])/)),
    (".NET", "System.", Regex(/System\.(Byte|Object|Collections|Text|ReadOnlyMemory)[A-Za-z.]*/)),
    ("Python", " at 0x", Regex(/<(memory|[A-Za-z_.]+ object) at 0x[0-9a-f]+>/)),
    ("Perl", "(0x", Regex(/(HASH|SCALAR|ARRAY)\(0x[0-9a-f]+\)/)),
    ("Ruby", "#<", Regex(/#<[A-Z][A-Za-z0-9:]*:0x[0-9a-f]+>/)),
    ("Objective-C", ": 0x", Regex(/<[A-Z][A-Za-z0-9]+: 0x[0-9a-f]+>/)),
    ("Elixir", "...>>", Regex(/<<[0-9]+(, ?[0-9]+)+, ?\.\.\.>>/)),
  ]

  /// What programs print in place of an object's bytes: an address, a count, or the first bytes and the last.
  static func lostBytes(_ text: InputText) -> InputForm? {
    // Output of this kind is short, and each expression reads the whole text.
    guard !text.seeksToken, text.bytes.count <= (text.layers == 0 ? 4_096 : 256), let string = text.string else {
      return nil
    }
    let printer = losingPrinters.first { text.contains($0.mark) && string.contains($0.form) }
    return printer.map {
      InputForm(words: "an object as \($0.name) prints it", diagnosis: .printedTextLostBytes, subject: $0.name)
    }
  }
}

/// The members of a token by name, in whatever form a program prints them.
///
/// Their values are base64, hexadecimal and the version, whose characters every program prints as they are. So the
/// command needs no syntax of a language: it finds each value behind its name.
enum PrintedMembers {
  /// The names, in parts: printers write snake_case and other capitals.
  private static let names: [(name: String, parts: [String])] = [
    ("data", ["data"]), ("signature", ["signature"]), ("ephemeralPublicKey", ["ephemeral", "public", "key"]),
    ("wrappedKey", ["wrapped", "key"]), ("publicKeyHash", ["public", "key", "hash"]),
    ("transactionId", ["transaction", "id"]), ("applicationData", ["application", "data"]),
  ]

  /// The minimum number of characters of a value. The shortest value, a publicKeyHash without padding, has 43.
  private static let minimumCount = 40
  /// The maximum number of characters between a name and its value, such as `"]=>`, a line end and an indent.
  static let widestJoint = 24

  static let command =
    #"python3 -c 'import json, re, sys; "#
    + #"t = re.sub("[\\\\]+/", "/", sys.stdin.buffer.read().decode("latin-1")); "#
    + #"f = lambda *names: {n: m[2] for n in names for m in [re.search("(?i)(?<![A-Za-z_-])" "#
    + #"+ re.sub("(?=[A-Z])", "[_-]?", n) + "[^A-Za-z0-9+/]{1,24}([A-Za-z]{1,32}[(](?:[0-9]+[)])?"#
    + #"[^A-Za-z0-9+/]{0,2})?([A-Za-z0-9+/]{40,}={0,2})", t)] if m}; "#
    + #"print(json.dumps({"version": "EC_v1" if "EC_v1" in t else "RSA_v1", **f("data", "signature"), "#
    + #""header": f("ephemeralPublicKey", "wrappedKey", "publicKeyHash", "transactionId", "applicationData")}))'"#

  /// What the command makes of a text; nil if a member that every token has is missing, or any value was cut off.
  static func json(_ input: [UInt8]) -> [UInt8]? {
    let text = withoutEscapedSlashes(input)
    var values: [String: String] = [:]
    for index in text.indices {
      guard let (name, end) = name(in: text, at: index), name != headerName, values[name] == nil else { continue }
      guard let value = value(in: text, after: end) else { continue }
      guard !isCut(text[value.endIndex...]) else { return nil }
      values[name] = String(streamSafe: value)
    }
    guard let version = ["EC_v1", "RSA_v1"].first(where: { InputText.contains(text, $0) }), let data = values["data"],
      let signature = values["signature"], values["publicKeyHash"] != nil, values["transactionId"] != nil
    else { return nil }
    let header = names.dropFirst(2).compactMap { entry in
      values[entry.name].map { JSON.Member(entry.name, .string($0)) }
    }
    let token: JSON = ["version": version, "data": data, "signature": signature, "header": JSON.object(header)]
    return Array(token.text.utf8)
  }

  /// The text without the backslashes that stand before slashes in JSON of some programs.
  private static func withoutEscapedSlashes(_ text: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    for byte in text {
      if byte == UInt8(ascii: "/") { while kept.last == UInt8(ascii: "\\") { kept.removeLast() } }
      kept.append(byte)
    }
    return kept
  }

  /// Whether a value continues after the characters that the command takes: it was shortened, or the next character is
  /// escaped, percent-encoded or of the URL alphabet.
  private static func isCut(_ rest: ArraySlice<UInt8>) -> Bool {
    let unescaped = rest.drop { $0 == UInt8(ascii: "\\") }
    if unescaped.startIndex > rest.startIndex, let first = unescaped.first { return "/u".utf8.contains(first) }
    return rest.starts(with: "..".utf8) || rest.starts(with: "…".utf8) || rest.first.map("%_-".utf8.contains) ?? false
  }

  private static let headerName = "header"
  private static let namesAndHeader = names + [(headerName, [headerName])]

  /// The name of a token's member that begins at an index, and where it ends; `header` counts as a name.
  static func name(in text: [UInt8], at index: Int) -> (name: String, end: Int)? {
    guard "dsewptah".utf8.contains(text[index] | 0x20), index == 0 || !isPartOfName(text[index - 1]) else { return nil }
    return namesAndHeader.firstResult { entry in
      // Only names with this first letter are compared, because such letters are frequent in any text.
      guard entry.name.utf8.first == text[index] | 0x20 else { return nil }
      var end = index
      for part in entry.parts {
        if end > index, end < text.count, text[end] == UInt8(ascii: "_") || text[end] == UInt8(ascii: "-") { end += 1 }
        let found = text[end...].prefix(part.utf8.count)
        guard found.lazy.map({ $0 | 0x20 }).elementsEqual(part.utf8) else { return nil }
        end += part.utf8.count
      }
      return end < text.count && !isValue(text[end]) ? (entry.name, end) : nil
    }
  }

  /// The first value behind a name: after at most a type and a bracket, as in `String("`.
  private static func value(in text: [UInt8], after end: Int) -> ArraySlice<UInt8>? {
    let joint = text[end...].prefix(widestJoint) { !isValue($0) }
    guard !joint.isEmpty else { return nil }
    if let start = behindType(in: text, at: joint.endIndex), let value = value(in: text, at: start) { return value }
    return value(in: text, at: joint.endIndex)
  }

  private static func behindType(in text: [UInt8], at index: Int) -> Int? {
    let type = text[index...].prefix(32, while: isLetter)
    guard !type.isEmpty, type.endIndex < text.count, text[type.endIndex] == UInt8(ascii: "(") else { return nil }
    var end = type.endIndex + 1
    let digits = text[end...].prefix { (0x30...0x39).contains($0) }
    if !digits.isEmpty, text[digits.endIndex...].first == UInt8(ascii: ")") { end = digits.endIndex + 1 }
    return text[end...].prefix(2) { !isValue($0) }.endIndex
  }

  private static func value(in text: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
    let value = text[start...].prefix(while: isValue)
    guard value.count >= minimumCount else { return nil }
    return text[start..<text[value.endIndex...].prefix(2) { $0 == UInt8(ascii: "=") }.endIndex]
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  /// Whether a byte may be part of a value.
  static func isValue(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
  }
}

extension ArraySlice<UInt8> {
  /// The bytes that meet a condition, at most `limit` of them.
  fileprivate func prefix(_ limit: Int, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    prefix(limit).prefix(while: condition)
  }
}
