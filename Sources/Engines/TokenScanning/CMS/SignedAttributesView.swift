import PaymentToken

/// The signed attributes of a payment token (RFC 5652 11, RFC 6211; Docs/Verification.md 5.11, 5.12).
public struct SignedAttributesView: Sendable {
  /// The 32 bytes of messageDigest.
  public let messageDigest: Range<Int>
  /// The value of signingTime.
  public internal(set) var signingTime: UnixTime
  /// The element with that value.
  let timeElement: Range<Int>

  /// Reads attributes whose DER has been checked, of a SignerInfo with this signature algorithm.
  init(_ attributes: consuming DERScanner, signedWith algorithm: SignerAlgorithm) throws(MalformedDER) {
    var hasContentType = false
    var hasProtection = false
    var digest: Range<Int>?
    var time: UnixTime?
    var timeElement = 0..<0
    while !attributes.isAtEnd {
      let attribute = try attributes.element(DERTag.sequence)
      var parts = attributes.inside(attribute)
      let type = try parts.element(DERTag.objectIdentifier).content
      let set = try parts.element(DERTag.set)
      try parts.expectEnd()
      var values = parts.inside(set)
      switch values.signedAttribute(type) {
      case .messageDigest:
        guard digest == nil else { throw MalformedDER() }
        digest = try values.element(DERTag.octetString).content
      case .signingTime:
        guard time == nil else { throw MalformedDER() }
        time = try values.time()
        timeElement = set.content
      case .contentType:
        guard !hasContentType else { throw MalformedDER() }
        hasContentType = true
        try values.exactly(CMSBytes.data)
      case .algorithmProtection:
        guard !hasProtection else { throw MalformedDER() }
        hasProtection = true
        try Self.checkProtection(&values, algorithm)
      case nil: continue
      }
      try values.expectEnd()
    }
    guard hasContentType, let digest, digest.count == 32, let time else { throw MalformedDER() }
    messageDigest = digest
    signingTime = time
    self.timeElement = timeElement
  }

  private static func checkProtection(
    _ values: inout DERScanner, _ algorithm: SignerAlgorithm
  ) throws(MalformedDER) {
    let value = try values.element(DERTag.sequence)
    var parts = values.inside(value)
    try parts.sha256AlgorithmIdentifier()
    try parts.protectedAlgorithm(algorithm)
    try parts.expectEnd()
  }
}

extension DERScanner {
  /// The attribute with this type, the contents of an object identifier; nil for any other.
  fileprivate func signedAttribute(_ type: Range<Int>) -> SignedAttribute? {
    let arc = CMSBytes.attributeTypes
    guard type.count == arc.count + 1, holds(arc, in: type.lowerBound..<type.upperBound - 1) else { return nil }
    return SignedAttribute(rawValue: input[type.upperBound - 1])
  }
}
