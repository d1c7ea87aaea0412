public import StrictJSON

// The JSON types that requests are made of, so that users of Gateways need no second import.

/// JSON text under construction.
public typealias JSONValue = StrictJSON.JSONValue
/// A JSON object under construction.
public typealias JSONObject = StrictJSON.JSONObject
/// The placement of white space in JSON text.
public typealias JSONSpacing = StrictJSON.JSONSpacing
/// Strings as JSON text.
public typealias JSONText = StrictJSON.JSONText

extension String {
  /// Whether all characters are ASCII. Check it before `==` or a lookup: Swift compares strings by canonical
  /// equivalence (the Kelvin sign, U+212A, equals "K"), which for two ASCII strings means byte by byte.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
  var nonEmpty: String? { isEmpty ? nil : self }
}

extension RawRepresentable<String> {
  /// The value with exactly this raw text, which must be ASCII.
  init?(exactly text: String) {
    guard text.isASCII else { return nil }
    self.init(rawValue: text)
  }
}

extension UInt8 {
  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  package var isLetterOrDigit: Bool { isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
