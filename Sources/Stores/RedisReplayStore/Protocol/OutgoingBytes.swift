#if Redis

import CRedisTLS

/// Commands that are to be sent. What was sent is wiped: a password may be among it.
final class OutgoingBytes {
  private var bytes: UnsafeMutableRawBufferPointer
  private var start = 0
  private var end = 0

  init() {
    bytes = .allocate(byteCount: 16_384, alignment: 1)
  }

  deinit {
    wipe(bytes)
    bytes.deallocate()
  }

  var isEmpty: Bool { start == end }

  /// What is left to send.
  var unsent: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[start..<end]) }

  /// Notes that the first bytes of `unsent` were sent.
  func remove(_ count: Int) {
    wipe(UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + count)]))
    start += count
    if start == end { (start, end) = (0, 0) }
  }

  /// Adds a command, whose words may contain any bytes.
  func append(_ words: [[UInt8]]) {
    beginCommand(words.count)
    for word in words { word.withUnsafeBytes { append(word: $0) } }
  }

  /// Adds a command of words that are no secret.
  func append(_ words: String...) {
    append(words.map { Array($0.utf8) })
  }

  /// Adds the head of a command; `count` words must follow.
  func beginCommand(_ count: Int) {
    appendLength("*", count)
  }

  /// Adds a word of the command.
  func append(
    word: UnsafeRawBufferPointer, _ rest: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    appendLength("$", word.count + rest.count)
    append(word)
    append(rest)
    append(encoded: "\r\n")
  }

  /// Adds bytes that are encoded already.
  func append(encoded text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  private func appendLength(_ kind: StaticString, _ count: Int) {
    append(encoded: kind)
    withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
      var (left, first) = (count, digits.count)
      repeat {
        first -= 1
        digits[first] = UInt8(ascii: "0") + UInt8(left % 10)
        left /= 10
      } while left > 0
      append(UnsafeRawBufferPointer(rebasing: digits[first...]))
    }
    append(encoded: "\r\n")
  }

  private func append(_ source: UnsafeRawBufferPointer) {
    if end + source.count > bytes.count { makeRoom(for: source.count) }
    UnsafeMutableRawBufferPointer(rebasing: bytes[end...]).copyMemory(from: source)
    end += source.count
  }

  private func makeRoom(for count: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (end - start + count), alignment: 1)
    larger.copyMemory(from: unsent)
    wipe(bytes)
    bytes.deallocate()
    (bytes, end, start) = (larger, end - start, 0)
  }

  private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    if let first = bytes.baseAddress { credistls_wipe(first, bytes.count) }
  }
}

#endif
