import CSodium

/// Strict base64 (rule 4.1): RFC 4648 section 4, padded, trailing bits zero, no other characters.
///
/// This code checks the rule. libsodium only converts.
package enum StrictBase64 {
  /// The decoded size in bytes; nil when `text` is not strict base64.
  package static func decodedCount(_ text: WipedSlice) -> Int? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let padding = text.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
    let digits = text.dropLast(padding)
    guard digits.allSatisfy({ digitValue($0) != nil }) else { return nil }
    // One padding character leaves two bits of the last digit unused, two leave four.
    if padding > 0, let last = digits.last.flatMap(digitValue) {
      let unused: UInt8 = padding == 1 ? 0b11 : 0b1111
      guard last & unused == 0 else { return nil }
    }
    return text.count / 4 * 3 - padding
  }

  /// The decoded bytes; nil when `text` is not strict base64.
  package static func decode(_ text: WipedSlice) -> [UInt8]? {
    guard let count = decodedCount(text) else { return nil }
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    var written = 0
    let status = text.withContiguousStorageIfAvailable { characters in
      characters.withMemoryRebound(to: CChar.self) { characters in
        sodium_base642bin(
          &bytes, count, characters.baseAddress, characters.count, nil, &written, nil,
          sodium_base64_VARIANT_ORIGINAL)
      }
    }
    // `decodedCount` has accepted the text: libsodium must agree.
    guard status == 0, written == count else { return nil }
    return bytes
  }

  private static func digitValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

/// Strict hexadecimal (rule 4.2): even length, digits of either case.
package enum StrictHex {
  /// The decoded size in bytes; nil when `text` is not hexadecimal.
  package static func decodedCount(_ text: WipedSlice) -> Int? {
    guard text.count.isMultiple(of: 2), text.allSatisfy({ $0.hexDigitValue != nil }) else { return nil }
    return text.count / 2
  }

  /// The decoded bytes; nil when `text` is not hexadecimal.
  package static func decode(_ text: WipedSlice) -> [UInt8]? {
    guard let count = decodedCount(text) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
      guard let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}

extension UInt8 {
  /// `0`...`9`.
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The value of a hexadecimal digit of either case; nil for any other character.
  var hexDigitValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
