/// Reads consecutive DER values (X.690) by rules 5.1 and 5.3 to 5.5.
///
/// Each value is checked as it is read. Values inside a constructed one are checked when they are read, or all at once
/// by ``walk(depth:limit:)``.
package struct DERReader: Sendable {
  /// The unread bytes.
  package private(set) var rest: ArraySlice<UInt8>

  /// A reader of these bytes, unchecked.
  package init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// A reader of these bytes, unchecked.
  package init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// Whether all bytes were read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// The tag of the next value, unchecked; nil at the end.
  package var nextTag: DERTag? { rest.first.map { DERTag(byte: $0) } }

  /// Reads the next value of any tag.
  package mutating func read() throws(DERError) -> DERElement {
    guard let first = rest.first else { throw .truncated }
    let tag = DERTag(byte: first)
    guard tag.isAllowed else { throw .badTag }
    var remaining = rest.dropFirst()
    let count = try DERReader.readLength(&remaining)
    guard count <= remaining.count else { throw .truncated }
    let contents = remaining.prefix(count)
    let element = DERElement(tag: tag, contents: contents, encoded: rest[rest.startIndex..<contents.endIndex])
    guard element.hasCanonicalContents else { throw .badContents }
    rest = rest[contents.endIndex...]
    return element
  }

  /// Reads the next value, which must have this tag.
  package mutating func read(_ tag: DERTag) throws(DERError) -> DERElement {
    let element = try read()
    guard element.tag == tag else { throw .unexpectedValue }
    return element
  }

  /// Reads the next value if it has this tag; otherwise reads nothing and returns nil.
  package mutating func readOptional(_ tag: DERTag) throws(DERError) -> DERElement? {
    guard nextTag == tag else { return nil }
    return try read()
  }

  /// Throws `DERError.trailingData` unless all bytes were read.
  package func finish() throws(DERError) {
    guard isAtEnd else { throw .trailingData }
  }

  /// Reads exactly one value that takes up all bytes.
  package static func single(_ bytes: ArraySlice<UInt8>) throws(DERError) -> DERElement {
    var reader = DERReader(bytes)
    let element = try reader.read()
    try reader.finish()
    return element
  }

  /// Checks all unread values and the values inside them, without reading any.
  ///
  /// - Parameters:
  ///   - depth: the nesting depth of the unread values; a document's outermost constructed value has 1.
  ///   - limit: the maximum depth.
  package func walk(depth: Int, limit: Int = DERReader.depthLimit) throws(DERError) {
    var reader = self
    while !reader.isAtEnd {
      let element = try reader.read()
      guard element.tag.isConstructed else { continue }
      guard depth <= limit else { throw .tooDeep }
      try element.reader.walk(depth: depth + 1, limit: limit)
    }
  }

  /// The maximum nesting depth of constructed values, ContentInfo being 1 (rule 5.1).
  package static let depthLimit = 16

  /// Rule 5.3: one byte below 128, else the fewest possible bytes, at most four.
  private static func readLength(_ rest: inout ArraySlice<UInt8>) throws(DERError) -> Int {
    guard let first = rest.popFirst() else { throw .truncated }
    guard first >= 0x80 else { return Int(first) }
    let byteCount = Int(first & 0x7F)
    guard (1...4).contains(byteCount) else { throw .badLength }
    guard byteCount <= rest.count else { throw .truncated }
    var length = 0
    for byte in rest.prefix(byteCount) { length = length << 8 | Int(byte) }
    guard rest.first != 0, length >= 0x80 else { throw .badLength }
    rest = rest.dropFirst(byteCount)
    return length
  }
}
