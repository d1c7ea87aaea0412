import StrictJSON

/// Other spellings of the same JSON. Named spellings and the fuzzer share these steps. Named spellings choose by a rule
/// where a step applies, the fuzzer chooses at random.
extension JSONPiece {
  /// A string of the same content with some characters escaped. Existing escapes stay, and so does text that is no
  /// string or not UTF-8.
  ///
  /// - Parameter escape: the escape for a character outside existing escapes; nil leaves the character as it is.
  package static func respelled(_ text: [UInt8], _ escape: (Unicode.Scalar) -> [UInt8]?) -> [UInt8] {
    guard text.count >= 2, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""),
      let inside = String(validating: text[1..<text.count - 1], as: UTF8.self)
    else { return text }
    var result = [UInt8(ascii: "\"")]
    result.reserveCapacity(text.count)
    // How many characters of the current escape are left.
    var left = 0
    for scalar in inside.unicodeScalars {
      if left == 1, scalar == "u" { left = 5 }
      if left == 0, scalar != "\\", let escape = escape(scalar) {
        result += escape
        continue
      }
      if scalar.isASCII { result.append(UInt8(scalar.value)) } else { result += Array(String(scalar).utf8) }
      left = left > 0 ? left - 1 : scalar == "\\" ? 1 : 0
    }
    return result + [UInt8(ascii: "\"")]
  }

  /// A character as `\uXXXX`, or as two of them beyond U+FFFF.
  package static func escape(of scalar: Unicode.Scalar) -> [UInt8] {
    String(scalar).utf16.flatMap(JSONText.escape)
  }

  /// The text with white space before and after its structural characters.
  ///
  /// - Parameter space: called once for each place; the bytes to insert there.
  package static func spaced(_ text: [UInt8], _ space: () -> [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 64)
    var isInString = false
    var isEscaped = false
    for byte in text {
      if isInString {
        result.append(byte)
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      let isStructural = [0x7B, 0x7D, 0x5B, 0x5D, 0x3A, 0x2C].contains(byte)
      if isStructural { result += space() }
      result.append(byte)
      if isStructural { result += space() }
      isInString = byte == UInt8(ascii: "\"")
    }
    return result
  }

  /// Whether any object has a repeated name, compared after unescaping.
  package var repeatsNames: Bool {
    switch self {
    case .scalar: return false
    case .array(let elements): return elements.contains { $0.repeatsNames }
    case .object(let members):
      let names = Set(members.map { Self.content(of: $0.name) ?? $0.name })
      return names.count < members.count || members.contains { $0.value.repeatsNames }
    }
  }

  /// The same document with the names of its objects and its string values respelled.
  package func respelling(
    names: ([UInt8]) -> [UInt8] = { $0 }, strings: ([UInt8]) -> [UInt8] = { $0 }
  ) -> JSONPiece {
    switch self {
    case .scalar(let text): .scalar(text.first == UInt8(ascii: "\"") ? strings(text) : text)
    case .array(let elements): .array(elements.map { $0.respelling(names: names, strings: strings) })
    case .object(let members):
      .object(members.map { Member(name: names($0.name), $0.value.respelling(names: names, strings: strings)) })
    }
  }
}
