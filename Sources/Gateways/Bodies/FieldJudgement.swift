import PaymentToken
import TokenScanning

extension FieldForm {
  /// Whether a value is of this form; `body` is the whole it stands in.
  func accepts(_ value: JSONTree, in body: JSONTree) -> Bool {
    switch (self, value) {
    case (.constant(let expected), .string(let text)): text.utf8.elementsEqual(expected.utf8)
    case (.number(let expected), .number(let text)): text == expected
    case (.choice(let texts), .string(let text)): texts.contains { $0.utf8.elementsEqual(text.utf8) }
    case (.text(let range), .string(let text)): range.contains(text.unicodeScalars.count)
    case (.digits(let range), .string(let text)): range.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    case (.digitsOrNumber(let range), .string(let text)), (.digitsOrNumber(let range), .number(let text)):
      range.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
    case (.maskedNumber, .string(let text)): Self.isMasked(text)
    case (.month, .string(let text)): Self.isMonth(text)
    case (.year, .string(let text)): text.utf8.count == 2 && text.utf8.allSatisfy(\.isDigit)
    case (.monthAndYear, .string(let text)):
      text.utf8.count == 4 && text.utf8.allSatisfy(\.isDigit) && Self.isMonth(String(text.prefix(2)))
    case (.boolean, .boolean), (.object, .object): true
    case (.minorUnits, .number(let text)), (.minorUnitsText, .string(let text)): Self.isMinorUnits(text)
    case (.decimal, .number(let text)), (.decimalOrText, .number(let text)), (.decimalOrText, .string(let text)):
      Self.isDecimal(text, in: nil)
    case (.amount(let path), .number(let text)), (.amount(let path), .string(let text)):
      Self.isDecimal(text, in: body.value(at: path))
    case (.amountText(let path), .string(let text)): Self.isDecimal(text, in: body.value(at: path))
    case (.currency, .string(let text)): Currency.alphabetic(text) != nil
    case (.country, .string(let text)): text.utf8.count == 2 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    case (.phoneNumber, .string(let text)): USPhoneNumber(text) != nil
    case (.dateTime, .string(let text)): DateTimeText.isValid(text)
    case (.address, .string(let text)): Self.isAddress(text)
    case (.base64(let range), .string(let text)): Base64Content(text).map { range.contains($0.bytes.count) } ?? false
    case (.hexadecimal(let count), .string(let text)):
      text.utf8.count == 2 * count && text.utf8.allSatisfy(\.isHexDigit)
    case (.strings(let texts), .array(let values)): Self.areStrings(values, outOf: texts)
    case (.tokenText, .string(let text)): Self.isToken(Array(text.utf8))
    case (.tokenBase64, .string(let text)): Base64Content(text).map { Self.isToken($0.bytes) } ?? false
    case (.token, .object): value.isToken
    default: false
    }
  }

  /// Whether a text is an account number, masked or not.
  static func isMasked(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isDigit || [UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "*")].contains($0) }
  }

  private static func isMonth(_ text: String) -> Bool {
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit), let month = Int(text) else {
      return false
    }
    return (1...12).contains(month)
  }

  private static func isMinorUnits(_ text: String) -> Bool { (try? RequestFields.minorUnits(text)) != nil }

  /// Whether a text is an amount, with no more decimals than the currency, where that is known.
  private static func isDecimal(_ text: String, in currency: JSONTree?) -> Bool {
    var known: Currency?
    if case .string(let code)? = currency { known = Currency.alphabetic(code) }
    // Four decimals are the most that any currency has.
    return (try? (known ?? Currency("CLF", "990", 4)).minorUnits(ofDecimalText: text)) != nil
  }

  private static func isAddress(_ text: String) -> Bool {
    let rest = text.utf8.dropFirst("https://".utf8.count)
    return text.lowercased().hasPrefix("https://") && rest.first.map { $0 != UInt8(ascii: "/") } == true
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  private static func areStrings(_ values: [JSONTree], outOf texts: [String]) -> Bool {
    !values.isEmpty
      && values.allSatisfy { value in
        guard case .string(let text) = value else { return false }
        return texts.isEmpty || texts.contains { $0.utf8.elementsEqual(text.utf8) }
      }
  }

  private static func isToken(_ text: [UInt8]) -> Bool { (try? JSONTree(reading: text.span))?.isToken ?? false }
}

extension JSONTree {
  /// Whether it has a token's members; whether it is one is for an engine to say.
  fileprivate var isToken: Bool {
    guard case .object? = self["header"], case .string? = self["version"], case .string? = self["data"],
      case .string? = self["signature"]
    else { return false }
    return true
  }

  /// What stands at the end of a path of names joined by full stops; nil also where it leads through something other than objects.
  func value(at path: String) -> JSONTree? {
    var value = self
    for name in path.split(separator: ".") {
      guard let next = value[String(name)] else { return nil }
      value = next
    }
    return value
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isHexDigit: Bool { HexDigit.value(self) != nil }
}

/// What strict base64 (RFC 4648 section 4) stands for.
private struct Base64Content {
  let bytes: [UInt8]

  init?(_ text: String) {
    let characters = Array(text.utf8)
    var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3)
    var output = bytes.mutableSpan
    guard let count = Base64Text.decode(characters.span, into: &output) else { return nil }
    bytes.removeLast(bytes.count - count)
    self.bytes = bytes
  }
}

/// Dates and times of RFC 3339 section 5.6.
enum DateTimeText {
  /// Whether the text is `YYYY-MM-DDThh:mm:ss`, with a fraction or without, and `Z` or an offset; a real date.
  static func isValid(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20 else { return false }
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isDigit) else { return nil }
      return Int(String(decoding: bytes[range], as: UTF8.self))
    }
    let marks: [(Int, UInt8)] = [
      (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
      (16, UInt8(ascii: ":")),
    ]
    guard marks.allSatisfy({ bytes[$0.0] == $0.1 }), let year = number(0..<4), let month = number(5..<7),
      let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      UnixTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second) != nil
    else { return false }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix(while: \.isDigit)
      guard !digits.isEmpty else { return false }
      rest = rest[digits.endIndex...]
    }
    if rest.elementsEqual("Z".utf8) { return true }
    guard rest.count == 6, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[rest.startIndex]),
      bytes[rest.startIndex + 3] == UInt8(ascii: ":"), let hours = number(rest.startIndex + 1..<rest.startIndex + 3),
      let minutes = number(rest.startIndex + 4..<rest.startIndex + 6)
    else { return false }
    return hours < 24 && minutes < 60
  }
}
