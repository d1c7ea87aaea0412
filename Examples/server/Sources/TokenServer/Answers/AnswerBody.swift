import CMicrohttpd
import PaymentToken

/// The bytes of an answer; `deinit` wipes them.
///
/// `@unchecked Sendable`: nothing changes between `init` and `deinit`.
final class AnswerBody: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer

  /// Takes over memory that was allocated for it.
  fileprivate init(takingOver bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  deinit {
    if let start = bytes.baseAddress { cmicrohttpd_wipe(start, bytes.count) }
    bytes.deallocate()
  }
}

/// Writes an answer into memory that is wiped when it is freed.
struct AnswerWriter: ~Copyable {
  private var bytes: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Allocates room for `capacity` bytes, which grows when needed.
  init(capacity: Int) {
    bytes = .allocate(byteCount: max(capacity, 1), alignment: 1)
  }

  deinit {
    Self.discard(bytes)
  }

  /// Appends text as it is.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends text as it is. It must not be secret, because strings are not wiped.
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Appends bytes as they are.
  mutating func write(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends a document, which must end with a brace and a line feed, on one line, with `line` added as its last
  /// member. Line breaks in the document are white space between JSON's values, since its strings have none.
  mutating func write(_ document: AnswerBody, line: Int) {
    let start = count
    append(UnsafeRawBufferPointer(rebasing: document.bytes.dropLast(2)))
    for index in start..<count where bytes[index] == 0x0A || bytes[index] == 0x0D { bytes[index] = 0x20 }
    write(",\"line\":\(line)}\n")
  }

  consuming func body() -> AnswerBody {
    // The bytes beyond `count` were never written, so only `count` bytes must be wiped.
    let body = AnswerBody(takingOver: UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: count))
    discard self
    return body
  }

  private mutating func append(_ source: UnsafeRawBufferPointer) {
    if count + source.count > bytes.count { grow(to: max(count + source.count, 2 * bytes.count)) }
    UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: source)
    count += source.count
  }

  private mutating func grow(to capacity: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    Self.discard(bytes)
    bytes = larger
  }

  private static func discard(_ bytes: UnsafeMutableRawBufferPointer) {
    if let start = bytes.baseAddress { cmicrohttpd_wipe(start, bytes.count) }
    bytes.deallocate()
  }
}
