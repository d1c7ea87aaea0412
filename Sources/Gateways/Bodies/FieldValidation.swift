import PaymentToken
import StrictJSON
import TokenScanning

extension FieldForm {
  /// Whether a value has this form; `body` is the document that contains it.
  func accepts(_ value: JSON, in body: JSON) -> Bool {
    switch (self, value) {
    case (.constant(let expected), .string(let text)): text.utf8.elementsEqual(expected.utf8)
    case (.number(let expected), .number(let text)): text == expected
    case (.choice(let texts), .string(let text)): texts.contains { $0.utf8.elementsEqual(text.utf8) }
    case (.text(let range), .string(let text)): range.contains(text.unicodeScalars.count)
    case (.digits(let range), .string(let text)):
      range.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit)
    case (.digitsOrNumber(let range), .string(let text)), (.digitsOrNumber(let range), .number(let text)):
      range.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDecimalDigit)
    case (.maskedNumber, .string(let text)): Self.isMasked(text)
    case (.month, .string(let text)): Self.isMonth(text)
    case (.year, .string(let text)): text.utf8.count == 2 && text.utf8.allSatisfy(\.isDecimalDigit)
    case (.monthAndYear, .string(let text)):
      text.utf8.count == 4 && text.utf8.allSatisfy(\.isDecimalDigit) && Self.isMonth(String(text.prefix(2)))
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
    case (.dateTime, .string(let text)): Self.time(text) != nil
    case (.address, .string(let text)): Self.isAddress(text)
    case (.base64(let range), .string(let text)):
      Base64Text.decoded(Array(text.utf8)).map { range.contains($0.count) } ?? false
    case (.hexadecimal(let count), .string(let text)):
      text.utf8.count == 2 * count && HexText.isValid(Array(text.utf8).span)
    case (.strings(let texts), .array(let values)): Self.areStrings(values, outOf: texts)
    case (.tokenText, .string(let text)): Self.isToken(Array(text.utf8))
    case (.tokenBase64, .string(let text)): Base64Text.decoded(Array(text.utf8)).map(Self.isToken) ?? false
    case (.token, .object): value.isToken
    default: false
    }
  }

  /// Why an amount does not fit the currency that the body names; nil if it fits or no known currency is named.
  func amountError(of value: JSON, in body: JSON) -> AmountError? {
    let currency: JSON?
    switch (self, value) {
    case (.amount(let path), _), (.amountText(let path), .string): currency = body.value(at: path)
    default: return nil
    }
    guard let known = currency?.string.flatMap({ Currency.alphabetic($0) }) else { return nil }
    return switch value {
    case .number(let text), .string(let text):
      RequestTerms(amount: .decimal(text), currency: nil).amountError(in: known)
    default: nil
    }
  }

  /// Whether a text is an account number, masked or not.
  static func isMasked(_ text: String) -> Bool {
    (1...19).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        $0.isDecimalDigit || [UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "*")].contains($0)
      }
  }

  private static func isMonth(_ text: String) -> Bool {
    guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy(\.isDecimalDigit), let month = Int(text) else {
      return false
    }
    return (1...12).contains(month)
  }

  private static func isMinorUnits(_ text: String) -> Bool { (try? RequestFields.minorUnits(text)) != nil }

  /// Whether a text is an amount with no more decimals than the currency, if that is known.
  private static func isDecimal(_ text: String, in currency: JSON?) -> Bool {
    if case .string(let code)? = currency, let known = Currency.alphabetic(code) {
      return (try? known.minorUnits(ofDecimalText: text)) != nil
    }
    // No currency has more than four decimals.
    return DecimalText(text).map { $0.decimals.utf8.count <= 4 } ?? false
  }

  /// Parses a date and time of RFC 3339, and drops the fraction of its seconds.
  static func time(_ text: String) -> UnixTime? { UnixTime(rfc3339: withoutFraction(text)) }

  /// A date and time without the fraction that its seconds may have (RFC 3339 section 5.6).
  private static func withoutFraction(_ text: String) -> String {
    let seconds = text.prefix("YYYY-MM-DDThh:mm:ss".count)
    let rest = text[seconds.endIndex...]
    guard rest.first == "." else { return text }
    let digits = rest.dropFirst().utf8.prefix(while: \.isDecimalDigit)
    return digits.isEmpty ? text : String(seconds + rest[digits.endIndex...])
  }

  private static func isAddress(_ text: String) -> Bool {
    let rest = text.utf8.dropFirst("https://".utf8.count)
    // Only the first character is checked: a letter, a digit, or the bracket of an IPv6 address.
    let hasHost = rest.first.map { $0.isDecimalDigit || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "[") }
    return text.lowercased().hasPrefix("https://") && hasHost == true
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
  }

  private static func areStrings(_ values: [JSON], outOf texts: [String]) -> Bool {
    !values.isEmpty
      && values.allSatisfy { value in
        guard case .string(let text) = value else { return false }
        return texts.isEmpty || texts.contains { $0.utf8.elementsEqual(text.utf8) }
      }
  }

  private static func isToken(_ text: [UInt8]) -> Bool { (try? JSON(reading: text.span))?.isToken ?? false }
}

extension JSON {
  /// Whether it has a token's members; their content is left to an engine.
  fileprivate var isToken: Bool {
    guard case .object? = self["header"], case .string? = self["version"], case .string? = self["data"],
      case .string? = self["signature"]
    else { return false }
    return true
  }

  /// The value at a path of names joined by full stops; nil when there is none.
  func value(at path: String) -> JSON? { self[path.split(separator: ".")] }
}
