import PaymentToken
import StrictJSON
import TokenScanning

/// The values at some paths of a request; only the syntax of everything else is checked.
struct RequestFields {
  /// Values by path; objects as written, from `{` to `}`.
  private var values: [String: JSON] = [:]

  /// Reads the values at these paths, names joined by full stops.
  ///
  /// - Throws: `malformed`, `repeatedName` for a name on a path, `wrongType` for a path through anything but objects.
  init(_ paths: [String], of request: Span<UInt8>) throws(RequestError) {
    guard request.count <= Envelope.maximumRequestSize else { throw .malformed }
    do {
      var scanner = JSONScanner(request)
      scanner.skipWhitespace()
      try scanner.skipValue(depth: 0)
      try scanner.expectEnd()
      scanner = JSONScanner(request)
      scanner.skipWhitespace()
      try read(&scanner, paths: paths.map { $0.split(separator: ".")[...] }, under: "", depth: 1)
    } catch let error as RequestError {
      throw error
    } catch {
      throw .malformed
    }
  }

  /// Reads an object at this depth; `paths` continue from it.
  private mutating func read(
    _ scanner: inout JSONScanner, paths: [ArraySlice<Substring>], under prefix: String, depth: Int
  ) throws {
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      let input = scanner.input
      let inner = paths.filter { path in path.first.map { name.equals(String($0).utf8.span, in: input) } ?? false }
      if let first = inner.first?.first {
        try read(&scanner, at: prefix + first, paths: inner.map { $0.dropFirst() }, depth: depth)
      } else {
        try scanner.skipValue(depth: depth)
      }
      more = try scanner.continuesObject()
    }
  }

  private mutating func read(
    _ scanner: inout JSONScanner, at path: String, paths: [ArraySlice<Substring>], depth: Int
  ) throws {
    guard values[path] == nil else { throw RequestError.repeatedName(path: path) }
    if scanner.next == UInt8(ascii: "{") {
      let start = scanner.position
      // Marks the path as read, so that a repeated name is found.
      values[path] = .verbatim("")
      try read(&scanner, paths: paths.filter { !$0.isEmpty }, under: path + ".", depth: depth + 1)
      if paths.contains(where: \.isEmpty) {
        values[path] = .verbatim(String(streamSafe: (start..<scanner.position).map { scanner.input[$0] }))
      }
    } else {
      guard paths.contains(where: \.isEmpty) else { throw RequestError.wrongType(path: path) }
      values[path] = try JSON(reading: &scanner, depth: depth, within: JSONLimits(namesRepeat: true))
    }
  }

  // MARK: Values by type; nil if absent

  func isNull(_ path: String) -> Bool {
    if case .null = values[path] { return true }
    return false
  }

  func has(_ path: String) -> Bool { values[path] != nil }

  /// A required value, read by one of the functions below; throws `missing` if it is absent.
  func required<Value>(
    _ path: String, _ read: (String) throws(RequestError) -> Value?
  ) throws(RequestError) -> Value {
    guard let value = try read(path) else { throw .missing(path: path) }
    return value
  }

  /// The value at a path, converted by `take`, which returns nil for another type.
  private func value<Kind>(_ path: String, _ take: (JSON) -> Kind?) throws(RequestError) -> Kind? {
    guard let value = values[path] else { return nil }
    guard let taken = take(value) else { throw .wrongType(path: path) }
    return taken
  }

  func string(_ path: String) throws(RequestError) -> String? {
    try value(path) { if case .string(let text) = $0 { text } else { nil } }
  }

  /// A number as written.
  func number(_ path: String) throws(RequestError) -> String? {
    try value(path) { if case .number(let text) = $0 { text } else { nil } }
  }

  /// A number, or any string, as written.
  func numberOrString(_ path: String) throws(RequestError) -> String? {
    if case .string(let text) = values[path] { return text }
    return try number(path)
  }

  func boolean(_ path: String) throws(RequestError) -> Bool? {
    try value(path) { if case .boolean(let boolean) = $0 { boolean } else { nil } }
  }

  /// An object's text.
  func object(_ path: String) throws(RequestError) -> [UInt8]? {
    try value(path) { if case .verbatim(let text) = $0 { Array(text.utf8) } else { nil } }
  }

  func strings(_ path: String) throws(RequestError) -> [String]? {
    try value(path) { value in
      let strings = value.elements?.compactMap(\.string)
      return strings?.count == value.elements?.count ? strings : nil
    }
  }

  /// A string that is a case's raw value.
  func choice<Choice: RawRepresentable<String>>(_ path: String, _: Choice.Type) throws(RequestError) -> Choice? {
    guard let text = try string(path) else { return nil }
    guard let choice = Choice(exactly: text) else { throw .unknownValue(path: path) }
    return choice
  }

  /// ISO 4217, three letters.
  func currency(_ path: String) throws(RequestError) -> Currency? {
    guard let text = try string(path) else { return nil }
    guard let currency = Currency.alphabetic(text) else { throw .unknownCurrency(path: path) }
    return currency
  }

  /// Minor units as digits without a leading zero, 0...10^12-1.
  static func minorUnits(_ text: String?) throws(RequestError) -> Int64? {
    guard let text else { return nil }
    let digits = text.utf8
    guard !digits.isEmpty, digits.allSatisfy(\.isDecimalDigit),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { throw .invalidAmount(.notMinorUnits) }
    guard let amount = Int64(text), amount <= Currency.largestAmount else { throw .invalidAmount(.outOfRange) }
    return amount
  }
}

/// Why a request's fields cannot be read or are not enough. Paths have full stops between names.
@nonexhaustive
public enum RequestError: Error, Hashable, Sendable {
  /// Not a strict JSON object by the rules for tokens (Docs/Verification.md 2.1-2.4), or more than 65,536 bytes.
  case malformed
  /// A name that is read occurs twice in its object.
  case repeatedName(path: String)
  /// The value has another type than documented; null is another type.
  case wrongType(path: String)
  /// The value is not one of the documented values.
  case unknownValue(path: String)
  /// Two members that must agree differ, or two that exclude each other are present.
  case contradiction(path: String, other: String)
  /// The value is not an ISO 4217 code of three letters.
  case unknownCurrency(path: String)
  /// The amount cannot be read, or does not fit its currency.
  case invalidAmount(AmountError)
  /// A required field is absent.
  case missing(path: String)
  /// Requests of this kind contain no amount.
  case noAmount
  /// Requests of this kind contain no currency.
  case noCurrency
  /// The request names another currency than the caller.
  case otherCurrency
}
