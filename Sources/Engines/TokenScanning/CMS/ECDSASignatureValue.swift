/// The two integers of an ECDSA-Sig-Value (RFC 3279 2.2.3; Docs/Verification.md 8.3). Their range is not checked.
public struct ECDSASignatureValue: Sendable {
  /// The big-endian magnitude of r without leading zero byte, at least one byte.
  public let r: Range<Int>
  /// The magnitude of s, likewise.
  public let s: Range<Int>

  /// Reads `range` of `input`, which must be exactly one DER SEQUENCE of two positive INTEGERs.
  public init(_ input: Span<UInt8>, in range: Range<Int>) throws(MalformedDER) {
    var outer = DERScanner(input, range)
    let sequence = try outer.element(DERTag.sequence)
    try outer.expectEnd()
    var integers = outer.inside(sequence)
    r = try integers.positiveInteger()
    s = try integers.positiveInteger()
    try integers.expectEnd()
  }
}

extension DERScanner {
  /// Consumes a canonical positive INTEGER and returns its magnitude without the leading zero byte.
  mutating func positiveInteger() throws(MalformedDER) -> Range<Int> {
    let element = try element(DERTag.integer)
    try checkPrimitive(element)
    let content = element.content
    guard input[content.lowerBound] & 0x80 == 0 else { throw MalformedDER() }
    let magnitude = input[content.lowerBound] == 0 ? content.dropFirst() : content
    guard !magnitude.isEmpty else { throw MalformedDER() }
    return magnitude
  }
}
