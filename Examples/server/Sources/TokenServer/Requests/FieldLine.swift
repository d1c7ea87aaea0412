import CMicrohttpd

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A field of a request's head: pointers to its name and value in the library's read buffer, each followed by a NUL.
///
/// A proxy before this server must read the same fields from the same bytes. Otherwise a client could smuggle a request
/// into another client's connection (RFC 9112 section 11.2). libmicrohttpd before 1.0 is lenient: it takes a space
/// before the colon for a part of the name, ends a value at a NUL, takes a CR for a part of it, joins a folded line to
/// the name of the one before, and takes a line that begins with a colon or a NUL for the empty line. The positions of
/// names and values, and the bytes of values, show all of these, except a line that is only a colon or a NUL, with a
/// bare LF before or after it.
struct FieldLine {
  let name: UnsafePointer<CChar>
  let nameSize: Int
  let value: UnsafePointer<CChar>?
  let valueSize: Int

  /// Whether it has this name, in letters of either case.
  func isNamed(_ other: String) -> Bool { strcasecmp(name, other) == 0 }

  /// Whether it has this value, in letters of either case.
  func hasValue(_ other: String) -> Bool { value.map { strcasecmp($0, other) == 0 } ?? false }

  /// The digest of the text behind `Bearer ` (RFC 6750 section 2.1). The text itself is not kept.
  var bearer: BearerDigest? {
    let size = "Bearer ".utf8.count
    guard let value, valueSize > size, strncasecmp(value, "Bearer ", size) == 0 else { return nil }
    return value.withMemoryRebound(to: UInt8.self, capacity: valueSize) {
      // White space behind a value is no part of it (RFC 9110 section 5.5).
      var end = valueSize
      while end > size, $0[end - 1] == 0x20 || $0[end - 1] == 0x09 { end -= 1 }
      return BearerDigest(of: UnsafeBufferPointer(start: $0 + size, count: end - size))
    }
  }

  /// Whether the name is a token (RFC 9110 section 5.6.2). With a lenient library, also whether only a colon and white
  /// space separate name and value, the value has no CR, LF or NUL, and only the line's end follows it.
  var isWellFormed: Bool {
    guard nameSize > 0, (0..<nameSize).allSatisfy({ Self.isTokenCharacter(UInt8(bitPattern: name[$0])) }) else {
      return false
    }
    guard Self.isLenient else { return true }
    guard let value, name < value, value - name > nameSize else { return false }
    // The library puts two NULs in place of the CRLF. After a NUL that the client sent, other bytes follow.
    guard value[valueSize] == 0, value[valueSize + 1] == 0 else { return false }
    guard [0x00, 0x0A, 0x0D].allSatisfy({ memchr(value, $0, valueSize) == nil }) else { return false }
    return (nameSize + 1..<value - name).allSatisfy { name[$0] == 0x20 || name[$0] == 0x09 }
  }

  /// Whether the fields fill the head: a CRLF is before each field, and the empty line follows the last.
  ///
  /// - Parameters:
  ///   - version: the end of the request line.
  ///   - end: the end of the head.
  static func fill(_ lines: [FieldLine], from version: UnsafePointer<CChar>, to end: UnsafePointer<CChar>) -> Bool {
    var place = version + strlen(version)
    for line in lines {
      guard line.name == place + 2, let value = line.value else { return false }
      place = value + line.valueSize
    }
    return place + 4 == end
  }

  /// Whether this version of the library does not check heads itself.
  static var isLenient: Bool { MHD_VERSION < 0x0100_0000 }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^")...UInt8(ascii: "`"),
      UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}

/// The field lines of a request, for a C callback to add to.
final class FieldList {
  var fields: [FieldLine] = []
}
