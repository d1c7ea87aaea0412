public import StrictJSON

// What requests and answers are made of; whoever imports Gateways need not know where it is from.

/// JSON text under construction.
public typealias JSONValue = StrictJSON.JSONValue
/// A JSON object under construction.
public typealias JSONObject = StrictJSON.JSONObject
/// Where white space goes in JSON text.
public typealias JSONSpacing = StrictJSON.JSONSpacing
/// Strings as JSON text.
public typealias JSONText = StrictJSON.JSONText

extension String {
  /// Whether all of it is ASCII. Swift takes canonically equivalent texts for equal (U+212A for K); of ASCII texts only the same.
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension RawRepresentable<String> {
  /// The value whose raw text, all ASCII, is the same byte for byte.
  init?(exactly text: String) {
    guard text.isASCII else { return nil }
    self.init(rawValue: text)
  }
}

extension String {
  /// Nil for the empty text.
  var nonEmpty: String? { isEmpty ? nil : self }
}

extension UInt8 {
  /// Whether it is an ASCII digit.
  var isDecimalDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  /// Whether it is an ASCII letter or digit.
  var isLetterOrDigit: Bool { isDecimalDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
}
