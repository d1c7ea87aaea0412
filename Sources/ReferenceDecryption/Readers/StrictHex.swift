/// Hexadecimal text as tokens carry it: even length, digits of either case (rule 4.2).
package enum StrictHex {
  /// The number of octets `text` stands for; nil when it is not hexadecimal.
  package static func decodedCount(_ text: WipedSlice) -> Int? {
    guard text.count.isMultiple(of: 2), text.allSatisfy({ $0.hexDigitValue != nil }) else { return nil }
    return text.count / 2
  }

  /// The octets `text` stands for; nil when it is not hexadecimal.
  package static func decode(_ text: WipedSlice) -> [UInt8]? {
    guard let count = decodedCount(text) else { return nil }
    var octets: [UInt8] = []
    octets.reserveCapacity(count)
    for index in stride(from: text.startIndex, to: text.endIndex, by: 2) {
      guard let high = text[index].hexDigitValue, let low = text[index + 1].hexDigitValue else { return nil }
      octets.append(high << 4 | low)
    }
    return octets
  }
}
