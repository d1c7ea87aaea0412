import CTextKernels

/// A well-formed JSON string, as a range of its input without the quotes.
///
/// A value has only eight bytes, because the many strings of a token are stored and passed together. Inputs have less
/// than 2^31 bytes.
@frozen
public struct JSONString: Sendable, BitwiseCopyable {
  @usableFromInline let first: UInt32
  /// The end; the highest bit is set if there are escapes.
  @usableFromInline let last: UInt32

  /// The index of the first byte after the opening quote.
  @inlinable
  public var start: Int { Int(first) }
  /// The index of the closing quote.
  @inlinable
  public var end: Int { Int(last & 0x7FFF_FFFF) }
  /// Whether the string contains escapes, so that the bytes differ from the content.
  @inlinable
  public var hasEscapes: Bool { last >> 31 == 1 }

  /// Creates a string from its position in an input of less than 2^31 bytes.
  @inline(__always)
  package init(start: Int, end: Int, hasEscapes: Bool) {
    precondition(start >= 0 && start <= end && end <= Int32.max)
    first = UInt32(truncatingIfNeeded: start)
    last = UInt32(truncatingIfNeeded: end) | (hasEscapes ? 1 << 31 : 0)
  }

  /// The empty string at position 0.
  static var empty: JSONString { JSONString(start: .zero, end: .zero, hasEscapes: false) }

  /// The bytes as written.
  @inlinable
  public var range: Range<Int> { start..<end }

  /// Whether the content, unescaped, is `text`.
  @inline(__always)
  public func equals(_ text: StaticString, in input: Span<UInt8>) -> Bool {
    if hasEscapes { return equals(Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount), in: input) }
    // `elementsEqual` compares the counts, too; comparing them here saves the slice.
    return end &- start == text.utf8CodeUnitCount && input.extracting(range).elementsEqual(text)
  }

  /// Whether the content, unescaped, is these bytes.
  @inline(__always)
  public func equals(_ text: Span<UInt8>, in input: Span<UInt8>) -> Bool {
    if hasEscapes { return equalsUnescaped(text, in: input) }
    return end &- start == text.count && input.extracting(range).elementsEqual(text)
  }

  @usableFromInline
  func equalsUnescaped(_ text: Span<UInt8>, in input: Span<UInt8>) -> Bool {
    var content = UnescapedBytes(self)
    for index in 0..<text.count {
      guard content.next(in: input) == text[index] else { return false }
    }
    return content.next(in: input) == nil
  }

  /// Whether two strings of the same input have the same content.
  public func hasSameContent(as other: JSONString, in input: Span<UInt8>) -> Bool {
    // A shortcut: the loop below gives the same result.
    if !hasEscapes, !other.hasEscapes, end - start != other.end - other.start { return false }
    var left = UnescapedChunks(self)
    var right = UnescapedChunks(other)
    while true {
      let leftCount = left.refill(from: input)
      let rightCount = right.refill(from: input)
      let count = min(leftCount, rightCount)
      guard count > 0 else { return leftCount == rightCount }
      guard left.span.extracting(first: count).elementsEqual(right.span.extracting(first: count)) else { return false }
      left.consume(count)
      right.consume(count)
    }
  }

  /// A hash of the content, equal for equal contents however they are escaped. Its seed differs in every process.
  package func contentHash(in input: Span<UInt8>) -> Int {
    var hasher = Hasher()
    var content = UnescapedChunks(self)
    var total = 0
    while true {
      let count = content.refill(from: input)
      total += count
      guard count >= 8 else { break }
      // Hash whole words, so that the hash does not depend on the ends of the chunks.
      let words = count / 8 * 8
      for index in stride(from: 0, to: words, by: 8) {
        hasher.combine(content.span.bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      }
      content.consume(words)
      total -= count - words
    }
    for index in content.span.indices { hasher.combine(content.span[index]) }
    hasher.combine(total)
    return hasher.finalize()
  }

  /// Writes the content into `output` and returns its length.
  ///
  /// - Parameters:
  ///   - output: room for `end - start` bytes; unescaping never lengthens a string.
  ///   - kernel: a kernel that this machine can run.
  public func unescape(
    from input: Span<UInt8>, into output: inout MutableSpan<UInt8>, with kernel: TextKernel = .current
  ) -> Int {
    let length = end - start
    precondition(output.count >= length)
    let copy = input.extracting(range).withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return assay_json_copy() }
        return kernel.table.pointee.json_unescape(source, length, target)
      }
    }
    // The scanner accepted the string, so the kernel reads it to its end.
    precondition(copy.read == length)
    return copy.written
  }

  /// The content as a `String`.
  public func text(in input: Span<UInt8>) -> String {
    String(decoding: bytes(in: input), as: UTF8.self)
  }

  /// The content as UTF-8 bytes.
  public func bytes(in input: Span<UInt8>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: end - start)
    var output = bytes.mutableSpan
    let count = unescape(from: input, into: &output)
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
