/// The identifier of a request, and its place in a distributed trace. Both may come from the client, and go into
/// answers and the access log. No other text of a client does, except a path's first part that is served.
struct RequestTrace: Hashable, Sendable {
  /// The client's `X-Request-Id` if it is safe, otherwise a random one.
  let id: String
  /// The client's `traceparent` (W3C Trace Context), if it is valid.
  let traceparent: String?

  /// - Parameters:
  ///   - id: `X-Request-Id`; nil where there is none or there are several.
  ///   - traceparent: the value of `traceparent`; nil where there is none or there are several.
  init(id: String?, traceparent: String?) {
    self.id = id.flatMap { Self.isSafe($0.utf8) ? $0 : nil } ?? Self.made()
    self.traceparent = traceparent.flatMap(Self.read)
  }

  /// Whether it is 1 to 128 unreserved characters of RFC 3986, which have no meaning to programs that read logs.
  private static func isSafe(_ id: String.UTF8View) -> Bool {
    (1...128).contains(id.count)
      && id.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "~"):
          true
        default: false
        }
      }
  }

  /// 128 random bits.
  private static func made() -> String { hex(.random(in: 0 ... .max)) + hex(.random(in: 0 ... .max)) }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  /// Version, trace, parent and flags: `00-`, 32, 16 and 2 hexadecimal digits. A later version may have more parts
  /// behind them. They are left out, and it is passed on as version 00.
  private static func read(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 55, bytes.count == 55 || (!bytes.starts(with: "00".utf8) && bytes[55] == UInt8(ascii: "-"))
    else { return nil }
    let dashes = [2, 35, 52]
    let isWellFormed = bytes[..<55].enumerated().allSatisfy { index, byte in
      if dashes.contains(index) { return byte == UInt8(ascii: "-") }
      return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard isWellFormed, !bytes.starts(with: "ff".utf8) else { return nil }
    for identifier in [3..<35, 36..<52] where bytes[identifier].allSatisfy({ $0 == UInt8(ascii: "0") }) { return nil }
    return "00" + String(decoding: bytes[2..<55], as: UTF8.self)
  }
}
