/// How characters in a string are escaped. Each case includes the escapes of those before it.
public enum JSONEscapes: Comparable, Sendable {
  /// Only what RFC 8259 requires; control characters are `\u00XX`.
  case fewest
  /// Line feeds are `\n`.
  case lineFeeds
  /// Carriage returns and tabs are `\r` and `\t`.
  case lineBreaks
  /// All non-printing characters, such as those that change a terminal's colours or text direction, are `\uXXXX`.
  case controls
}

/// Strings as JSON text.
public enum JSONText {
  /// A quoted string with these escapes.
  public static func quoted(_ text: String, _ escapes: JSONEscapes = .fewest) -> [UInt8] {
    quoted(content: text.utf8, escapes)
  }

  /// A quoted string with every UTF-16 code unit as `\uXXXX`.
  public static func escaped(_ text: String) -> [UInt8] {
    [UInt8(ascii: "\"")] + text.utf16.flatMap(escape) + [UInt8(ascii: "\"")]
  }

  /// A quoted string of UTF-8 bytes with these escapes.
  public static func quoted(bytes: [UInt8], _ escapes: JSONEscapes = .lineBreaks) -> [UInt8] {
    quoted(content: bytes, escapes)
  }

  private static func quoted(content: some Collection<UInt8>, _ escapes: JSONEscapes) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count + 2)
    bytes.append(UInt8(ascii: "\""))
    let isPlain = content.allSatisfy(isPlain)
    if isPlain {
      bytes += content
    } else {
      for byte in content { append(byte, to: &bytes, escapes) }
    }
    bytes.append(UInt8(ascii: "\""))
    return isPlain || escapes < .controls ? bytes : printable(bytes)
  }

  /// Whether a byte never needs an escape, which is the common case.
  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8], _ escapes: JSONEscapes) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0x0A where escapes != .fewest: bytes += Array("\\n".utf8)
    case 0x0D where escapes > .lineFeeds: bytes += Array("\\r".utf8)
    case 0x09 where escapes > .lineFeeds: bytes += Array("\\t".utf8)
    case 0..<0x20: bytes += escape(UInt16(byte))
    default: bytes.append(byte)
    }
  }

  /// The document on one line with non-printing characters escaped, so that it can be pasted into a terminal. Such
  /// characters occur only in strings.
  public static func printable(_ document: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(document.count)
    var (isInString, isEscaped) = (false, false)
    for scalar in String(decoding: document, as: UTF8.self).unicodeScalars {
      if !isInString, [" ", "\t", "\n", "\r"].contains(scalar) { continue }
      let isQuote = scalar == "\"" && !isEscaped
      isEscaped = isInString && scalar == "\\" && !isEscaped
      if isQuote { isInString.toggle() }
      if isPrintable(scalar) {
        bytes += Array(String(scalar).utf8)
      } else {
        bytes += String(scalar).utf16.flatMap(escape)
      }
    }
    return bytes
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
    default: true
    }
  }

  /// A UTF-16 code unit as `\uXXXX`, a lone surrogate too.
  public static func escape(_ unit: UInt16) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return Array("\\u".utf8) + stride(from: 12, through: 0, by: -4).map { digits[Int(unit >> UInt16($0) & 15)] }
  }
}
