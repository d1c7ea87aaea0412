#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Span<UInt8> {
  /// Whether the bytes equal another span's, by the C library's vectorized comparison. For spans of thousands of bytes.
  public func elementsEqualByVectors(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { other in
        guard let own = own.baseAddress, let other = other.baseAddress else { return true }
        // The guard above checked the counts.
        return memcmp(own, other, count) == 0
      }
    }
  }

  /// Whether the bytes equal those of a static string.
  @inlinable
  public func elementsEqual(_ text: StaticString) -> Bool {
    elementsEqual(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Whether the bytes are ordered before another span's: by length, then by the first difference.
  func precedes(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return count < other.count }
    for index in 0..<count where self[index] != other[index] {
      return self[index] < other[index]
    }
    return false
  }

  /// Whether the bytes equal those of another span.
  @inline(__always)
  @inlinable
  public func elementsEqual(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    let left = bytes
    let right = other.bytes
    // Word by word; the last word overlaps the one before, so that it stays inside both spans.
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
    if count >= 4 {
      return !differ(at: 0, by: UInt32.self) && !differ(at: count &- 4, by: UInt32.self)
    }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}
