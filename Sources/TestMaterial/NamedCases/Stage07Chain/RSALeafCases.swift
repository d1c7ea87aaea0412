import Minting
import PaymentToken

/// RSA_v1 in stages 5 to 9: the RSA leaf.
extension CaseList {
  mutating func addRSALeafCases() {
    for (bits, code) in [
      (1_024, .untrustedChain), (1_536, .untrustedChain), (2_560, nil), (3_072, nil), (4_096, nil),
    ] as [(Int, TokenFault.Code?)] {
      let name: CaseName = "leaf-key-of-\(bits)-bits"
      rsa("7.4", code == nil ? name : .choice(.apple, name), code) { draft in
        let key = try RSAKeyPair(bits: bits, from: &draft.stream)
        try draft.chain { pki in
          pki.rsaLeafKey = key
          pki.rsaLeafRecipe.publicKeyInfo = key.publicKeyInfo
        }
      }
    }
    @Sendable func info(_ parts: [ASN1Node]) -> ASN1Node {
      .sequence([.sequence([OID.rsaEncryption, .null]), .bitString(ASN1Node.sequence(parts).encoded)])
    }
    let modulus = [UInt8](repeating: 0xC5, count: 256)
    let sound = info([.unsigned(modulus), .integer(65_537)])
    let keys: [(CaseName, TokenFault.Code, ASN1Node)] = [
      (
        .strict(.apple, "of-2047-bits"), .untrustedChain,
        info([.unsigned([0x7F] + modulus.dropFirst()), .integer(65_537)])
      ),
      (.strict(.apple, "with-exponent-3"), .malformedSignature, info([.unsigned(modulus), .integer(3)])),
      (
        .standing(.rsaKey, "with-an-even-modulus"), .malformedSignature,
        info([.unsigned(modulus.dropLast() + [2]), .integer(65_537)])
      ),
      (
        .standing(.rsaKey, "with-a-padded-modulus"), .malformedSignature,
        info([.primitive(2, [0, 0] + modulus), .integer(65_537)])
      ),
      (
        .standing(.rsaKey, "without-parameters"), .malformedSignature,
        .sequence([.sequence([OID.rsaEncryption]), sound[1]])
      ),
      (.strict(.apple, "for-pss"), .untrustedChain, .sequence([.sequence([OID.rsaPSS]), sound[1]])),
    ]
    for (name, code, key) in keys {
      rsa(code == .untrustedChain ? "7.4" : "5.16", "leaf-key-\(name)", code) { try $0.leaf { $0.publicKeyInfo = key } }
    }
    rsa("7.4", "leaf-for-encipherment", .untrustedChain) {
      try $0.leaf { $0.replaceExtension(Extensions.keyUsage(0x20)) }
    }
    underRSA("leaf-without-key-usage", "leaf-that-is-an-authority")
    underRSA("leaf-with-an-unknown-extension-critical", as: "leaf-with-an-unknown-critical-extension")
    rsa("7.2", .standing(.apple, .rfc(5280, "6.1.3"), .strictness, "leaf-of-another-issuer"), .untrustedChain) {
      try $0.leaf { $0.issuer = Names.name("assay Nobody") }
    }
    underRSA("leaf-without-its-marker", "leaf-with-both-markers")
    underRSA("leaf-signature-value-with-a-bit-flipped", as: "leaf-with-a-flipped-signature")
    addRSALeafChoiceCases()
  }

  /// A modulus one byte longer than that of 2,048 bits.
  mutating func addRSALeafSizeCases() {
    rsa("7.4", "leaf-key-of-2056-bits") { draft in
      let key = try RSAKeyPair(bits: 2_056, from: &draft.stream)
      try draft.chain { pki in
        pki.rsaLeafKey = key
        pki.rsaLeafRecipe.publicKeyInfo = key.publicKeyInfo
      }
    }
  }

  private mutating func addRSALeafChoiceCases() {
    rsa(
      "7.4", .standing(.forgery, "ec-leaf-of-the-same-intermediate"), .untrustedChain,
      note: "a leaf signs tokens of one version"
    ) {
      draft in
      let rsaKey = draft.layers.signer.rsaKey
      draft.layers.signer = TokenSigner(draft.minter.pki)
      draft.layers.signer.rsaKey = rsaKey
      try draft.sign()
    }
    reject(
      "7.4", .standing(.forgery, "ec-token-with-an-rsa-leaf"), .untrustedChain,
      note: "a leaf signs tokens of one version"
    ) { draft in
      draft.layers.signer = TokenSigner(draft.minter.pki, version: .rsaV1)
      draft.layers.signer.rsaKey = nil
      try draft.sign()
    }
    reject("6.4", .standing(.forgery, "ec-token-with-an-rsa-leaf-and-another-signer"), .signerMismatch) { draft in
      draft.layers.signer.certificates[0] = draft.minter.pki.rsaLeaf
      try draft.sign()
    }
    rsa("6.1", .strict(.holder, "both-leaves"), .missingLeafMarker) { try $0.append(certificate: $0.minter.pki.leaf) }
    rsa("6.4", "signer-named-by-the-ec-leaf-s-serial-number", .signerMismatch) {
      try $0.sign(\.signer.serial, $0.minter.pki.leafRecipe.serial)
    }
    underRSA("the-root-as-third-certificate", as: "root-too")
    rsa("7.2", "leaf-under-an-rsa-intermediate") { draft in
      let key = SigningKey.rsa(try RSAKeyPair(bits: 2_048, from: &draft.stream))
      try draft.chain { pki in
        pki.setIntermediate(key)
        pki.leafRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
        pki.rsaLeafRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
      }
    }
    rsa("7.6", "leaf-revoked", .certificateRevoked) { $0.revoke($0.minter.pki.rsaLeaf) }
    rsa("7.6", "leaf-key-revoked", .certificateRevoked) { draft in
      let info = draft.minter.pki.rsaLeafKey.publicKeyInfo.encoded
      draft.revoke(info)
    }
    rsa("7.6", "ec-leaf-revoked") { $0.revoke($0.minter.pki.leaf) }
    rsa("7.7", "leaf-expired", .certificateExpired) { try $0.leaf(validFrom: nil, to: -1) }
    rsa("7.7", "leaf-not-yet-valid", .certificateNotYetValid) { try $0.leaf(validFrom: 1, to: nil) }
    underRSA("signed-301-seconds-ago", as: "signed-301-seconds-before")
    underRSA("signed-in-300-seconds", as: "signed-300-seconds-after")
  }
}
