extension Span<UInt8> {
  /// Whether the bytes are exactly those of a static string.
  @inlinable
  public func elementsEqual(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    return elementsEqual(Span(_unsafeStart: text.utf8Start, count: count))
  }

  /// Whether the bytes come before another span's: the shorter first, then by the first difference.
  func precedes(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return count < other.count }
    for index in 0..<count where self[index] != other[index] {
      return self[index] < other[index]
    }
    return false
  }

  /// Whether the bytes are exactly those of another span.
  @inline(__always)
  @inlinable
  public func elementsEqual(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let left = bytes
    let right = other.bytes
    // Word by word, the last of them over bytes of the one before: eight from `index` on are inside both spans.
    func differ<Word: FixedWidthInteger & BitwiseCopyable>(at index: Int, by type: Word.Type) -> Bool {
      left.unsafeLoadUnaligned(fromByteOffset: index, as: type)
        != right.unsafeLoadUnaligned(fromByteOffset: index, as: type)
    }
    if count >= 8 {
      var index = 0
      while index < count &- 8 {
        if differ(at: index, by: UInt64.self) { return false }
        index &+= 8
      }
      return !differ(at: count &- 8, by: UInt64.self)
    }
    if count >= 4 { return !differ(at: 0, by: UInt32.self) && !differ(at: count &- 4, by: UInt32.self) }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}
