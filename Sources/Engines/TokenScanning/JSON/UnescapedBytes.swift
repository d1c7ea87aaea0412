import CTextKernels

/// Iterates over the content of a scanned string, one byte of UTF-8 at a time.
struct UnescapedBytes {
  private var position: Int
  private let end: Int
  /// The remaining bytes of an escaped scalar.
  private var pending = UTF8.EncodedScalar()

  init(_ string: JSONString) {
    position = string.start
    end = string.end
  }

  @inline(__always)
  mutating func next(in input: Span<UInt8>) -> UInt8? {
    if !pending.isEmpty { return pending.removeFirst() }
    guard position < end else { return nil }
    let byte = input[position]
    if byte == UInt8(ascii: "\\") { return escaped(in: input) }
    position += 1
    return byte
  }

  /// The first byte of the scalar of the next escape; stores the others.
  @inline(never)
  private mutating func escaped(in input: Span<UInt8>) -> UInt8 {
    let escape = input.extracting(position..<end).withUnsafeBufferPointer { text in
      text.baseAddress.map { assay_json_read_escape($0, text.count) } ?? assay_json_escape()
    }
    // The scanner accepted the string, so each of its escapes is valid.
    guard escape.length > 0, let scalar = Unicode.Scalar(escape.scalar) else { preconditionFailure("invalid escape") }
    position += escape.length
    if let byte = UInt8(exactly: escape.scalar), byte < 0x80 { return byte }
    pending = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    return pending.removeFirst()
  }
}
