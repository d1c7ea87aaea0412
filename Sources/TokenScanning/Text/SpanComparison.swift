extension Span<UInt8> {
  /// Whether the octets are exactly those of a static string.
  @inlinable
  public func elementsEqual(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return elementsEqual(Span(_unsafeStart: text.utf8Start, count: count))
  }

  /// Whether the octets come before another span's: the shorter first, then by the first difference.
  func precedes(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return count < other.count }
    for index in 0..<count where self[index] != other[index] {
      return self[index] < other[index]
    }
    return false
  }

  /// Whether the octets are exactly those of another span.
  @inline(__always)
  @inlinable
  public func elementsEqual(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let left = bytes
    let right = other.bytes
    var index = 0
    // Word by word: the loop's bound keeps the eight octets inside both spans.
    while index &+ 8 <= count {
      let difference =
        left.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
        ^ right.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard difference == 0 else { return false }
      index &+= 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }
}
