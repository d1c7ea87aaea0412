import CSodium

/// Reads lines of bounded length from a descriptor.
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
  private let wipesLines: Bool
  private let stop: StopSignal?
  private var buffer: [UInt8]
  private var isAtEnd = false
  /// The range of the current line, without its newline.
  private var line = 0..<0
  /// The range of the bytes read after that line.
  private var rest = 0..<0
  /// The first line end in `rest`, if `isReady` has found it.
  private var foundNewline: Int?
  /// The number of bytes read so far.
  package private(set) var bytesRead = 0

  /// - Parameters:
  ///   - limit: the maximum size of a line in bytes, without its newline.
  ///   - wipesLines: whether a line is wiped before the next one is read, and its other copies as well.
  ///   - capacity: how much to read at once, if that is more than a line.
  ///   - stop: ends the input when it is raised.
  package init(_ descriptor: Int32, limit: Int, wipesLines: Bool = true, capacity: Int = 0, stop: StopSignal? = nil) {
    self.descriptor = descriptor
    self.limit = limit
    self.wipesLines = wipesLines
    self.stop = stop
    buffer = [UInt8](repeating: 0, count: max(limit + 1, capacity))
  }

  /// Reads the next line. The last one needs no newline.
  ///
  /// - Throws: `DescriptorFailure` when the descriptor cannot be read.
  package mutating func next() throws(DescriptorFailure) -> Line {
    forgetLine()
    var isTooLong = false
    var searched = rest.lowerBound
    while true {
      if let newline = foundNewline ?? newline(from: searched) {
        foundNewline = nil
        line = rest.lowerBound..<newline
        rest = newline + 1..<rest.upperBound
        guard isTooLong || line.count > limit else { return .complete }
        forgetLine()
        return .tooLong
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

  /// Waits at most this long for input, and returns whether `next` would then return at once. False if more than
  /// `limit` bytes come without a line end.
  ///
  /// - Throws: `DescriptorFailure` when the descriptor cannot be read.
  package mutating func isReady(within milliseconds: Int32) throws(DescriptorFailure) -> Bool {
    forgetLine()
    foundNewline = newline(from: rest.lowerBound)
    if foundNewline != nil { return true }
    let end = ContinuousClock.now.advanced(by: .milliseconds(milliseconds))
    while foundNewline == nil, rest.count <= limit, !isAtEnd {
      moveRestToFront()
      let searched = rest.upperBound
      let left = max(.zero, ContinuousClock.now.duration(to: end)) / .milliseconds(1)
      guard Descriptor.isReadable(descriptor, within: Int32(left)) else { return false }
      _ = try fill()
      foundNewline = newline(from: searched)
    }
    return foundNewline != nil || isAtEnd
  }

  /// Calls `body` with the current line.
  package func withLine<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    body(buffer.span.extracting(line))
  }

  /// Wipes the current line, and all that was read beyond it.
  package mutating func forget() { wipe(0..<buffer.count) }

  /// Wipes the current line.
  package mutating func forgetLine() {
    wipe(line)
    line = 0..<0
  }

  private func newline(from start: Int) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard start < rest.upperBound, let first = bytes.baseAddress,
        let found = memchr(first + start, 0x0A, rest.upperBound - start)
      else { return nil }
      return UnsafeRawPointer(found) - first
    }
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
    if isAtEnd { return false }
    if let stop, !stop.allowsReading(descriptor) {
      // The beginning of a line is no line: drop it.
      wipe(rest)
      rest = 0..<0
      isAtEnd = true
      return false
    }
    let (count, failure) = buffer.withUnsafeMutableBytes { bytes in
      Descriptor.readSome(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[rest.upperBound...]))
    }
    if failure != 0 { throw DescriptorFailure(number: failure) }
    rest = rest.lowerBound..<rest.upperBound + count
    bytesRead += count
    isAtEnd = count == 0
    return count > 0
  }

  private mutating func wipe(_ range: Range<Int>) {
    guard wipesLines, !range.isEmpty else { return }
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
