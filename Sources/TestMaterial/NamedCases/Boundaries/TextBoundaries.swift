import Gateways
import Minting
import PaymentToken
import TestCases

/// Rules 2.2 and 2.3: the bounds of escapes and of UTF-8, in the strings of each object that is read.
extension CaseList {
  /// A string of a request that no rule reads for its content.
  private enum TextPlace: String, CaseIterable {
    case value, longValue, name, headerValue, responseText, payloadName, requestValue, requestName, enclosedText

    /// The rule and the fault of malformed text there.
    func fault(_ clause: String) -> (clause: String, fault: TokenFault) {
      switch self {
      case .value, .longValue, .name, .headerValue, .enclosedText: (clause, .malformedJSON)
      case .responseText, .payloadName: ("13.1", .malformedPayload)
      case .requestValue, .requestName: ("0.2", .malformedEnvelope)
      }
    }

    /// Writes the characters of a string, without its quotes, to the place.
    func put(_ text: [UInt8], in draft: inout CaseDraft) throws {
      let quoted = [0x22] + text + [0x22]
      switch self {
      case .value: draft.json { $0.append("unknown", .raw(quoted)) }
      case .longValue:
        let filler = [UInt8](repeating: 0x78, count: 75)
        draft.json { $0.append("unknown", .raw([0x22] + filler + text + filler + [0x22])) }
      case .name: draft.json { $0.append("unknown", .raw([0x7B] + quoted + Array(":0}".utf8))) }
      case .headerValue: draft.header { $0.append("unknown", .raw(quoted)) }
      case .responseText:
        let response = JSONValue.raw(quoted)
        try draft.payload { $0.respond { $0["merchantIdentifier"] = response } }
      case .payloadName:
        let object = JSONValue.raw([0x7B] + quoted + Array(":0}".utf8))
        try draft.payload { $0.append("unknown", object) }
      case .requestValue: draft.enclose(.alphapay) { $0.append("unknown", .raw(quoted)) }
      case .requestName: draft.enclose(.mpgs) { $0.append("unknown", .raw([0x7B] + quoted + Array(":0}".utf8))) }
      case .enclosedText:
        draft.json { $0.append("unknown", .raw(quoted)) }
        draft.enclose(.bambora)
      }
    }
  }

  private mutating func text(
    _ clause: String, _ name: CaseName, _ text: [UInt8], isValid: Bool, surrogates: Bool = false,
    places: [TextPlace] = TextPlace.allCases
  ) {
    for place in places {
      let (clause, fault) = place.fault(clause)
      let standing: Standing? = surrogates && !isValid && clause == "2.3" ? .loneSurrogate : nil
      bound(clause, .standing(standing, "\(name)-in-\(place.rawValue.kebabCase)"), isValid ? nil : fault) {
        try place.put(text, in: &$0)
      }
    }
  }

  mutating func addEscapeBoundaries() {
    let single = Set(#""\/bfnrt"#.utf8)
    for byte in UInt8.min...UInt8.max {
      text("2.3", "escape-of-byte-\(byte)", [0x61, 0x5C, byte, 0x7A, 0x7A], isValid: single.contains(byte))
    }
    for index in 0..<4 {
      for byte in UInt8.min...UInt8.max {
        // A D as the first digit makes U+D141, which is no surrogate.
        var digits = Array("0141".utf8)
        digits[index] = byte
        let isHex = Character(UnicodeScalar(byte)).isHexDigit && byte < 0x80
        text(
          "2.3", "digit-\(index)-of-an-escape-is-byte-\(byte)", Array("\\u".utf8) + digits, isValid: isHex,
          places: [.value, .headerValue, .payloadName, .requestValue])
      }
    }
    let units: [UInt16] = [0xD7FF, 0xD800, 0xD801, 0xDBFE, 0xDBFF, 0xDC00, 0xDC01, 0xDFFE, 0xDFFF, 0xE000, 0xFFFF, 0]
    func isHigh(_ unit: UInt16) -> Bool { (0xD800...0xDBFF).contains(unit) }
    func isLow(_ unit: UInt16) -> Bool { (0xDC00...0xDFFF).contains(unit) }
    func unit(_ unit: UInt16) -> String { String(unit, radix: 16) }
    for first in units {
      let name: CaseName = "escape-\(unit(first))"
      text(
        "2.3", name, JSONText.escape(first), isValid: !isHigh(first) && !isLow(first), surrogates: true)
      for second in units {
        let isValid = isHigh(first) ? isLow(second) : !isLow(first) && !isHigh(second) && !isLow(second)
        text(
          "2.3", "\(name)-and-\(unit(second))", JSONText.escape(first) + JSONText.escape(second),
          isValid: isValid, surrogates: true)
      }
      text(
        "2.3", "\(name)-and-a-letter", JSONText.escape(first) + [0x61], isValid: !isHigh(first) && !isLow(first),
        surrogates: true)
    }
  }

  /// The expected verdict is that of Swift's own decoder of UTF-8, which the engines do not use.
  mutating func addCharacterBoundaries() {
    var sequences = (UInt8.min...UInt8.max).map { [$0] }
    let ends: [UInt8] = [0x7F, 0x80, 0xBF, 0xC0]
    for lead in [0xC0, 0xC1, 0xC2, 0xDF] as [UInt8] { for end in ends { sequences.append([lead, end]) } }
    for lead in [0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF] as [UInt8] {
      for second in [0x7F, 0x80, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
        for third in ends { sequences.append([lead, second, third]) }
      }
    }
    for lead in [0xF0, 0xF1, 0xF3, 0xF4, 0xF5] as [UInt8] {
      for second in [0x7F, 0x80, 0x8F, 0x90, 0xBF, 0xC0] as [UInt8] {
        for third in [0x80, 0xBF, 0xC0] as [UInt8] {
          for fourth in [0x7F, 0x80, 0xBF] as [UInt8] { sequences.append([lead, second, third, fourth]) }
        }
      }
    }
    for sequence in sequences {
      let isPlain = sequence.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
      // A quote ends the string, and a backslash begins an escape of the `z` after it.
      let isValid = isPlain && String(validating: sequence, as: UTF8.self) != nil
      let name = sequence.map { String($0, radix: 16) }.joined(separator: "-")
      text("2.2", "bytes-\(name)", sequence + [0x7A], isValid: isValid)
    }
  }

  /// Rule 13.3: mantissas and exponents around the bounds; the expected verdict is computed with digits, not numbers.
  mutating func addAmountBoundaries() {
    let mantissas = [
      "0", "1", "9", "10", "99", "100", "999999999999", "1000000000000", "999999999998", "100000000000", "0.0", "1.0",
      "1.5", "0.5", "0.05", "9.99", "12.50", "999999999999.0", "999999999999.5", "1000000000000.0", "0.000000000001",
      "99999999999.9", "9999999999.99", "18446744073709551615", "18446744073709551616", "9223372036854775808",
    ]
    let exponents = [
      "", "e0", "E0", "e+0", "e1", "e2", "E+2", "e11", "e12", "e012", "e13", "e0000000000012", "e-0", "e-1",
    ]
    for mantissa in mantissas {
      for exponent in exponents {
        let text = mantissa + exponent
        let name = text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        let marks =
          (text.contains(".") ? "-with-a-point" : "") + (text.contains("E") ? "-capital" : "")
          + (text.contains("+") ? "-with-a-plus" : "") + (text.contains("-") ? "-with-a-minus" : "")
        let isAmount = Self.isAmount(mantissa, exponent)
        let plain = isAmount && text.allSatisfy(\.isNumber) ? Standing(.apple, .apple, .interoperability) : nil
        bound("13.3", .standing(plain, "amount-\(name)\(marks)"), isAmount ? nil : .malformedPayload) {
          try $0.payload { $0["transactionAmount"] = .raw(text) }
        }
      }
    }
  }

  /// Whether a number is an integer of 0 to 10^12 − 1, with an exponent of at most 12 and without a minus.
  private static func isAmount(_ mantissa: String, _ exponent: String) -> Bool {
    guard !exponent.contains("-") else { return false }
    let power = Int(exponent.filter(\.isNumber)) ?? 0
    guard power <= 12 else { return false }
    let parts = mantissa.split(separator: ".").map { String($0) }
    let fraction = parts.count > 1 ? parts[1] : ""
    // The point moves to the right; what stays behind it must be zeros.
    let kept = fraction.prefix(power)
    guard fraction.dropFirst(power).allSatisfy({ $0 == "0" }) else { return false }
    let digits = parts[0] + kept + String(repeating: "0", count: power - kept.count)
    return digits.drop { $0 == "0" }.count <= 12
  }
}
