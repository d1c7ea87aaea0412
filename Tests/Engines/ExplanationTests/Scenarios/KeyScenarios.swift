import Explanation
import MerchantKeys
import Minting
import PaymentToken

/// Certificates and key files of the wrong kind or in the wrong form.
extension PreparedScenario {
  // MARK: Whose certificate, and of what kind

  static let certificates: [PreparedScenario] = [
    PreparedScenario(.sound, "a chain with the authority's certificate") {
      $0.files[1] = Scenario.chain($0.minter.merchants[0].keys[0].certificate, $0.minter.pki.intermediate)
    },
    PreparedScenario(.sound, "key, chain and another merchant's certificate in one file") {
      let key = $0.minter.merchants[0].keys[0]
      let chain = Scenario.chain(
        $0.minter.merchants[1].keys[0].certificate, key.certificate, $0.minter.pki.intermediate)
      $0.files = [KeyFile(name: "all.pem", bytes: Array(key.pkcs8PEM.utf8) + chain.bytes)]
    },
    PreparedScenario(.privateKeyMissing, "the token's certificate beside another merchant's key and certificate") {
      let certificate = $0.files[1]
      $0.files = Scenario.files($0.minter.merchants[1].keys[0]) + [certificate]
    },
    PreparedScenario(.privateKeyMissing, "the certificate for a request that the payment provider made") {
      $0.files = [Scenario.chain($0.minter.merchants[0].keys[0].certificate, $0.minter.pki.intermediate)]
    },
    PreparedScenario(.unknownKey, "another merchant's certificate of last week") {
      try $0.useAnotherMerchantsCertificate($0.minter.merchants[0].keys[0], from: -7, to: 700)
    },
    PreparedScenario(.unknownKey, "another merchant's certificate that expired last year") {
      try $0.useAnotherMerchantsCertificate($0.minter.merchants[0].keys[0], from: -900, to: -300)
    },
    PreparedScenario(.unknownKey, "another merchant's certificate, made after the token") {
      try $0.useAnotherMerchantsCertificate($0.minter.merchants[0].keys[0], from: 7, to: 700)
    },
    PreparedScenario(.keyCertificateMismatch, "another merchant's certificate alone") {
      $0.files = [Scenario.files($0.minter.merchants[1].keys[0])[1]]
    },
    PreparedScenario(.authorityCertificate, "Apple's root as the certificate") {
      $0.files[1] = Scenario.chain(TrustAnchors.apple.certificates[0])
    },
    PreparedScenario(.authorityCertificate, "the certificate of the payment signer") {
      $0.files = [Scenario.chain($0.minter.pki.leaf)]
    },
    PreparedScenario(.tlsCertificate, "the web server's certificate and key, and no merchant ID") {
      try $0.useCertificate(usage: .tlsServer)
    },
    PreparedScenario(.tlsCertificate, "the web server's certificate and key, and the merchant ID") {
      try $0.useCertificate(usage: .tlsServer)
      $0.merchantIDs = [$0.minter.merchants[0].identifier]
    },
    PreparedScenario(.tlsCertificate, "the web server's certificate and key, of RSA") {
      let key = $0.minter.rsaMerchants[0].keys[1]
      $0.files = [
        Scenario.file("server.key", key.pkcs8PEM), try $0.certificate(of: key.pair.publicKeyInfo, usage: .tlsServer),
      ]
    },
    PreparedScenario(.tlsCertificate, "a TLS certificate signed with its own key, which marks it as an authority's") {
      try $0.useCertificate(usage: .tlsServer, isSelfSigned: true)
    },
    PreparedScenario(.codeSigningCertificate, "a distribution certificate beside the merchant's key") {
      let key = $0.files[0]
      try $0.useCertificate(usage: .codeSigning)
      $0.files[0] = key
    },
    PreparedScenario(.forgedAppleNames, "a self-made authority of Apple's name") {
      try $0.forgeApple(root: "Somebody Root CA", intermediate: "Apple Application Integration CA - G3")
    },
    PreparedScenario(.forgedAppleNames, "self-made certificates with all of Apple's names, under Apple's root") {
      $0.anchors = .apple
      try $0.forgeApple(root: "Apple Root CA - G3", intermediate: "Apple Application Integration CA - G3")
    },
    PreparedScenario(.forgedAppleNames, "a self-made authority of Apple's name, with its root in the signature") {
      try $0.forgeApple(root: "Apple Root CA - G3", intermediate: "b", withRoot: true)
    },
    PreparedScenario(.otherRoot, "an authority whose name only begins like Apple's") {
      try $0.forgeApple(root: "Applegate Root CA", intermediate: "Pineapple CA", leaf: "a")
    },
    PreparedScenario(.forgedAppleNames, "a self-made signer of Apple's name") {
      try $0.forgeApple(root: "a", intermediate: "b")
    },
  ]

  /// Names that a reader takes for Apple's: with invisible characters, letters of other alphabets, without a space.
  static let lookalikes = [
    "Ap\u{200B}ple Root CA - G3", "Ap\u{00AD}ple Root CA", "Ap\u{FE0F}ple Root", "\u{0410}pple Root CA - G3",
    "\u{FF21}\u{FF50}\u{FF50}\u{FF4C}\u{FF45} Root", "AppIe Root CA", "App1e Inc.", "AppleRoot CA - G3",
    "\0A\0p\0p\0l\0e\0 \0R\0o\0o\0t", "A\u{0301}pple Inc", "A\u{302E}pple Inc", "APPLE ROOT CA",
  ].map { name in
    PreparedScenario(.forgedAppleNames, "a self-made authority called \(name.debugDescription)") {
      try $0.forgeApple(root: name, intermediate: "b", leaf: "a")
    }
  }

  // MARK: What kind of file

  static let keyFiles: [PreparedScenario] = [
    PreparedScenario(.publicKeyGiven, "the public key in place of the private one") {
      $0.files[0] = Scenario.file("public.pem", "PUBLIC KEY", $0.pair.publicKeyInfo.encoded)
    },
    PreparedScenario(.requestGiven, "the signing request in place of the certificate") {
      let request = try NewKey(.p256, commonName: "merchant").request
      $0.files[1] = Scenario.file("merchant.csr", "CERTIFICATE REQUEST", request.der)
    },
    PreparedScenario(.archiveWithoutKey, "a .p12 with the certificate alone") {
      $0.files = [KeyFile(name: "merchant.p12", bytes: Archive.certificate($0.minter.merchants[0].keys[0].certificate))]
    },
    PreparedScenario(.unsupportedCurve, "a key on P-384") {
      var stream = SeededGenerator(seed: 1).stream("P-384")
      $0.files[0] = Scenario.file("p384.key", PEM.pkcs8(try KeyPair(.p384, from: &stream)))
    },
    PreparedScenario(.explicitCurveParameters, "a key with the parameters of its curve") {
      $0.files[0] = Scenario.file("explicit.key", "EC PRIVATE KEY", ExplicitKey.sec1($0.pair))
    },
    PreparedScenario(.escapedPEM, "a key from an environment variable") {
      $0.files[0] = Scenario.file("merchant.key", $0.keyText.replacing("\n", with: "\\n"))
    },
    PreparedScenario(.notPlainText, "a key that PowerShell wrote in UTF-16") {
      let text: [UInt8] = [0xFF, 0xFE] + $0.keyText.utf8.flatMap { [$0, 0] }
      $0.files[0] = KeyFile(name: "merchant.key", bytes: text)
    },
    PreparedScenario(.bareBase64, "the base64 of a key without the lines around it") {
      $0.files[0] = Scenario.file("merchant.key", Base64.encode(PEM.pkcs8DER($0.pair)))
    },
    PreparedScenario(.bareHexadecimal, "a key in hexadecimal") {
      $0.files[0] = Scenario.file("merchant.key", Hex.encode(PEM.pkcs8DER($0.pair)))
    },
  ]
}

extension Scenario {
  /// The key that the token is encrypted to.
  fileprivate var pair: KeyPair { minter.merchants[0].keys[0].pair }
  fileprivate var keyText: String { PEM.pkcs8(pair) }

  fileprivate static func file(_ name: String, _ label: String, _ der: [UInt8]) -> KeyFile {
    KeyFile(name: name, bytes: PEMText.encode(der, label: label))
  }

  static func chain(_ certificates: [UInt8]...) -> KeyFile {
    file("chain.pem", certificates.map(PEM.certificate).joined())
  }

  fileprivate enum Usage {
    case tlsServer, codeSigning

    var arcs: [UInt64] { [1, 3, 6, 1, 5, 5, 7, 3, self == .tlsServer ? 1 : 3] }
  }

  /// Replaces the files by another key and its certificate for another use.
  fileprivate mutating func useCertificate(usage: Usage, isSelfSigned: Bool = false) throws {
    let key = minter.merchants[0].keys[1]
    let certificate = try certificate(of: key.pair.publicKeyInfo, usage: usage, by: isSelfSigned ? key.pair : nil)
    files = [Scenario.file("other.key", key.sec1PEM), certificate]
  }

  /// - Parameter issuer: the key's own pair for a certificate that it signs itself; nil for the authority's.
  fileprivate func certificate(
    of publicKeyInfo: ASN1Node, usage: Usage, by issuer: KeyPair? = nil
  ) throws -> KeyFile {
    var recipe = minter.pki.leafRecipe
    recipe.publicKeyInfo = publicKeyInfo
    recipe.extensions = [
      .sequence([.oid([2, 5, 29, 37]), .octetString(ASN1Node.sequence([.oid(usage.arcs)]).encoded)])
    ]
    guard let issuer else { return Scenario.chain(try recipe.issue(by: minter.pki.intermediateKey)) }
    recipe.issuer = recipe.subject
    recipe.extensions.append(
      .sequence([.oid([2, 5, 29, 19]), .octetString(ASN1Node.sequence([.boolean(true)]).encoded)]))
    return Scenario.chain(try recipe.issue(by: .ec(issuer)))
  }

  /// Signs the token with the keys of the foreign PKI and certificates with these names.
  fileprivate mutating func forgeApple(
    root: String, intermediate: String, leaf: String = "ecc-smp-broker-sign_UC4-PROD", withRoot: Bool = false
  ) throws {
    func name(_ text: String) -> ASN1Node {
      .sequence([.set([.sequence([.oid([2, 5, 4, 3]), .utf8String(text)])])])
    }
    var pki = minter.foreign
    pki.rootRecipe.issuer = name(root)
    pki.rootRecipe.subject = name(root)
    pki.intermediateRecipe.issuer = name(root)
    pki.intermediateRecipe.subject = name(intermediate)
    pki.leafRecipe.issuer = name(intermediate)
    pki.leafRecipe.subject = name(leaf)
    try pki.issue()
    try signed {
      $0.signer = TokenSigner(pki)
      if withRoot { $0.signer.certificates.append(pki.root) }
    }
  }
}

/// A .p12 without MAC and encryption (RFC 7292).
private enum Archive {
  private static let bags: [UInt64] = [1, 2, 840, 113_549, 1, 12, 10, 1]
  private static let data = ASN1Node.oid([1, 2, 840, 113_549, 1, 7, 1])

  static func certificate(_ der: [UInt8]) -> [UInt8] {
    let type = ASN1Node.oid([1, 2, 840, 113_549, 1, 9, 22, 1])
    let bag = ASN1Node.sequence([
      .oid(bags + [3]), .context(0, [.sequence([type, .context(0, [.octetString(der)])])]),
    ])
    let parts = content(.sequence([content(.sequence([bag]))]))
    return ASN1Node.sequence([.integer(3), parts]).encoded
  }

  private static func content(_ node: ASN1Node) -> ASN1Node {
    .sequence([data, .context(0, [.octetString(node.encoded)])])
  }
}

/// A key on P-256 whose file has the curve's parameters instead of its name (RFC 3279 section 2.3.5).
private enum ExplicitKey {
  static func sec1(_ pair: KeyPair) -> [UInt8] {
    ASN1Node.sequence([
      .integer(1), .octetString(pair.scalar), .context(0, [parameters]), .context(1, [.bitString(pair.point)]),
    ]).encoded
  }

  private static let parameters = ASN1Node.sequence([
    .integer(1), .sequence([.oid([1, 2, 840, 10_045, 1, 1]), .unsigned(prime)]),
    .sequence([.octetString(prime.dropLast() + [0xFC]), .octetString(bytes(b))]),
    .octetString([0x04] + bytes(generator)), .unsigned(bytes(order)), .integer(1),
  ])

  private static let prime = bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
  private static let b = "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"
  private static let generator =
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
  private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
