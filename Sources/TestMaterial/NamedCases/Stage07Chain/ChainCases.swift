import Minting
import PaymentToken
import TestCases

/// Rules 7.1, 7.2 and 7.6: from the root down.
extension CaseList {
  mutating func addChainCases() {
    addRootCases()
    addIssuerCases()
    addCertificateSignatureCases()
    addRSAChainCases()
    addRevocationCases()
  }

  private mutating func addRootCases() {
    reject("7.1", "no-pinned-root", .untrustedChain) { $0.anchors = [] }
    reject("7.1", "another-pinned-root-alone", .untrustedChain) { $0.anchors = [$0.minter.foreign.root] }
    accept("7.1", .standing(.apple, .rfc(5280, "6.1.1"), .interoperability, "another-pinned-root-beside")) {
      $0.anchors = [$0.minter.foreign.root, $0.minter.pki.root]
    }
    accept("7.1", .standing(.apple, .rfc(5280, "6.1.1"), .interoperability, "the-root-pinned-twice")) {
      $0.anchors = [$0.minter.pki.root, $0.minter.pki.root]
    }
    reject("7.1", .choice(.holder, "the-intermediate-pinned-as-root"), .untrustedChain) {
      $0.anchors = [$0.minter.pki.intermediate]
    }
    reject("7.1", .choice(.holder, "the-leaf-pinned-as-root"), .untrustedChain) { $0.anchors = [$0.minter.pki.leaf] }
    for first in [true, false] {
      accept(
        "7.1",
        .standing(
          .apple, .rfc(5280, "6.1.1"), .interoperability,
          "two-roots-of-one-name-the-right-one-\(first ? "first" : "last")")
      ) { draft in
        let other = try draft.namesake()
        draft.anchors = first ? [draft.minter.pki.root, other] : [other, draft.minter.pki.root]
      }
    }
    reject("7.1", "a-root-of-the-right-name-and-another-key", .untrustedChain) { $0.anchors = [try $0.namesake()] }
    accept("7.1", "two-roots-of-one-key-the-first-no-authority") { draft in
      var pki = draft.minter.pki
      pki.rootRecipe.replaceExtension(Extensions.basicConstraints(authority: false))
      try pki.issue()
      draft.anchors = [pki.root, draft.minter.pki.root]
    }
    chain("7.1", "root-that-does-not-sign-itself", nil) { $0.rootRecipe.issuer = Names.name("assay Test Elsewhere") }
    chain("7.1", "root-whose-own-signature-is-wrong", nil) { $0.rootRecipe.editSignature = { $0[$0.count - 1] ^= 1 } }
    chain("7.1", "root-that-has-expired", nil) {
      $0.rootRecipe.notBefore = .utcTime("500101000000Z")
      $0.rootRecipe.notAfter = .utcTime("510101000000Z")
    }
    chain("7.1", "root-that-is-not-yet-valid", nil) { $0.rootRecipe.notBefore = .generalizedTime("99990101000000Z") }
  }

  /// A root of the largest size that is loaded, with the name and the key of the minter's own.
  mutating func addLargestRootCases() {
    accept("7.1", "a-root-of-65536-bytes") { $0.anchors = [try $0.minter.pki.rootPadded(to: 65_536)] }
  }

  private mutating func addIssuerCases() {
    let issuers: Named<Edit<CertificateRecipe>> = [
      .standing(.apple, .rfc(5280, "6.1.3"), .strictness, "another-name"): {
        $0.issuer = Names.name("assay Test Elsewhere")
      },
      .standing(.apple, .rfc(5280, "7.1"), .choice, "the-name-in-another-case"): {
        $0.issuer[0][0][1].contents[0] ^= 0x20
      },
      .standing(.apple, .rfc(5280, "7.1"), .choice, "the-name-in-another-string-type"): {
        $0.issuer[0][0][1].identifier = [0x13]
      },
      .standing(.apple, .rfc(5280, "6.1.3"), .strictness, "an-empty-name"): { $0.issuer = .sequence([]) },
      .standing(.apple, .rfc(5280, "7.1"), .choice, "the-name-with-a-space-more"): {
        $0.issuer[0][0][1].contents.append(0x20)
      },
    ]
    for (name, edit) in issuers { leaf("7.2", "leaf-issued-under-\(name)", .untrustedChain, edit) }
    for (name, edit) in issuers.prefix(2) {
      intermediate("7.2", "intermediate-issued-under-\(name)", .untrustedChain, edit)
    }
    intermediate(
      "7.2", .standing(.apple, .rfc(5280, "6.1.3"), .strictness, "intermediate-issued-by-itself"), .untrustedChain
    ) { $0.issuer = $0.subject }
    reject("7.2", "leaf-signed-by-another-key", .untrustedChain) { draft in
      let key = try KeyPair(.p256, from: &draft.stream)
      try draft.issueLeaves { $0.intermediateKey = .ec(key) }
    }
    reject("7.2", .standing(.apple, .rfc(5280, "6.1.3"), .high, "leaf-signed-by-the-root"), .untrustedChain) {
      try $0.issueLeaves { $0.intermediateKey = $0.rootKey }
    }
    reject("7.2", "leaf-signed-by-itself", .untrustedChain) {
      try $0.issueLeaves { $0.intermediateKey = .ec($0.leafKey) }
    }
    reject("7.2", "intermediate-signed-by-another-key", .untrustedChain) { draft in
      let key = draft.minter.foreign.rootKey
      try draft.issueIntermediate { $0.rootKey = key }
    }
    reject("7.2", "intermediate-signed-by-itself", .untrustedChain) {
      try $0.issueIntermediate { $0.rootKey = $0.intermediateKey }
    }
    accept("7.2", .choice(.apple, "leaf-signed-with-p384-by-the-intermediate")) { draft in
      let key = try KeyPair(.p384, from: &draft.stream)
      try draft.chain { pki in
        pki.setIntermediate(.ec(key))
        pki.leafRecipe.sign(with: Algorithms.ecdsaSHA384, .sha384)
      }
    }
    accept("7.2", "root-on-p256") { draft in
      let key = try KeyPair(.p256, from: &draft.stream)
      try draft.chain { pki in
        pki.setRoot(.ec(key))
        pki.rootRecipe.sign(with: Algorithms.ecdsaSHA256, .sha256)
      }
    }
    accept("7.2", "leaf-of-the-same-name-as-the-intermediate") { try $0.leaf { $0.subject = $0.issuer } }
  }

  /// For signatures that verify with the right key, but by another algorithm than the certificate names.
  private static let misnamed = Standing(.apple, .rfc(5280, "4.1.1.2"), .strictness)

  private mutating func addCertificateSignatureCases() {
    let algorithms: [(CaseName, ASN1Node, SignatureDigest, TokenFault.Code?)] = [
      (.choice(.apple, "ecdsa-with-sha-384"), Algorithms.ecdsaSHA384, .sha384, nil),
      (.choice(.apple, "ecdsa-with-sha-1"), .sequence([OID.ecdsaWithSHA1]), .sha1, .untrustedChain),
      (.choice(.apple, "ecdsa-with-sha-512"), .sequence([OID.ecdsaWithSHA512]), .sha512, .untrustedChain),
      (
        .choice(.apple, "ecdsa-with-sha-256-and-null"), .sequence([OID.ecdsaWithSHA256, .null]), .sha256,
        .untrustedChain
      ),
      (.standing(Self.misnamed, "ecdsa-with-sha-384-over-sha-256"), Algorithms.ecdsaSHA384, .sha256, .untrustedChain),
      (.standing(Self.misnamed, "ecdsa-with-sha-256-over-sha-384"), Algorithms.ecdsaSHA256, .sha384, .untrustedChain),
      (.standing(Self.misnamed, "rsa-with-sha-256-under-an-ec-key"), Algorithms.rsaSHA256, .sha256, .untrustedChain),
      (.choice(.apple, "an-unknown-algorithm"), .sequence([OID.unknown]), .sha256, .untrustedChain),
    ]
    for (name, algorithm, digest, code) in algorithms {
      leafAndIntermediate("7.2", "signed-by-\(name)", code) { $0.sign(with: algorithm, digest) }
    }
    let edits: Named<Edit<[UInt8]>> = [
      "with-a-bit-flipped": { $0[$0.count - 1] ^= 1 }, "empty": { $0 = [] },
      "of-zeros": { $0 = [0x30, 6, 2, 1, 0, 2, 1, 0] },
      "of-ones": { $0 = [0x30, 6, 2, 1, 1, 2, 1, 1] },
      .standing(.rewrittenSignature, "with-a-byte-after-it"): { $0.append(0) },
      .standing(.rewrittenSignature, "with-a-long-length"): { $0.insert(0x81, at: 1) },
      "without-der": { $0 = [UInt8](repeating: 0x55, count: 64) },
      .standing(.rewrittenSignature, "of-indefinite-length"): { $0 = [0x30, 0x80] + $0.dropFirst(2) + [0, 0] },
      .standing(.rewrittenSignature, "as-a-set"): { $0[0] = 0x31 },
    ]
    for (name, edit) in edits {
      leafAndIntermediate("7.2", "signature-value-\(name)", .untrustedChain) { $0.editSignature = edit }
    }
  }

  private mutating func rsa(
    _ name: CaseName, _ code: TokenFault.Code?, bits: Int = 2_048,
    _ edit: @escaping @Sendable (inout TestPKI) -> Void = { _ in }
  ) {
    either("7.2", name, code) { draft in
      let key = try draft.minter.sharedRSAKey(bits: bits)
      try draft.chain { pki in
        pki.setIntermediate(key)
        pki.leafRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
        edit(&pki)
      }
    }
  }

  private mutating func addRSAChainCases() {
    rsa(.choice(.apple, "intermediate-with-rsa-of-2048-bits"), nil)
    rsa(.choice(.apple, "intermediate-with-rsa-of-4096-bits"), nil, bits: 4_096)
    rsa(.choice(.apple, "intermediate-with-rsa-of-1024-bits"), .untrustedChain, bits: 1_024)
    rsa(.choice(.apple, "intermediate-with-rsa-of-1536-bits"), .untrustedChain, bits: 1_536)
    rsa(.choice(.apple, "intermediate-with-rsa-of-2041-bits"), .untrustedChain, bits: 2_041)
    rsa(.choice(.apple, "intermediate-with-rsa-of-2047-bits"), .untrustedChain, bits: 2_047)
    let algorithms: [(CaseName, ASN1Node, SignatureDigest, TokenFault.Code?)] = [
      (.choice(.apple, "with-sha-384"), Algorithms.rsaSHA384, .sha384, nil),
      (.choice(.apple, "without-parameters"), .sequence([OID.sha256WithRSA]), .sha256, nil),
      (
        .choice(.apple, "with-an-empty-sequence"), .sequence([OID.sha256WithRSA, .sequence([])]), .sha256,
        .untrustedChain
      ),
      (.choice(.apple, "with-sha-1"), .sequence([OID.sha1WithRSA, .null]), .sha1, .untrustedChain),
      (.choice(.apple, "with-sha-512"), .sequence([OID.sha512WithRSA, .null]), .sha512, .untrustedChain),
      (.choice(.apple, "pss"), .sequence([OID.rsaPSS, .sequence([])]), .sha256, .untrustedChain),
      (.choice(.apple, "encryption"), .sequence([OID.rsaEncryption, .null]), .sha256, .untrustedChain),
      (.standing(Self.misnamed, "as-ecdsa"), Algorithms.ecdsaSHA256, .sha256, .untrustedChain),
      (.standing(Self.misnamed, "over-sha-384-as-sha-256"), Algorithms.rsaSHA256, .sha384, .untrustedChain),
    ]
    for (name, algorithm, digest, code) in algorithms {
      rsa("leaf-signed-by-rsa-\(name)", code) { $0.leafRecipe.sign(with: algorithm, digest) }
    }
    for (name, edit) in Self.rsaValues {
      rsa("rsa-signature-\(name)", .untrustedChain) { $0.leafRecipe.editSignature = edit }
    }
    for (bits, code) in [(2_048, nil), (1_024, TokenFault.Code.untrustedChain), (2_047, .untrustedChain)] {
      either("7.2", .choice(.apple, "root-with-rsa-of-\(bits)-bits"), code) { draft in
        let key = try draft.minter.sharedRSAKey(bits: bits)
        try draft.chain { pki in
          pki.setRoot(key)
          pki.rootRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
          pki.intermediateRecipe.sign(with: Algorithms.rsaSHA256, .sha256)
        }
      }
    }
  }

  /// Edits of an RSA signature value of 256 bytes.
  private static let rsaValues: Named<Edit<[UInt8]>> = [
    .standing(.rewrittenSignature, "with-a-zero-before-it"): { $0.insert(0, at: 0) },
    "cut-by-a-byte": { $0.removeLast() },
    "with-a-bit-flipped": { $0[100] ^= 1 }, "of-zeros": { $0 = zeros(256) },
    "above-the-modulus": { $0 = [UInt8](repeating: 0xFF, count: 256) },
  ]

  /// Rule 7.2: the same values over SHA-384.
  mutating func addRSASHA384Cases() {
    for (name, edit) in Self.rsaValues {
      rsa("rsa-signature-over-sha-384-\(name)", .untrustedChain) {
        $0.leafRecipe.sign(with: Algorithms.rsaSHA384, .sha384)
        $0.leafRecipe.editSignature = edit
      }
    }
  }

  private mutating func addRevocationCases() {
    let lists: [(CaseName, @Sendable (TestPKI) -> [UInt8], TokenFault.Code?)] = [
      ("leaf", { $0.leaf }, .certificateRevoked),
      ("leaf-s-key", { $0.leafRecipe.publicKeyInfo.encoded }, .certificateRevoked),
      ("intermediate", { $0.intermediate }, .certificateRevoked),
      ("intermediate-s-key", { $0.intermediateRecipe.publicKeyInfo.encoded }, .certificateRevoked),
      ("root", { $0.root }, nil), ("leaf-s-point-alone", { $0.leafKey.point }, nil),
      ("leaf-s-body", { $0.leafRecipe.body.encoded }, nil),
    ]
    for (name, bytes, code) in lists {
      either("7.6", "the-\(name)-on-the-revoked-list", code) { $0.revoke(bytes($0.minter.pki)) }
    }
    accept("7.6", "a-revoked-list-of-others") { draft in
      draft.policy.revoked = [draft.minter.foreign.leaf, draft.minter.foreign.intermediate].compactMap {
        Bytes32(Hashing.sha256($0))
      }
    }
    reject("7.6", "a-revoked-leaf-that-has-expired-too", .certificateRevoked) { draft in
      try draft.leaf(validFrom: nil, to: -1)
      draft.revoke(draft.layers.signer.certificates[0])
    }
    reject("7.6", "a-revoked-intermediate-under-a-leaf-that-has-expired", .certificateRevoked) { draft in
      try draft.leaf(validFrom: nil, to: -1)
      draft.revoke(draft.minter.pki.intermediate)
    }
    reject("7.6", .standing(.forgery, "a-revoked-leaf-of-an-untrusted-chain"), .untrustedChain) { draft in
      draft.anchors = [draft.minter.foreign.root]
      draft.revoke(draft.minter.pki.leaf)
    }
  }
}

extension Minter {
  /// The RSA key of this size, the same for all cases of the minter.
  fileprivate func sharedRSAKey(bits: Int) throws -> SigningKey {
    var stream = generator.stream("rsa", UInt64(bits))
    return .rsa(try RSAKeyPair(bits: bits, from: &stream))
  }
}

extension CaseDraft {
  /// A root of the same name and another key.
  fileprivate mutating func namesake() throws -> [UInt8] {
    var pki = minter.pki
    let key = try KeyPair(.p384, from: &stream)
    pki.setRoot(.ec(key))
    try pki.issue()
    return pki.root
  }
}
