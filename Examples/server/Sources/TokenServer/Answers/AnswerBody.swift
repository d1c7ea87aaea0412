import CMicrohttpd
import PaymentToken

/// The bytes of an answer, wiped when nobody sends them any more.
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

  /// Room for some bytes; more is made when it is needed.
  init(capacity: Int) {
    bytes = .allocate(byteCount: max(capacity, 1), alignment: 1)
  }

  deinit {
    Self.discard(bytes)
  }

  /// Text as it is.
  mutating func write(_ text: StaticString) {
    text.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  /// Text as it is; nothing secret, since strings are not wiped.
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Bytes as they are.
  mutating func write(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// A document, which ends with a brace and a line feed, with the line that it answers as its last member.
  mutating func write(_ document: AnswerBody, line: Int) {
    append(UnsafeRawBufferPointer(rebasing: document.bytes.dropLast(2)))
    write(",\"line\":\(line)}\n")
  }

  /// What was written.
  consuming func body() -> AnswerBody {
    // What is not used holds nothing, so that `count` bytes are all there is to wipe.
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
