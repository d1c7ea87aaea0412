import CSodium
import HostIO

/// Reads lines of bounded length from a descriptor. Each line is wiped before the next one is read.
package struct LineReader: ~Copyable {
  /// The result of reading a line.
  package enum Line {
    /// A line, available from `withLine`.
    case complete
    /// A line beyond the limit, which was skipped.
    case tooLong
    case end
  }

  private let descriptor: Int32
  private let limit: Int
  private var buffer: [UInt8]
  /// The range of the current line, without its newline.
  private var line = 0..<0
  /// The range of the bytes read after that line.
  private var rest = 0..<0

  /// - Parameter limit: the maximum size of a line in bytes, without its newline.
  package init(_ descriptor: Int32, limit: Int) {
    self.descriptor = descriptor
    self.limit = limit
    buffer = [UInt8](repeating: 0, count: limit + 1)
  }

  /// Reads the next line. The last one needs no newline.
  ///
  /// - Throws: `DescriptorFailure` when the descriptor cannot be read.
  package mutating func next() throws(DescriptorFailure) -> Line {
    forgetLine()
    var isTooLong = false
    var searched = rest.lowerBound
    while true {
      if let newline = buffer[searched..<rest.upperBound].firstIndex(of: UInt8(ascii: "\n")) {
        line = rest.lowerBound..<newline
        rest = newline + 1..<rest.upperBound
        return isTooLong ? .tooLong : .complete
      }
      if rest.count > limit {
        isTooLong = true
        wipe(rest)
        rest = 0..<0
      }
      moveRestToFront()
      searched = rest.upperBound
      guard try fill() else {
        line = rest
        rest = rest.upperBound..<rest.upperBound
        if isTooLong { return .tooLong }
        return line.isEmpty ? .end : .complete
      }
    }
  }

  /// Calls `body` with the current line.
  package func withLine<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(buffer.span.extracting(line))
  }

  /// Wipes the current line.
  package mutating func forgetLine() {
    wipe(line)
    line = 0..<0
  }

  private mutating func moveRestToFront() {
    guard rest.lowerBound > 0 else { return }
    let count = rest.count
    buffer.withUnsafeMutableBytes { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[rest]))
    }
    wipe(max(count, rest.lowerBound)..<rest.upperBound)
    rest = 0..<count
  }

  /// Reads more bytes after the rest; false at the end of the input.
  private mutating func fill() throws(DescriptorFailure) -> Bool {
    let (count, failure) = buffer.withUnsafeMutableBytes { bytes in
      Descriptor.readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[rest.upperBound...]))
    }
    if failure != 0 { throw DescriptorFailure(number: failure) }
    rest = rest.lowerBound..<rest.upperBound + count
    return count > 0
  }

  private mutating func wipe(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      sodium_memzero(start + range.lowerBound, range.count)
    }
  }
}

/// A descriptor could not be read.
package struct DescriptorFailure: Error {
  /// errno
  package let number: Int32
}
