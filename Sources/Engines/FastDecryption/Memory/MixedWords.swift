extension UInt64 {
  /// An odd multiplier with irregular bits, 2^64 divided by the golden ratio.
  static var mixer: UInt64 { 0x9E37_79B9_7F4A_7C15 }
}

extension Span<UInt8> {
  /// A hash of the count and of the eight bytes at each multiple of `stride`. It does not resist collisions, so callers
  /// compare entries in full.
  func mixedWords(every stride: Int) -> UInt64 {
    let bytes = bytes
    var sum = UInt64(count)
    var index = 0
    // The loop's condition keeps the eight bytes inside the span.
    while index &+ 8 <= count {
      let word = bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      sum = (sum ^ word) &* UInt64.mixer
      sum ^= sum >> 29
      index &+= stride
    }
    return sum
  }
}
