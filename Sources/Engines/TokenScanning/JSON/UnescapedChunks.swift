import CTextKernels

/// Iterates over the content of a scanned string, up to 512 bytes at a time, which a text kernel unescapes.
///
/// Each chunk is as much text as the buffer has room for. If the end of a chunk cuts an escape off, the kernel stops
/// before it, and the next chunk begins with it.
struct UnescapedChunks {
  private static var capacity: Int { 512 }

  private var position: Int
  private let end: Int
  private let kernel: TextKernel
  private var buffer = InlineArray<512, UInt8>(repeating: 0)
  /// The range of the bytes in the buffer that are not consumed yet.
  private var first = 0
  private var last = 0

  init(_ string: JSONString, with kernel: TextKernel = .current) {
    position = string.start
    end = string.end
    self.kernel = kernel
  }

  /// The bytes that can be consumed next.
  var span: Span<UInt8> {
    @_lifetime(borrow self)
    borrowing get { buffer.span.extracting(first..<last) }
  }

  mutating func consume(_ count: Int) {
    precondition(count >= 0 && count <= last - first)
    first += count
  }

  /// Unescapes another chunk if `span` has fewer than eight bytes. Returns the number of bytes in `span`.
  mutating func refill(from input: Span<UInt8>) -> Int {
    let kept = last - first
    guard kept < 8, position < end else { return kept }
    for index in 0..<kept { buffer[index] = buffer[first + index] }
    let size = min(Self.capacity - kept, end - position)
    var output = buffer.mutableSpan
    let copy = input.extracting(position...).withUnsafeBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return assay_json_copy() }
        return kernel.table.pointee.json_unescape(source, size, target + kept)
      }
    }
    // Every escape is shorter than the buffer.
    precondition(copy.read > 0)
    position += copy.read
    first = 0
    last = kept + copy.written
    return last
  }
}
