import Minting
import PaymentToken

/// RSA_v1 in stages 6 and 7: the RSA leaf.
extension CaseList {
  mutating func addRSALeafCases() {
    for (bits, code) in [
      (1_024, .untrustedChain), (1_536, .untrustedChain), (2_560, nil), (3_072, nil), (4_096, nil),
    ] as [(Int, TokenFault.Code?)] {
      rsa("7.4", "leaf-key-of-\(bits)-bits", code) { draft throws(MintingError) in
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
    let keys: [(String, TokenFault.Code, ASN1Node)] = [
      ("of-2047-bits", .untrustedChain, info([.unsigned([0x7F] + modulus.dropFirst()), .integer(65_537)])),
      ("with-exponent-3", .malformedSignature, info([.unsigned(modulus), .integer(3)])),
      ("with-an-even-modulus", .malformedSignature, info([.unsigned(modulus.dropLast() + [2]), .integer(65_537)])),
      ("with-a-padded-modulus", .malformedSignature, info([.primitive(2, [0, 0] + modulus), .integer(65_537)])),
      (
        "without-parameters", .malformedSignature,
        .sequence([.sequence([OID.rsaEncryption]), info([.unsigned(modulus), .integer(65_537)])[1]])
      ),
      (
        "for-pss", .untrustedChain,
        .sequence([.sequence([OID.rsaPSS]), info([.unsigned(modulus), .integer(65_537)])[1]])
      ),
    ]
    for (name, code, key) in keys {
      rsa(code == .untrustedChain ? "7.4" : "5.16", "leaf-key-\(name)", code) { draft throws(MintingError) in
        try draft.leaf { $0.publicKeyInfo = key }
      }
    }
    let recipes: [(String, String, TokenFault.Code?, @Sendable (inout CertificateRecipe) -> Void)] = [
      (
        "7.4", "leaf-for-encipherment", .untrustedChain,
        { $0.replaceExtension(OID.keyUsage, with: Extensions.keyUsage(0x20)) }
      ),
      ("7.4", "leaf-without-key-usage", nil, { $0.replaceExtension(OID.keyUsage, with: nil) }),
      (
        "7.4", "leaf-that-is-an-authority", .untrustedChain,
        { $0.replaceExtension(OID.basicConstraints, with: Extensions.basicConstraints(authority: true)) }
      ),
      (
        "7.5", "leaf-with-an-unknown-critical-extension", .untrustedChain,
        { $0.extensions.append(Extensions.make(OID.unknown, critical: true, .null)) }
      ),
      ("7.2", "leaf-of-another-issuer", .untrustedChain, { $0.issuer = Names.name("assay Nobody") }),
      ("6.1", "leaf-without-its-marker", .missingLeafMarker, { $0.replaceExtension(OID.leafMarker, with: nil) }),
      (
        "6.2", "leaf-with-both-markers", .missingIntermediateMarker,
        { $0.extensions.append(Extensions.intermediateMarker) }
      ),
      ("7.2", "leaf-with-a-flipped-signature", .untrustedChain, { $0.editSignature = { $0[$0.count - 1] ^= 1 } }),
    ]
    for (clause, name, code, edit) in recipes {
      rsa(clause, name, code) { draft throws(MintingError) in try draft.leaf(edit) }
    }
    addRSALeafChoiceCases()
  }

  private mutating func addRSALeafChoiceCases() {
    rsa("7.4", "ec-leaf-of-the-same-intermediate", .untrustedChain, note: "a leaf signs tokens of one version") {
      draft throws(MintingError) in
      let rsaKey = draft.layers.signer.rsaKey
      draft.layers.signer = TokenSigner(draft.minter.pki)
      draft.layers.signer.rsaKey = rsaKey
      try draft.layers.sign()
    }
    reject("7.4", "ec-token-with-an-rsa-leaf", .untrustedChain, note: "a leaf signs tokens of one version") {
      draft throws(MintingError) in
      draft.layers.signer = TokenSigner(draft.minter.pki, version: .rsaV1)
      draft.layers.signer.rsaKey = nil
      try draft.layers.sign()
    }
    reject("6.4", "ec-token-with-an-rsa-leaf-and-another-signer", .signerMismatch) { draft throws(MintingError) in
      draft.layers.signer.certificates[0] = draft.minter.pki.rsaLeaf
      try draft.layers.sign()
    }
    rsa("6.1", "both-leaves", .missingLeafMarker) { draft throws(MintingError) in
      let other = draft.minter.pki.leaf
      try draft.certificates { $0.append(other) }
    }
    rsa("6.4", "signer-named-by-the-ec-leaf-s-serial-number", .signerMismatch) { draft throws(MintingError) in
      draft.layers.signer.serial = draft.minter.pki.leafRecipe.serial
      try draft.layers.sign()
    }
    rsa("6.3", "root-too") { draft throws(MintingError) in
      let root = draft.minter.pki.root
      try draft.certificates { $0.append(root) }
    }
    rsa("7.2", "leaf-under-an-rsa-intermediate") { draft throws(MintingError) in
      let key = SigningKey.rsa(try RSAKeyPair(bits: 2_048, from: &draft.stream))
      try draft.chain { pki in
        pki.intermediateKey = key
        pki.intermediateRecipe.publicKeyInfo = key.publicKeyInfo
        pki.leafRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
        pki.rsaLeafRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
      }
    }
    rsa("7.6", "leaf-revoked", .certificateRevoked) { draft throws(MintingError) in
      draft.policy.revoked = Octets32(Hashing.sha256(draft.minter.pki.rsaLeaf)).map { [$0] } ?? []
    }
    rsa("7.6", "leaf-key-revoked", .certificateRevoked) { draft throws(MintingError) in
      let info = draft.minter.pki.rsaLeafKey.publicKeyInfo.encoded
      draft.policy.revoked = Octets32(Hashing.sha256(info)).map { [$0] } ?? []
    }
    rsa("7.6", "ec-leaf-revoked") { draft throws(MintingError) in
      draft.policy.revoked = Octets32(Hashing.sha256(draft.minter.pki.leaf)).map { [$0] } ?? []
    }
    rsa("7.7", "leaf-expired", .certificateExpired) { draft throws(MintingError) in
      let end = draft.minter.time.advanced(by: -1)
      try draft.leaf { $0.notAfter = .time(end) }
    }
    rsa("7.7", "leaf-not-yet-valid", .certificateNotYetValid) { draft throws(MintingError) in
      let start = draft.minter.time.advanced(by: 1)
      try draft.leaf { $0.notBefore = .time(start) }
    }
    rsa("9.1", "signed-301-seconds-before", .signingTimeOutsideWindow) { draft throws(MintingError) in
      draft.layers.signedAt = draft.minter.time.advanced(by: -301)
      try draft.layers.sign()
    }
    rsa("9.1", "signed-300-seconds-after") { draft throws(MintingError) in
      draft.layers.signedAt = draft.minter.time.advanced(by: 300)
      try draft.layers.sign()
    }
  }
}
