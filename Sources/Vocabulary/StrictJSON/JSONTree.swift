public import TokenScanning

/// A JSON document as a tree (RFC 8259; rules 2.1 to 2.4). Members keep their order, and numbers their text.
///
/// Reading uses the fast engine's scanner, which is strict, bounded and fuzzed against the reference engine's reader.
/// Neither engine uses this tree, nor does the reader of JSON Web Keys.
///
/// `Text` represents strings, names and numbers: copies (`JSON`) or, for documents with secrets, places in the document
/// (`JSONTree<JSONString>`).
public indirect enum JSONTree<Text: JSONContent> {
  case null
  case boolean(Bool)
  /// The number as written.
  case number(Text)
  case string(Text)
  /// Text of one JSON value, which the caller guarantees. Only for writing.
  case verbatim(Text)
  case array([JSONTree])
  case object([Member])

  /// A name, unescaped, with its value.
  public struct Member {
    /// The name, unescaped.
    public let name: Text
    /// The member's value.
    public let value: JSONTree

    /// A member of this name and value.
    public init(_ name: Text, _ value: JSONTree) {
      self.name = name
      self.value = value
    }
  }
}

extension JSONTree: Sendable where Text: Sendable {}
extension JSONTree: Hashable, Equatable where Text: Hashable {}
extension JSONTree.Member: Sendable where Text: Sendable {}
extension JSONTree.Member: Hashable, Equatable where Text: Hashable {}

/// The representation of a string, a name or a number in a tree.
public protocol JSONContent {
  /// The content at a place of the document.
  init(_ place: JSONString, in document: Span<UInt8>)
}

extension JSONString: JSONContent {
  /// The place itself.
  public init(_ place: JSONString, in document: Span<UInt8>) { self = place }
}

extension JSONTree<JSONString> {
  /// Reads one value, and copies only the names of objects with more than 16. Only white space may surround it.
  ///
  /// - Throws: `MalformedJSON`, also beyond the limits.
  public init(placesIn text: Span<UInt8>, within limits: JSONLimits = .strict) throws(MalformedJSON) {
    try self.init(document: text, within: limits)
  }
}

/// The requirements on a document besides the JSON grammar.
public struct JSONLimits: Sendable {
  let depth: Int
  let members: Int
  let namesRepeat: Bool
  let numbersAreFinite: Bool

  /// Limits from their parts.
  ///
  /// - Parameters:
  ///   - depth: the maximum nesting depth; the outermost container is 1.
  ///   - members: the maximum number of members of one object.
  ///   - namesRepeat: whether an object may have a name twice.
  ///   - numbersAreFinite: whether every number must be finite as binary64.
  public init(
    depth: Int = JSONScanner.maximumDepth, members: Int = .max, namesRepeat: Bool = false,
    numbersAreFinite: Bool = false
  ) {
    self.depth = depth
    self.members = members
    self.namesRepeat = namesRepeat
    self.numbersAreFinite = numbersAreFinite
  }

  /// The nesting depth of tokens, and unique names in every object.
  public static let strict = JSONLimits()

  /// For saved measurements and Benchmarks/Thresholds.json, which people edit.
  public static let measurements = JSONLimits(depth: 64, namesRepeat: true, numbersAreFinite: true)
}

// MARK: Reading

extension JSONTree {
  /// Reads one value. Only white space may surround it.
  ///
  /// - Throws: `MalformedJSON`, also beyond the limits.
  init(document text: Span<UInt8>, within limits: JSONLimits) throws(MalformedJSON) {
    // Files that people write may have more values than tokens.
    var scanner = JSONScanner(text, values: .max)
    scanner.skipWhitespace()
    self = try JSONTree(&scanner, depth: 0, limits)
    try scanner.expectEnd()
  }

  /// Reads the value at the scanner's position. `depth` is the number of containers around it.
  ///
  /// - Throws: `MalformedJSON`, also beyond the limits.
  package init(_ scanner: inout JSONScanner, depth: Int, _ limits: JSONLimits) throws(MalformedJSON) {
    switch scanner.next {
    case UInt8(ascii: "{"): self = .object(try Self.members(&scanner, depth: depth + 1, limits))
    case UInt8(ascii: "["): self = .array(try Self.elements(&scanner, depth: depth + 1, limits))
    case UInt8(ascii: "\""): self = .string(Text(try scanner.string(), in: scanner.input))
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      let first = scanner.next
      try scanner.skipValue(depth: 0)
      self = first == UInt8(ascii: "n") ? .null : .boolean(first == UInt8(ascii: "t"))
    default:
      let range = try scanner.number()
      let place = JSONString(start: range.lowerBound, end: range.upperBound, hasEscapes: false)
      if limits.numbersAreFinite {
        guard Double(place.text(in: scanner.input))?.isFinite == true else { throw MalformedJSON() }
      }
      self = .number(Text(place, in: scanner.input))
    }
  }

  private static func members(
    _ scanner: inout JSONScanner, depth: Int, _ limits: JSONLimits
  ) throws(MalformedJSON) -> [Member] {
    guard depth <= limits.depth else { throw MalformedJSON() }
    var members: [Member] = []
    var names = Names()
    var more = try scanner.enterObject()
    while more {
      let name = try scanner.memberName()
      guard members.count < limits.members, limits.namesRepeat || names.insert(name, in: scanner.input) else {
        throw MalformedJSON()
      }
      members.append(Member(Text(name, in: scanner.input), try JSONTree(&scanner, depth: depth, limits)))
      more = try scanner.continuesObject()
    }
    return members
  }

  private static func elements(
    _ scanner: inout JSONScanner, depth: Int, _ limits: JSONLimits
  ) throws(MalformedJSON) -> [JSONTree] {
    guard depth <= limits.depth else { throw MalformedJSON() }
    var elements: [JSONTree] = []
    var more = try scanner.enterArray()
    while more {
      elements.append(try JSONTree(&scanner, depth: depth, limits))
      more = try scanner.continuesArray()
    }
    return elements
  }
}

/// The names of an object read so far, compared as bytes: canonically equivalent strings are different names.
///
/// The first names are compared in place, which copies nothing: messages, which may contain secrets, have no larger
/// objects. Further names are copied and hashed, so that no document takes quadratic time.
private struct Names {
  private static let maximumCompared = 16
  private var places: [JSONString] = []
  private var copies: Set<[UInt8]> = []

  /// Adds a name; false if it is already present.
  mutating func insert(_ name: JSONString, in document: Span<UInt8>) -> Bool {
    if places.count < Self.maximumCompared {
      guard !places.contains(where: { $0.hasSameContent(as: name, in: document) }) else { return false }
      places.append(name)
      return true
    }
    if copies.isEmpty { copies = Set(places.map { $0.bytes(in: document) }) }
    return copies.insert(name.bytes(in: document)).inserted
  }
}
