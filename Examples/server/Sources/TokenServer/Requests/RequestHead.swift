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
  /// The query's `gateway`; nil where it has no value.
  let gateway: String?
  /// Whether another program could read another name or value from a field (RFC 9112 section 5.1).
  private(set) var isMalformed = false
  /// The value of `Content-Length`; nil if there is none, UInt64.max if it is no 64-bit number.
  private(set) var contentLength: UInt64?
  /// Whether two readers of the head could disagree about where the body ends (RFC 9112 section 6.3).
  private(set) var isAmbiguous = false
  /// Whether the body comes in chunks. Programs differ in where they see the end of chunks, so the connection takes no
  /// further request.
  private(set) var isChunked = false
  private(set) var hasUnknownTransferCoding = false
  private(set) var hasContentCoding = false
  private var hasHost = false
  private(set) var hasOrigin = false
  /// Whether the client waits for an answer before it sends the body.
  private(set) var expectsContinue = false
  /// The digest of the caller's bearer token; nil unless there is one `Authorization`, with a bearer token.
  var bearer: BearerDigest? { credentials == 1 ? shown : nil }
  private var shown: BearerDigest?
  private var credentials = 0
  /// The type of a body with a request on each line; nil for another type, and for several types.
  var lineType: LineType? { types.only.flatMap(LineType.init(field:)) }
  private var types = SingleField()
  /// The request's identifiers for logs.
  var trace: RequestTrace { RequestTrace(id: identifiers.only, traceparent: parents.only) }
  private var identifiers = SingleField()
  private var parents = SingleField()

  /// Reads the head of the request on a connection.
  ///
  /// - Parameter targetSize: the number of bytes of path and query before the first NUL.
  init(
    _ connection: OpaquePointer, method: UnsafePointer<CChar>, path: UnsafePointer<CChar>, targetSize: Int,
    version: UnsafePointer<CChar>
  ) {
    self.method = String(cString: method)
    self.path = String(cString: path)
    let gateways = Self.fields(of: connection, .GET_ARGUMENT_KIND).filter { $0.isNamed("gateway") }
    gateway = gateways.first?.value.map { String(cString: $0) }
    // Of several values, another program could use a different one.
    isMalformed = gateways.count > 1
    let fields = Self.fields(of: connection, .HEADER_KIND)
    for field in fields { add(field) }
    guard FieldLine.isLenient else { return }
    // One space is between each two parts of the request line. The library puts a NUL in its place, so a NUL that the
    // client sent makes the parts too short.
    if path != method + strlen(method) + 1 || version != path + targetSize + 1 { isMalformed = true }
    if !FieldLine.fill(fields, from: version, to: method + cmicrohttpd_head_size(connection)) { isMalformed = true }
  }

  private static func fields(of connection: OpaquePointer, _ kind: MHD_ValueKind) -> [FieldLine] {
    let list = FieldList()
    return withExtendedLifetime(list) {
      _ = MHD_get_connection_values_n(
        connection, kind,
        { list, _, name, nameSize, value, valueSize in
          guard let list, let name else { return .YES }
          Unmanaged<FieldList>.fromOpaque(list).takeUnretainedValue().fields.append(
            FieldLine(name: name, nameSize: nameSize, value: value, valueSize: valueSize))
          return .YES
        }, Unmanaged.passUnretained(list).toOpaque())
      return list.fields
    }
  }

  private mutating func add(_ field: FieldLine) {
    if !field.isWellFormed { isMalformed = true }
    if field.isNamed("content-length") {
      isAmbiguous = isAmbiguous || contentLength != nil || isChunked || hasUnknownTransferCoding
      contentLength = field.value.flatMap { UInt64(String(cString: $0)) } ?? .max
    } else if field.isNamed("transfer-encoding") {
      isAmbiguous = isAmbiguous || contentLength != nil || isChunked || hasUnknownTransferCoding
      if field.hasValue("chunked") { isChunked = true } else { hasUnknownTransferCoding = true }
    } else if field.isNamed("content-encoding") {
      hasContentCoding = hasContentCoding || !field.hasValue("identity")
    } else if field.isNamed("host") {
      // RFC 9112 section 3.2.
      if hasHost { isMalformed = true }
      hasHost = true
    } else if field.isNamed("origin") {
      hasOrigin = true
    } else if field.isNamed("expect") {
      expectsContinue = field.hasValue("100-continue")
    } else if field.isNamed("authorization") {
      credentials += 1
      shown = field.bearer
    } else if field.isNamed("content-type") {
      types.add(field)
    } else if field.isNamed("x-request-id") {
      identifiers.add(field)
    } else if field.isNamed("traceparent") {
      parents.add(field)
    }
  }
}

/// The value of a field that may occur once in a head.
private struct SingleField {
  private var value: String?
  private var count = 0

  /// Nil where there is none, and where there are several.
  var only: String? { count == 1 ? value : nil }

  mutating func add(_ field: FieldLine) {
    value = field.value.map { String(cString: $0) }
    count += 1
  }
}
