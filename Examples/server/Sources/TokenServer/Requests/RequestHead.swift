import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the server reads of a request's head.
struct RequestHead {
  let method: String
  /// Without the query, and with its escapes.
  let path: String
  /// The query's `gateway`.
  let gateway: String?
  /// Whether a field's name is none (RFC 9112 section 5.1): what stands before its colon may be another name to others.
  private(set) var isMalformed = false
  /// The octets of the body, if the head says; UInt64.max for more than can be counted.
  private(set) var contentLength: UInt64?
  /// Whether two readers of the head could disagree about where the body ends (RFC 9112 section 6.3).
  private(set) var isAmbiguous = false
  private(set) var isChunked = false
  private(set) var hasUnknownTransferCoding = false
  private(set) var hasContentCoding = false
  private(set) var hasOrigin = false
  /// Whether the client waits to hear before it sends the body.
  private(set) var expectsContinue = false

  /// Reads the head of the request on a connection.
  init(_ connection: OpaquePointer, method: UnsafePointer<CChar>, path: UnsafePointer<CChar>) {
    self.method = String(cString: method)
    self.path = String(cString: path)
    gateway = MHD_lookup_connection_value(connection, .GET_ARGUMENT_KIND, "gateway").map { String(cString: $0) }
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values(
        connection, .HEADER_KIND,
        { head, _, name, value in
          if let head, let name { head.assumingMemoryBound(to: RequestHead.self).pointee.add(name, value) }
          return .YES
        }, head)
    }
  }

  /// RFC 9110 section 5.6.2.
  private static func isToken(_ name: UnsafePointer<CChar>) -> Bool {
    var index = 0
    while name[index] != 0 {
      switch UInt8(bitPattern: name[index]) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
        UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "^")...UInt8(ascii: "`"),
        UInt8(ascii: "|"), UInt8(ascii: "~"):
        index += 1
      default: return false
      }
    }
    return index > 0
  }

  private mutating func add(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
    if !Self.isToken(name) { isMalformed = true }
    func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }
    func isValue(_ other: String) -> Bool { value.map { strcasecmp($0, other) == 0 } ?? false }
    if isNamed("content-length") {
      isAmbiguous = isAmbiguous || contentLength != nil || isChunked || hasUnknownTransferCoding
      contentLength = value.flatMap { UInt64(String(cString: $0)) } ?? .max
    } else if isNamed("transfer-encoding") {
      isAmbiguous = isAmbiguous || contentLength != nil || isChunked || hasUnknownTransferCoding
      if isValue("chunked") { isChunked = true } else { hasUnknownTransferCoding = true }
    } else if isNamed("content-encoding") {
      hasContentCoding = !isValue("identity")
    } else if isNamed("origin") {
      hasOrigin = true
    } else if isNamed("expect") {
      expectsContinue = isValue("100-continue")
    }
  }
}
