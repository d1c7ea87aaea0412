import MerchantKeys
import PaymentToken
import Testing

/// The values that are read from certificates, at their limits.
@Suite struct CertificateValueTests {
  @Test(arguments: [[], [0x84], [0x80, 0x80], [0x01, 0x7F, 0xFE], [0xFF, 0xFF]] as [[UInt8]])
  func `a usage has exactly the bits that are set`(_ bytes: [UInt8]) {
    let usage = KeyUsage(bytes: bytes)
    let bits = bytes.flatMap { (byte: UInt8) -> [Bool] in (0..<8).map { byte & (128 >> UInt8($0)) > 0 } }
    for bit in -9...40 { #expect(usage.contains(bit: bit) == (bits.indices.contains(bit) && bits[bit]), "\(bit)") }
  }

  @Test func `each named usage is one bit`() {
    for bit in 0..<16 {
      let usage = KeyUsage(bytes: bit < 8 ? [128 >> UInt8(bit)] : [0, 128 >> UInt8(bit - 8)])
      #expect(usage.digitalSignature == (bit == 0) && usage.keyCertSign == (bit == 5))
    }
  }

  static func pathLength(_ integer: [UInt8]) throws -> Int? {
    var recipe = CertificateRecipe()
    recipe.extensions = [
      DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence(DER.yes, DER.integer(integer)))
    ]
    return try Certificate(der: recipe.der).basicConstraints?.pathLength
  }

  @Test(
    arguments: [
      ([0], 0), ([1], 1), ([0x7F], 127), ([0, 0x80], 128), ([0, 0xFF], 255), ([1, 0], 256), ([0x7F, 0xFF], 32_767),
      ([1, 2, 3, 4, 5, 6, 7, 8], 0x102_0304_0506_0708), ([0x7F] + [UInt8](repeating: 0xFF, count: 7), .max),
      ([0, 0x80] + [UInt8](repeating: 0, count: 7), .max), ([1] + [UInt8](repeating: 0, count: 8), .max),
      ([1] + [UInt8](repeating: 0, count: 40), .max),
    ] as [([UInt8], Int)])
  func `a path length is its number, or the greatest where it is greater`(_ integer: [UInt8], _ expected: Int) throws {
    #expect(try Self.pathLength(integer) == expected)
  }

  @Test(arguments: [[0x80], [0xFF], [0x80, 0], [0xFF, 0x7F], [0x81, 0, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]])
  func `a negative path length is refused`(_ integer: [UInt8]) {
    #expect(throws: CertificateError.malformedKnownExtension) { try Self.pathLength(integer) }
  }

  @Test func `constraints and extensions say no where they say nothing`() throws {
    var recipe = CertificateRecipe()
    recipe.extensions = [
      DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence()),
      DER.extensionEntry([0x2A], critical: DER.yes, []),
      DER.extensionEntry([0x2B], critical: [1, 1, 0], [9]),
    ]
    let certificate = try Certificate(der: recipe.der)
    #expect(certificate.basicConstraints == BasicConstraints(isAuthority: false, pathLength: nil))
    #expect(certificate.extensions.map(\.critical) == [false, true, false] && certificate.keyUsage == nil)
    for wrong in [DER.value(0x31, DER.yes), DER.value(0x31), DER.bytes([])] {
      #expect(CertificateRecipe.error(CertificateRuleTests.constraints(wrong)) == .malformedKnownExtension)
    }
  }

  @Test func `a modulus of any size up to 4,096 bits is counted, and a negative or even one refused`() throws {
    for bits in [9, 15, 16, 17, 1_023, 2_041, 2_047, 2_048, 2_049, 4_095, 4_096] {
      var recipe = CertificateRecipe()
      recipe.publicKey = DER.rsaPublicKey(modulus: CertificateRuleTests.modulus(bits: bits))
      guard case .rsa(let modulus, let counted) = try Certificate(der: recipe.der).publicKey else {
        Issue.record("not an RSA key")
        return
      }
      #expect(counted == bits && modulus.count == (bits + 7) / 8 && modulus[0] != 0)
    }
    for wrong in [[0x80, 1], [0xFF], [0xBF, 0xFF], [0x40, 0], [0, 0x80]] as [[UInt8]] {
      let change = CertificateRuleTests.key(DER.rsaPublicKey(modulus: wrong))
      #expect(CertificateRecipe.error(change) == .malformedPublicKey, "\(wrong)")
    }
  }

  @Test func `a certificate may have 65,536 bytes and no more`() {
    func error(_ count: Int) -> (CertificateError?, Int) {
      var recipe = CertificateRecipe()
      recipe.serial = DER.integer([1] + Array(repeating: 0, count: count))
      return (CertificateRecipe.error(of: recipe.der), recipe.der.count)
    }
    let rest = 65_536 - error(65_000).1
    for more in -1...1 {
      let (refusal, count) = error(65_000 + rest + more)
      #expect(count == 65_536 + more && refusal == (more > 0 ? .tooLarge : nil))
    }
  }

  @Test func `each member has to be what it is, in issuer and subject alike`() {
    let broken = DER.sequence(DER.value(0x31, DER.sequence(DER.oid([0x2A]))))
    #expect(CertificateRecipe.error { $0.issuer = broken } == .malformedName)
    #expect(CertificateRecipe.error { $0.subject = broken } == .malformedName)
    // The second name and the second attribute are validated too.
    let good = DER.sequence(DER.oid([0x2A]), DER.null)
    for set in [DER.value(0x31, good), DER.value(0x31, good, good)] {
      #expect(CertificateRecipe.error { $0.subject = DER.sequence(set) } == nil)
      #expect(CertificateRecipe.error { $0.subject = DER.sequence(set, DER.value(0x31)) } == .malformedName)
      #expect(CertificateRecipe.error { $0.subject = DER.sequence(set, DER.value(0x31, DER.null)) } == .malformedName)
    }
    #expect(CertificateRecipe.error { $0.subject = DER.sequence(DER.value(0x31, good, DER.null)) } == .malformedName)
    let whole = CertificateRecipe().der
    #expect(CertificateRecipe.error(of: CertificateRuleTests.changed(whole, 0) { $0 = 0x31 }) == .malformedStructure)
    #expect(CertificateRecipe.error(of: CertificateRuleTests.changed(whole, 0) { $0 = 0xA0 }) == .malformedStructure)
  }

  @Test func `a name is shown by its common name, else by its attributes under their labels`() {
    func attribute(_ oid: [UInt8], _ text: String) -> [UInt8] {
      DER.value(0x31, DER.sequence(DER.oid(oid), DER.value(0x0C, Array(text.utf8))))
    }
    let labelled: [([UInt8], String)] = [
      ([0x55, 4, 6], "C"), ([0x55, 4, 10], "O"), ([0x55, 4, 11], "OU"), (ObjectIdentifiers.userID, "UID"),
      ([0x55, 4, 7], "?"),
      ([0x55, 5, 6], "?"), ([0x54, 4, 10], "?"), ([0x2A], "?"),
    ]
    for (oid, label) in labelled {
      #expect(DistinguishedName(DER.sequence(attribute(oid, "a"))).text == "\(label)=a", "\(oid)")
    }
    let all = DER.sequence(labelled.flatMap { attribute($0.0, "x") })
    #expect(DistinguishedName(all).text == "C=x, O=x, OU=x, UID=x, ?=x, ?=x, ?=x, ?=x")
    let named = DER.sequence(
      attribute([0x55, 4, 10], "o"), attribute([0x55, 4, 3], "first"), attribute([0x55, 4, 3], "second"))
    #expect(DistinguishedName(named).text == "first" && DistinguishedName(named).commonName == "first")
    #expect(
      DistinguishedName(named).firstText([0x55, 4, 10]) == "o" && DistinguishedName(named).firstText([0x55]) == nil)
    for nothing in [DER.sequence(), [], [0x30], [1, 2, 3]] as [[UInt8]] {
      #expect(DistinguishedName(nothing).text == "(no name)")
    }
    // An attribute without a value is skipped; the others of its SET are not.
    let set = DER.value(
      0x31, DER.sequence(DER.oid([0x55, 4, 6])), DER.sequence(DER.oid([0x55, 4, 10]), DER.value(0x0C, [0x62])))
    #expect(DistinguishedName(DER.sequence(set)).text == "O=b")
  }

  @Test func `a merchant's certificate is for payments unless its usage says that it cannot be`() throws {
    let hash = CertificatePurposeTests.hash
    for bit in 0..<8 {
      let usage = CertificatePurposeTests.keyUsage(128 >> UInt8(bit))
      #expect(
        try CertificatePurposeTests.purpose([hash, usage]) == (bit == 2 || bit == 4 ? .paymentProcessing : .other))
    }
    let client = DER.oid(ObjectIdentifiers.clientAuthentication)
    func extended(_ list: [UInt8]) throws -> CertificatePurpose {
      try CertificatePurposeTests.purpose([hash, DER.extensionEntry(ObjectIdentifiers.extendedKeyUsage, list)])
    }
    #expect(try extended(DER.sequence(DER.oid([0x2B]), client)) == .merchantIdentity)
    #expect(try extended(DER.sequence(DER.oid([0x2B]), DER.null, client)) == .paymentProcessing)
    #expect(try extended(DER.value(0x31, client)) == .paymentProcessing)
    #expect(try extended(DER.sequence()) == .paymentProcessing && extended([0x30]) == .paymentProcessing)
    let authority = DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence(DER.yes))
    let subject = DER.extensionEntry(ObjectIdentifiers.basicConstraints, DER.sequence())
    #expect(try CertificatePurposeTests.purpose([hash, authority]) == .authority)
    #expect(try CertificatePurposeTests.purpose([hash, subject]) == .paymentProcessing)
    let markers = [
      (ObjectIdentifiers.appleLeafMarker, CertificatePurpose.tokenSigner),
      (ObjectIdentifiers.appleIntermediateMarker, .tokenIntermediate),
    ]
    for (marker, purpose) in markers {
      #expect(
        try CertificatePurposeTests.purpose([CertificatePurposeTests.marker(marker), authority, hash]) == purpose)
    }
    #expect(try CertificatePurposeTests.purpose([]) == .other)
    #expect(try CertificatePurposeTests.purpose([], subject: "Apple Pay Merchant Identity:") == .merchantIdentity)
    #expect(try CertificatePurposeTests.purpose([], subject: "Apple Pay Merchant Identity") == .other)
  }
}
