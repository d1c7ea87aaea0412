import CMicrohttpd
import PaymentToken

/// The octets of an answer, wiped when nobody sends them any more.
///
/// `@unchecked Sendable`: nothing changes between `init` and `deinit`.
final class AnswerBody: @unchecked Sendable {
  let octets: UnsafeMutableRawBufferPointer

  /// Takes over memory that was allocated for it.
  fileprivate init(takingOver octets: UnsafeMutableRawBufferPointer) {
    self.octets = octets
  }

  deinit {
    if let start = octets.baseAddress { cmicrohttpd_wipe(start, octets.count) }
    octets.deallocate()
  }
}

/// Writes an answer into memory that nobody else has a copy of.
struct AnswerWriter: ~Copyable {
  private var octets: UnsafeMutableRawBufferPointer
  private var count = 0

  /// Room for some octets; more is made when it is needed.
  init(capacity: Int) {
    octets = .allocate(byteCount: max(capacity, 1), alignment: 1)
  }

  deinit {
    Self.discard(octets)
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

  /// Octets as they are.
  mutating func write(_ octets: Span<UInt8>) {
    octets.withUnsafeBytes { append($0) }
  }

  /// What was written.
  consuming func body() -> AnswerBody {
    // What is not used holds nothing, so that `count` octets are all there is to wipe.
    let body = AnswerBody(takingOver: UnsafeMutableRawBufferPointer(start: octets.baseAddress, count: count))
    discard self
    return body
  }

  private mutating func append(_ source: UnsafeRawBufferPointer) {
    if count + source.count > octets.count { grow(to: max(count + source.count, 2 * octets.count)) }
    UnsafeMutableRawBufferPointer(rebasing: octets[count...]).copyMemory(from: source)
    count += source.count
  }

  private mutating func grow(to capacity: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[..<count]))
    Self.discard(octets)
    octets = larger
  }

  private static func discard(_ octets: UnsafeMutableRawBufferPointer) {
    if let start = octets.baseAddress { cmicrohttpd_wipe(start, octets.count) }
    octets.deallocate()
  }
}
