/// The parts of a certificate's extensions that stages 6 and 7 check (RFC 5280 4.2; Docs/Verification.md 5.15, 5.17).
public struct CertificateExtensionsView: Sendable {
  /// Whether Apple's leaf marker, 1.2.840.113635.100.6.29, is present, with any value.
  public private(set) var hasLeafMarker = false
  /// Whether Apple's intermediate marker, 1.2.840.113635.100.6.2.14, is present, with any value.
  public private(set) var hasIntermediateMarker = false
  /// Whether there is a critical extension other than basicConstraints, keyUsage and the markers.
  public private(set) var hasUnknownCritical = false
  /// basicConstraints' cA, false when absent.
  public private(set) var isAuthority = false
  /// Whether pathLenConstraint is zero, which allows no intermediate below.
  public private(set) var hasPathLengthZero = false
  /// The first byte of keyUsage's bits, zero when there is none; nil when the extension is absent.
  public private(set) var keyUsage: UInt8?
  /// The contents of subjectKeyIdentifier's OCTET STRING.
  public private(set) var subjectKeyIdentifier: Range<Int>?

  /// digitalSignature, bit 0 of keyUsage, counted from the highest.
  public static var digitalSignature: UInt8 { 0x80 }
  /// keyCertSign, bit 5 of keyUsage.
  public static var keyCertSign: UInt8 { 0x04 }

  /// No extensions.
  init() {}

  /// Reads the contents of a certificate's [3].
  init(_ field: consuming DERScanner) throws(MalformedDER) {
    let list = try field.element(DERTag.sequence)
    try field.expectEnd()
    var extensions = field.inside(list)
    var types: [Range<Int>] = []
    repeat {
      let whole = try extensions.element(DERTag.sequence)
      var parts = extensions.inside(whole)
      let type = try parts.element(DERTag.objectIdentifier).content
      types.append(type)
      var isCritical = false
      if parts.nextTag == DERTag.boolean {
        let flag = try parts.element(DERTag.boolean)
        isCritical = parts.input[flag.contentStart] != 0
      }
      let value = try parts.element(DERTag.octetString).content
      try parts.expectEnd()
      try note(type, isCritical: isCritical, value: DERScanner(parts.input, value))
    } while !extensions.isAtEnd
    try Self.refuseRepetition(among: types, in: field.input)
  }

  /// Throws if a type is repeated. Sorts the types, because comparing all pairs of hundreds of types would take long.
  private static func refuseRepetition(among types: [Range<Int>], in input: Span<UInt8>) throws(MalformedDER) {
    let sorted = types.sorted { input.extracting($0).precedes(input.extracting($1)) }
    for (earlier, later) in zip(sorted, sorted.dropFirst())
    where input.extracting(earlier).elementsEqual(input.extracting(later)) {
      throw MalformedDER()
    }
  }

  private mutating func note(
    _ type: Range<Int>, isCritical: Bool, value: consuming DERScanner
  ) throws(MalformedDER) {
    if value.holds(CertificateBytes.basicConstraints, in: type) {
      try noteBasicConstraints(value)
    } else if value.holds(CertificateBytes.keyUsage, in: type) {
      let bits = try value.element(DERTag.bitString)
      try value.checkPrimitive(bits)
      try value.expectEnd()
      // Without bits there is only the number of unused bits, which is zero.
      keyUsage = value.input[bits.content.dropFirst().first ?? bits.contentStart]
    } else if value.holds(CertificateBytes.leafMarker, in: type) {
      hasLeafMarker = true
    } else if value.holds(CertificateBytes.intermediateMarker, in: type) {
      hasIntermediateMarker = true
    } else {
      hasUnknownCritical = hasUnknownCritical || isCritical
      guard value.holds(CertificateBytes.subjectKeyIdentifier, in: type) else { return }
      subjectKeyIdentifier = try value.element(DERTag.octetString).content
      try value.expectEnd()
    }
  }

  private mutating func noteBasicConstraints(_ value: consuming DERScanner) throws(MalformedDER) {
    let sequence = try value.element(DERTag.sequence)
    try value.expectEnd()
    var fields = value.inside(sequence)
    if fields.nextTag == DERTag.boolean {
      let flag = try fields.element(DERTag.boolean)
      try fields.checkPrimitive(flag)
      isAuthority = fields.input[flag.contentStart] != 0
    }
    if fields.nextTag == DERTag.integer {
      let length = try fields.element(DERTag.integer)
      try fields.checkPrimitive(length)
      guard fields.input[length.contentStart] & 0x80 == 0 else { throw MalformedDER() }
      hasPathLengthZero = length.content.count == 1 && fields.input[length.contentStart] == 0
    }
    try fields.expectEnd()
  }
}
