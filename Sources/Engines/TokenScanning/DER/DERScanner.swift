/// The encoding violates a rule of Docs/Verification.md stage 5. All violations have the same verdict.
public struct MalformedDER: Error, Sendable, BitwiseCopyable {
  public init() {}
}

/// One element (tag, length, contents), as positions in the bytes it was read from.
@frozen
public struct DERElement: Sendable, BitwiseCopyable {
  /// The identifier byte (class, constructed bit, low tag number).
  public let tag: UInt8
  /// The first byte of the whole element.
  public let start: Int
  /// The first byte of the contents.
  public let contentStart: Int
  /// One past the last byte.
  public let end: Int

  /// The contents.
  @inlinable
  public var content: Range<Int> { contentStart..<end }
  /// The whole element with its tag and length.
  @inlinable
  public var whole: Range<Int> { start..<end }
  /// Whether the contents are elements.
  @inlinable
  public var isConstructed: Bool { tag & 0x20 != 0 }
}

/// The identifier bytes in CMS and certificates.
enum DERTag {
  static let boolean: UInt8 = 0x01
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let null: UInt8 = 0x05
  static let objectIdentifier: UInt8 = 0x06
  static let utcTime: UInt8 = 0x17
  static let generalizedTime: UInt8 = 0x18
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31
  static let context0: UInt8 = 0x80
  static let constructed0: UInt8 = 0xA0
  static let constructed1: UInt8 = 0xA1
  static let constructed3: UInt8 = 0xA3

  /// The whole elements INTEGER 1, 2 and 3.
  static var integerOne: InlineArray<3, UInt8> { [0x02, 0x01, 0x01] }
  static var integerTwo: InlineArray<3, UInt8> { [0x02, 0x01, 0x02] }
  static var integerThree: InlineArray<3, UInt8> { [0x02, 0x01, 0x03] }
}

/// Reads strict DER elements of a span in order, without copying (X.690; Docs/Verification.md 5.1-5.5).
///
/// Reads nothing beyond `limit`, the end of the enclosing element.
package struct DERScanner: ~Escapable {
  let input: Span<UInt8>
  private(set) var position: Int
  let limit: Int

  /// The deepest nesting of constructed elements; ContentInfo is 1 (5.1).
  static var maximumDepth: Int { 16 }

  @_lifetime(copy input)
  package init(_ input: Span<UInt8>, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= input.count)
    self.input = input
    position = range.lowerBound
    limit = range.upperBound
  }

  var isAtEnd: Bool { position == limit }

  /// The next element's tag; nil at the end.
  var nextTag: UInt8? { position < limit ? input[position] : nil }

  func expectEnd() throws(MalformedDER) {
    guard isAtEnd else { throw MalformedDER() }
  }

  /// A scanner over an element's contents.
  @_lifetime(copy self)
  func inside(_ element: DERElement) -> DERScanner {
    DERScanner(input, element.content)
  }

  /// Reads the next element, which must have a definite length in the shortest form (5.3).
  mutating func element() throws(MalformedDER) -> DERElement {
    try element(before: limit)
  }

  /// Moves to the contents of an element that was just read.
  mutating func enter(_ element: DERElement) {
    position = element.contentStart
  }

  /// Reads the next element, which must end at or before `limit`.
  @inline(__always)
  mutating func element(before limit: Int) throws(MalformedDER) -> DERElement {
    let start = position
    guard limit - start >= 2 else { throw MalformedDER() }
    let tag = input[start]
    guard tag & 0x1F != 0x1F else { throw MalformedDER() }
    let first = input[start + 1]
    var contentStart = start + 2
    var length = Int(first)
    if first >= 0x80 {
      let count = Int(first & 0x7F)
      // Five bytes would be a length beyond every limit here; 5.3 allows four.
      guard (1...4).contains(count), limit - contentStart >= count else { throw MalformedDER() }
      length = 0
      for index in contentStart..<(contentStart + count) { length = length << 8 | Int(input[index]) }
      guard input[contentStart] != 0, length >= 0x80 else { throw MalformedDER() }
      contentStart += count
    }
    guard length <= limit - contentStart else { throw MalformedDER() }
    position = contentStart + length
    return DERElement(tag: tag, start: start, contentStart: contentStart, end: position)
  }

  /// Reads the next element, which must have this tag.
  mutating func element(_ tag: UInt8) throws(MalformedDER) -> DERElement {
    guard nextTag == tag else { throw MalformedDER() }
    return try element()
  }

  /// Consumes exactly these bytes: an element with only one valid encoding.
  mutating func exactly<let count: Int>(_ bytes: InlineArray<count, UInt8>) throws(MalformedDER) {
    guard consumeIfNext(bytes) else { throw MalformedDER() }
  }

  /// Consumes these bytes if they come next, and returns whether they do.
  mutating func consumeIfNext<let count: Int>(_ bytes: InlineArray<count, UInt8>) -> Bool {
    guard limit - position >= count, holds(bytes, in: position..<(position + count)) else { return false }
    position += count
    return true
  }

  /// Whether a range holds exactly these bytes.
  func holds<let count: Int>(_ bytes: InlineArray<count, UInt8>, in range: Range<Int>) -> Bool {
    input.extracting(range).elementsEqual(bytes.span)
  }
}

// MARK: Outer elements, which may be BER (5.2)

/// An outer element that was opened; `end` is nil for an indefinite length.
struct BERWrapper {
  let end: Int?
}

extension DERScanner {
  /// Opens an outer element and moves to its contents. `close` takes the result.
  ///
  /// The element may claim to end beyond the enclosing one. Closing the enclosing element then fails, because the
  /// position never moves back.
  mutating func open(_ tag: UInt8) throws(MalformedDER) -> BERWrapper {
    guard try byte() == tag else { throw MalformedDER() }
    let first = try byte()
    if first == 0x80 { return BERWrapper(end: nil) }
    guard first & 0x80 != 0 else { return BERWrapper(end: position + Int(first)) }
    let count = Int(first & 0x7F)
    guard count <= 4 else { throw MalformedDER() }
    var length = 0
    for _ in 0..<count { length = length << 8 | Int(try byte()) }
    return BERWrapper(end: position + length)
  }

  private mutating func byte() throws(MalformedDER) -> UInt8 {
    guard let byte = nextTag else { throw MalformedDER() }
    position += 1
    return byte
  }

  /// Whether the outer element's contents end here.
  func isAtEnd(of wrapper: BERWrapper) -> Bool {
    if let end = wrapper.end { return position == end }
    return limit - position >= 2 && input[position] == 0 && input[position + 1] == 0
  }

  /// Closes an outer element, whose contents must end here.
  mutating func close(_ wrapper: BERWrapper) throws(MalformedDER) {
    guard isAtEnd(of: wrapper) else { throw MalformedDER() }
    if wrapper.end == nil { position += 2 }
  }
}
