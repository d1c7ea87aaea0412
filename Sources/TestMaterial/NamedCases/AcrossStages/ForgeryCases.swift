import Minting
import PaymentToken

/// Forgeries that published decryptors accept, and valid tokens that some refuse. Each name has the forgery's letter.
extension CaseList {
  mutating func addForgeryCases() {
    addChainForgeries()
    addSignatureForgeries()
    addBoundaryForgeries()
  }

  private mutating func addChainForgeries() {
    reject(
      "7.2", .forgery(.a, "self-signed-intermediate"), .untrustedChain,
      note: "the decryptor trusts the token's own intermediate"
    ) { draft in
      try draft.signUnderSelfSigned { intermediate in
        let identifier = Extensions.keyIdentifier(of: intermediate.publicKeyInfo)
        intermediate.replaceExtension(Extensions.authorityKeyIdentifier(identifier))
      }
    }
    reject("7.2", .forgery(.a, "intermediate-with-the-genuine-names-and-serial-number"), .untrustedChain) { draft in
      let genuine = draft.minter.pki.intermediateRecipe
      var pki = draft.minter.foreign
      pki.intermediateRecipe.issuer = genuine.issuer
      pki.intermediateRecipe.subject = genuine.subject
      pki.intermediateRecipe.serial = genuine.serial
      pki[keyPath: draft.leafRecipe].issuer = genuine.subject
      try pki.issueIntermediate()
      try draft.sign(under: pki)
    }
    for position in 0...2 {
      reject(
        "6.3", .forgery(.b, "genuine-certificates-and-a-signer-at-position-\(position + 1)"), .unexpectedCertificate
      ) {
        draft in
        var pki = draft.minter.foreign
        pki[keyPath: draft.leafRecipe].replaceExtension(OID.leafMarker, with: nil)
        try pki.issueLeaf()
        let genuine = draft.layers.signer.certificates
        draft.layers.signer = TokenSigner(pki, version: draft.layers.version)
        let attacker = draft.layers.signer.certificates[0]
        draft.layers.signer.certificates = genuine[..<position] + [attacker] + genuine[position...]
        try draft.sign()
      }
    }
    let attackers: [(CaseName, Bool, Bool, TokenFault.Code)] = [
      ("first", false, true, .unexpectedCertificate), ("first-with-the-marker", true, true, .missingLeafMarker),
      ("instead-of-the-leaf", true, false, .untrustedChain),
    ]
    for (name, marked, withLeaf, code) in attackers {
      let clause = code == .missingLeafMarker ? "6.1" : code.stage == .chain ? "7.2" : "6.3"
      reject(clause, .forgery(.c, "issuer-and-serial-number-of-the-leaf-\(name)"), code) { draft in
        let genuine = draft.layers.signer
        let leaf = draft.leafRecipe
        var pki = draft.minter.foreign
        pki[keyPath: leaf].issuer = genuine.issuer
        pki[keyPath: leaf].serial = genuine.serial
        if !marked { pki[keyPath: leaf].replaceExtension(OID.leafMarker, with: nil) }
        try pki.issueLeaf()
        draft.layers.signer = TokenSigner(pki, version: draft.layers.version)
        let attacker = draft.layers.signer.certificates[0]
        draft.layers.signer.certificates = [attacker] + genuine.certificates.dropFirst(withLeaf ? 0 : 1)
        try draft.sign()
      }
    }
    reject("7.2", .forgery(.e, "certificates-of-the-attacker-alone"), .untrustedChain) {
      try $0.sign(under: $0.minter.foreign)
    }
    reject("6.3", .forgery(.e, "certificates-of-the-attacker-with-his-root"), .unexpectedCertificate) { draft in
      draft.layers.signer = TokenSigner(draft.minter.foreign, version: draft.layers.version)
      draft.layers.signer.certificates.append(draft.minter.foreign.root)
      try draft.sign()
    }
  }

  /// Forgery A without authorityKeyIdentifier: a verifier can find the issuer only by its name.
  mutating func addSelfSignedIntermediates() {
    underBothVersions { list in
      list.reject(
        "7.2", .forgery(.a, "self-signed-intermediate-without-an-authority-key-identifier"), .untrustedChain,
        note: "the decryptor trusts the token's own intermediate"
      ) { draft in
        try draft.signUnderSelfSigned { $0.replaceExtension(OID.authorityKeyIdentifier, with: nil) }
      }
    }
  }

  private mutating func addSignatureForgeries() {
    reject("8.2", .forgery(.d, "digest-and-time-patched-and-the-value-stale"), .signatureMismatch) { draft in
      // The attacker has a stale token, and writes their own digest and time into its signed attributes.
      let old = try draft.anotherToken()
      let attributes = old.signer.attributes(
        over: old.signedContent, at: draft.minter.time.advanced(by: -86_400))
      try draft.sign(value: old.signer.value(over: attributes))
    }
    reject("8.2", .forgery(.d, "digest-patched-alone"), .signatureMismatch) { draft in
      let digest = Hashing.sha256(draft.layers.signedContent)
      let old = try draft.anotherToken()
      draft.layers.signature = try old.signer.sign(
        old.signedContent, at: old.signedAt, as: .patched { $0.signerInfo[3][3][1][0].contents = digest })
    }
    reject("8.1", .forgery(.f, "the-signature-of-another-token-and-application-data"), .signatureMismatch) { draft in
      draft.layers.signature = try draft.anotherToken().signature
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    reject("8.1", .forgery(.f, "any-application-data-over-the-genuine-token"), .signatureMismatch) { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    reject("8.1", .forgery(.g, "ciphertext-bit-flipped-under-the-old-tag"), .signatureMismatch) {
      $0.layers.data[3] ^= 1
    }
    reject(
      "12.1", .forgery(.g, .standing(.wrongTag, "ciphertext-bit-flipped-under-the-old-tag-and-signed")),
      .decryptionFailed
    ) {
      try $0.sign { $0.data[3] ^= 1 }
    }
  }

  private mutating func addBoundaryForgeries() {
    reject(
      // A caller that expects application data refuses this token. Apple specifies no length for transactionId.
      "4.3", .forgery(.h, .standing(.holder, .project, .high, "application-data-moved-into-the-transaction-id")),
      .invalidLength, .transactionId,
      note: "the signed bytes have no separators"
    ) { draft in
      let applicationData = draft.stream.bytes(32)
      draft.layers.applicationData = applicationData
      try draft.sign()
      draft.layers.transactionId += applicationData
      draft.layers.applicationData = nil
    }
    accept("11.2", .forgery(.i, .with(.leadingZero, "is-none-a-shared-secret-that-begins-with-zero"))) {
      try $0.searchSecret { $0[0] == 0 }
    }
    for count in 0...16 {
      reject("4.3", .forgery(.j, "data-of-\(count)-bytes-shorter-than-a-tag-and-one"), .invalidLength, .data) {
        try $0.sign(random: \.data, count: count)
      }
    }
    reject(
      "4.3", .forgery(.k, .standing(.sameCurve, "explicit-parameters-in-the-ephemeral-key")), .invalidLength,
      .ephemeralPublicKey
    ) {
      try $0.ephemeral(parameters: ExplicitParameters.p256)
    }
    for count in [1, 2, 16, 32] {
      accept("4.3", .forgery(.l, .with(.leadingZero, "is-none-a-transaction-id-of-\(count)-leading-zeros"))) {
        try $0.sign { $0.transactionId.replaceSubrange(..<count, with: zeros(count)) }
      }
    }
    reject("12.1", .forgery(.m, "the-members-shifted-under-the-genuine-signature"), .decryptionFailed) {
      draft in
      try draft.signApplicationData()
      draft.shift()
    }
    accept(
      "14.4", .forgery(.m, "leaves-nothing-behind"),
      note: "the shifted token was refused before; the genuine one must still be accepted"
    ) { draft in
      draft.detectReplays(by: .capacity(1))
      try draft.signApplicationData()
      var forged = draft
      forged.shift()
      draft.prelude = [forged.layers.token]
    }
  }
}

extension CaseDraft {
  /// Signs under an attacker's intermediate that has signed itself.
  fileprivate mutating func signUnderSelfSigned(_ edit: (inout CertificateRecipe) -> Void) throws {
    var pki = minter.foreign
    pki.intermediateRecipe.issuer = pki.intermediateRecipe.subject
    pki.rootKey = pki.intermediateKey
    edit(&pki.intermediateRecipe)
    try pki.issueIntermediate()
    try sign(under: pki)
  }

  /// Shifts the members: data‖transactionId becomes data, and applicationData becomes transactionId.
  fileprivate mutating func shift() {
    layers.data += layers.transactionId
    layers.transactionId = layers.applicationData ?? []
    layers.applicationData = nil
  }
}

extension SignedDataRecipe {
  /// The default recipe, whose ContentInfo is edited after signing.
  static func patched(_ edit: @escaping @Sendable (inout ASN1Node) -> Void) -> SignedDataRecipe {
    var recipe = SignedDataRecipe()
    recipe.editTree = edit
    return recipe
  }
}
