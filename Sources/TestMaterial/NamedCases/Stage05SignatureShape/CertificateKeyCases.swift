import Minting
import PaymentToken

/// Rule 5.16: public keys in certificates. The certificates are signed after the change.
extension CaseList {
  mutating func addCertificateKeyCases() {
    addLeafKeyCases()
    addIntermediateKeyCases()
    addRSAKeyCases()
  }

  /// A public key with the identifier of EC keys.
  static func info(_ point: [UInt8], _ parameters: [ASN1Node] = [OID.p256], unusedBits: UInt8 = 0) -> ASN1Node {
    .sequence([.sequence([OID.ecPublicKey] + parameters), .bitString(point, unusedBits: unusedBits)])
  }

  private mutating func addLeafKeyCases() {
    let forms: Named<@Sendable ([UInt8]) -> ASN1Node> = [
      .choice(.apple, "compressed"): { CaseList.info([2 + ($0[64] & 1)] + $0[1...32]) },
      .choice(.apple, "in-the-hybrid-form"): { CaseList.info([6 + ($0[64] & 1)] + $0[1...]) },
      "in-the-wrong-hybrid-form": { CaseList.info([7 - ($0[64] & 1)] + $0[1...]) },
      "at-infinity": { _ in CaseList.info([0]) },
      "without-bytes": { _ in CaseList.info([]) }, "cut-by-one-byte": { CaseList.info(Array($0.dropLast())) },
      "with-a-byte-more": { CaseList.info($0 + [0]) },
      "off-the-curve": { CaseList.info(Array($0.dropLast()) + [$0[64] ^ 1]) },
      "of-zeros": { _ in CaseList.info([4] + zeros(64)) },
      .standing(.apple, .standard("sec1-2.3.4"), .strictness, "with-x-above-the-prime"): {
        CaseList.info([4] + [UInt8](repeating: 0xFF, count: 32) + $0[33...])
      },
      "without-parameters": { CaseList.info($0, []) }, "with-null-parameters": { CaseList.info($0, [.null]) },
      .standing(.apple, .rfc(5480, "2.1.1"), .strictness, "with-explicit-parameters"): {
        CaseList.info($0, [ExplicitParameters.p256])
      },
      "with-the-curve-of-p-384": { CaseList.info($0, [OID.p384]) },
      "with-two-parameters": { CaseList.info($0, [OID.p256, .null]) },
      "with-an-unused-bit": { CaseList.info($0.dropLast() + [$0[64] & 0xFE], unusedBits: 1) },
      "as-an-octet-string": { .sequence([.sequence([OID.ecPublicKey, OID.p256]), .octetString($0)]) },
      "with-a-third-value": { .sequence(CaseList.info($0).children + [.null]) },
      "as-a-set": { .set(CaseList.info($0).children) },
      "without-an-algorithm": { .sequence([.sequence([]), .bitString($0)]) },
      "without-a-key": { _ in .sequence([.sequence([OID.ecPublicKey, OID.p256])]) },
    ]
    for (name, make) in forms {
      reject("5.16", "leaf-key-\(name)", .malformedSignature) { draft in
        let point = draft.minter.pki.leafKey.point
        try draft.leaf { $0.publicKeyInfo = make(point) }
      }
    }
    for curve in [Curve.p384, .p521, .secp256k1] {
      reject(
        "7.4", .choice(.apple, "leaf-key-on-\(curve)"), .untrustedChain, note: "the key parses, and signs the token"
      ) {
        draft in
        let key = try KeyPair(curve, from: &draft.stream)
        try draft.chain { pki in
          pki.leafKey = key
          pki.leafRecipe.publicKeyInfo = key.publicKeyInfo
        }
      }
    }
    let others: Named<ASN1Node> = [
      "of-ed25519": .sequence([.sequence([OID.ed25519]), .bitString([UInt8](repeating: 9, count: 32))]),
      "of-an-unknown-algorithm": .sequence([.sequence([OID.unknown, .null]), .bitString([1, 2, 3])]),
      "on-an-unknown-curve": CaseList.info([4, 1, 2], [OID.unknown]),
      .strict(.apple, "on-p521-compressed"): CaseList.info([2] + [UInt8](repeating: 1, count: 66), [OID.p521]),
    ]
    for (name, info) in others { leaf("5.16", "leaf-key-\(name)", .untrustedChain) { $0.publicKeyInfo = info } }
  }

  private mutating func addIntermediateKeyCases() {
    for (curve, code) in [
      (Curve.p384, nil), (.p256, nil), (.p521, TokenFault.Code.untrustedChain), (.secp256k1, .untrustedChain),
    ] {
      let note = code == nil ? "" : "the leaf's signature under it is right"
      let name: CaseName = "intermediate-key-on-\(curve)"
      either("7.2", curve == .p256 ? name : .choice(.apple, name), code, note: note) { draft in
        let key = try KeyPair(curve, from: &draft.stream)
        try draft.chain { $0.setIntermediate(.ec(key)) }
      }
    }
    reject(
      "5.16", .standing(.apple, .rfc(5480, "2.1.1"), .strictness, "intermediate-key-with-explicit-parameters"),
      .malformedSignature
    ) { draft in
      let point = try draft.minter.pki.intermediateKey.pair.point
      try draft.intermediate { $0.publicKeyInfo = CaseList.info(point, [ExplicitParameters.p256]) }
    }
    for (name, prefix) in [("compressed", UInt8(2)), ("hybrid", 6)] {
      reject("5.16", .choice(.apple, "intermediate-key-on-p384-\(name)"), .malformedSignature) { draft in
        let key = try KeyPair(.p384, from: &draft.stream)
        let first = prefix + (key.point[96] & 1)
        let point = [first] + key.point[1...(prefix == 2 ? 48 : 96)]
        try draft.chain { pki in
          pki.intermediateKey = .ec(key)
          pki.intermediateRecipe.publicKeyInfo = CaseList.info(point, [OID.p384])
        }
      }
    }
    intermediate("5.16", "intermediate-key-on-p384-off-the-curve") {
      $0.publicKeyInfo = CaseList.info([4] + [UInt8](repeating: 1, count: 96), [OID.p384])
    }
    intermediate(
      "5.16", .standing(.apple, .standard("sec1-2.3.4"), .strictness, "intermediate-key-on-p384-with-y-above-the-prime")
    ) {
      $0.publicKeyInfo = CaseList.info(
        [4] + [UInt8](repeating: 1, count: 48) + [UInt8](repeating: 0xFF, count: 48), [OID.p384])
    }
  }

  private mutating func addRSAKeyCases() {
    @Sendable func encoded(_ key: [UInt8], parameters: [ASN1Node] = [.null]) -> ASN1Node {
      .sequence([.sequence([OID.rsaEncryption] + parameters), .bitString(key)])
    }
    @Sendable func key(
      _ parts: [ASN1Node], parameters: [ASN1Node] = [.null], length: ASN1Node.Length = .shortest
    ) -> ASN1Node {
      encoded(ASN1Node(identifier: [0x30], length: length, body: .constructed(parts)).encoded, parameters: parameters)
    }
    let exponent = ASN1Node.integer(65_537)
    let modulus = [UInt8](repeating: 0xC5, count: 256)
    let wrong: [(CaseName, ASN1Node)] = [
      (.strict(.apple, "with-exponent-3"), key([.unsigned(modulus), .integer(3)])),
      (.strict(.apple, "with-exponent-65539"), key([.unsigned(modulus), .integer(65_539)])),
      (.strict(.apple, "with-exponent-1"), key([.unsigned(modulus), .integer(1)])),
      (.strict(.apple, "with-exponent-257"), key([.unsigned(modulus), .integer(257)])),
      (.strict(.apple, "with-exponent-131073"), key([.unsigned(modulus), .integer(131_073)])),
      (.strict(.apple, "with-exponent-2-to-the-32-and-65537"), key([.unsigned(modulus), .unsigned([1, 0, 1, 0, 1])])),
      (.standing(.rsaKey, "with-an-even-modulus"), key([.unsigned(modulus.dropLast() + [0xC4]), exponent])),
      (.standing(.rsaKey, "with-a-negative-modulus"), key([.primitive(2, modulus), exponent])),
      (.standing(.rsaKey, "with-modulus-0"), key([.integer(0), exponent])),
      (.strict(.apple, "of-4097-bits"), key([.unsigned([1] + [UInt8](repeating: 0xC5, count: 512)), exponent])),
      (.strict(.apple, "of-8192-bits"), key([.unsigned([UInt8](repeating: 0xC5, count: 1_024)), exponent])),
      (.standing(.rsaKey, "without-parameters"), key([.unsigned(modulus), exponent], parameters: [])),
      (.standing(.rsaKey, "with-an-empty-sequence"), key([.unsigned(modulus), exponent], parameters: [.sequence([])])),
      (.standing(.rsaKey, "with-a-third-integer"), key([.unsigned(modulus), exponent, .integer(1)])),
      (.strict(.apple, "without-an-exponent"), key([.unsigned(modulus)])),
      (.standing(.rsaKey, "with-a-padded-modulus"), key([.primitive(2, [0, 0] + modulus), exponent])),
      (.strict(.apple, "with-a-padded-exponent"), key([.unsigned(modulus), .primitive(2, [0, 1, 0, 1])])),
      (
        .standing(.rsaKey, "with-a-byte-after-it"),
        encoded(ASN1Node.sequence([.unsigned(modulus), exponent]).encoded + [0])
      ),
      (.standing(.rsaKey, "that-is-empty"), encoded([])),
      (.standing(.rsaKey, "of-indefinite-length"), key([.unsigned(modulus), exponent], length: .indefinite)),
    ]
    for (name, info) in wrong { leaf("5.16", "leaf-rsa-key-\(name)") { $0.publicKeyInfo = info } }
    for bits in [1_024, 2_048] {
      reject("7.4", .strict(.apple, "leaf-rsa-key-of-\(bits)-bits"), .untrustedChain) { draft in
        let key = try RSAKeyPair(bits: bits, from: &draft.stream)
        try draft.leaf { $0.publicKeyInfo = key.publicKeyInfo }
      }
    }
    leaf("5.16", .standing(.rsaKey, "leaf-rsa-key-of-one-bit"), .untrustedChain) {
      $0.publicKeyInfo = key([.integer(1), exponent])
    }
  }
}

/// The explicit parameters of P-256 (SEC 1, C.2). OpenSSL takes them for the named curve; no token may contain them.
enum ExplicitParameters {
  static let p256 = ASN1Node.sequence([
    .integer(1),
    .sequence([OID.primeField, .unsigned(prime)]),
    .sequence([
      .octetString(number("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFC")),
      .octetString(number("5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B")),
    ]),
    .octetString(
      number(
        "046B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C2964FE342E2FE1A7F9B8EE7EB4A7C0F9E16"
          + "2BCE33576B315ECECBB6406837BF51F5")),
    .unsigned(order), .integer(1),
  ])

  /// The prime of P-256.
  static let prime = number("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF")
  /// The order of its generator.
  static let order = number("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551")

  static func number(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }
}
