/// Hexadecimal text (RFC 4648 section 8) for output and configuration. The engines decode tokens with their own
/// readers.
public enum Hex {
  /// Encodes bytes in lower-case digits.
  public static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes digits of either case; nil for an odd length or any other character.
  public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

  /// Decodes digits of either case; nil for an odd length or any other character.
  package static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: digits.startIndex, to: digits.endIndex, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Base64 (RFC 4648 section 4), encoding only. The engines decode tokens with their own readers.
public enum Base64 {
  /// Encodes bytes in the standard alphabet, padded and without line breaks.
  public static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let left = min(3, bytes.count - start)
      // Bytes that are missing at the end become padding.
      let group =
        UInt32(bytes[start]) << 16
        | (left > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[start + 2]) : 0)
      for position in 0..<4 {
        let pad = position > left
        text.append(pad ? UInt8(ascii: "=") : alphabet[Int(group >> UInt32(18 - 6 * position)) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
