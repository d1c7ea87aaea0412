import Minting
import PaymentToken

/// Forgeries that public decryptors accepted, and two sound tokens that some refuse. Every name begins with its letter.
extension CaseList {
  mutating func addForgeryCases() {
    addChainForgeries()
    addSignatureForgeries()
    addBoundaryForgeries()
  }

  private mutating func addChainForgeries() {
    reject("7.2", "forgery-a-self-signed-intermediate", .untrustedChain, note: "trust in the token's own intermediate")
    { draft throws(MintingError) in
      var pki = draft.minter.foreign
      pki.intermediateRecipe.issuer = pki.intermediateRecipe.subject
      pki.rootKey = pki.intermediateKey
      try pki.issueIntermediate()
      draft.layers.signer = TokenSigner(pki)
      try draft.layers.sign()
    }
    reject("7.2", "forgery-a-intermediate-with-the-genuine-names-and-serial-number", .untrustedChain) {
      draft throws(MintingError) in
      let genuine = draft.minter.pki.intermediateRecipe
      var pki = draft.minter.foreign
      pki.intermediateRecipe.issuer = genuine.issuer
      pki.intermediateRecipe.subject = genuine.subject
      pki.intermediateRecipe.serial = genuine.serial
      pki.leafRecipe.issuer = genuine.subject
      try pki.issueIntermediate()
      draft.layers.signer = TokenSigner(pki)
      try draft.layers.sign()
    }
    for position in 0...2 {
      reject("6.3", "forgery-b-genuine-certificates-and-a-signer-at-position-\(position + 1)", .unexpectedCertificate) {
        draft throws(MintingError) in
        var pki = draft.minter.foreign
        pki.leafRecipe.replaceExtension(OID.leafMarker, with: nil)
        try pki.issueLeaf()
        draft.layers.signer = TokenSigner(pki)
        draft.layers.signer.certificates = [draft.minter.pki.leaf, draft.minter.pki.intermediate]
        draft.layers.signer.certificates.insert(pki.leaf, at: position)
        try draft.layers.sign()
      }
    }
    let attackers: [(String, Bool, Bool, TokenFault.Code)] = [
      ("first", false, true, .unexpectedCertificate), ("first-with-the-marker", true, true, .missingLeafMarker),
      ("instead-of-the-leaf", true, false, .untrustedChain),
    ]
    for (name, marked, withLeaf, code) in attackers {
      let clause = code == .missingLeafMarker ? "6.1" : code.stage == .chain ? "7.2" : "6.3"
      reject(clause, "forgery-c-issuer-and-serial-number-of-the-leaf-\(name)", code) {
        draft throws(MintingError) in
        let genuine = draft.minter.pki
        var pki = draft.minter.foreign
        pki.leafRecipe.issuer = genuine.leafRecipe.issuer
        pki.leafRecipe.serial = genuine.leafRecipe.serial
        if !marked { pki.leafRecipe.replaceExtension(OID.leafMarker, with: nil) }
        try pki.issueLeaf()
        draft.layers.signer = TokenSigner(pki)
        draft.layers.signer.certificates = [pki.leaf] + (withLeaf ? [genuine.leaf] : []) + [genuine.intermediate]
        try draft.layers.sign()
      }
    }
    reject("7.2", "forgery-e-certificates-of-the-attacker-alone", .untrustedChain) { draft throws(MintingError) in
      draft.layers.signer = TokenSigner(draft.minter.foreign)
      try draft.layers.sign()
    }
    reject("6.3", "forgery-e-certificates-of-the-attacker-with-his-root", .unexpectedCertificate) {
      draft throws(MintingError) in
      draft.layers.signer = TokenSigner(draft.minter.foreign)
      draft.layers.signer.certificates.append(draft.minter.foreign.root)
      try draft.layers.sign()
    }
  }

  private mutating func addSignatureForgeries() {
    reject("8.2", "forgery-d-digest-and-time-patched-and-the-value-stale", .signatureMismatch) {
      draft throws(MintingError) in
      // The attacker has a stale token, and writes his own digest and time into its signed attributes.
      var old = try draft.anotherToken()
      old.signedAt = draft.minter.time.advanced(by: -86_400)
      try old.sign()
      let attributes = SignedDataRecipe().signedAttributes(digest: Hashing.sha256(old.signedContent), at: old.signedAt)
      let value = try old.signer.key.sign(digest: Hashing.sha256(ASN1Node.set(attributes).encoded)).node.encoded
      draft.layers.signatureRecipe.editValue = { $0 = value }
      try draft.layers.sign()
    }
    reject("8.2", "forgery-d-digest-patched-alone", .signatureMismatch) { draft throws(MintingError) in
      let digest = Hashing.sha256(draft.layers.signedContent)
      let old = try draft.anotherToken()
      draft.layers.signature = try old.signer.sign(
        old.signedContent, at: old.signedAt, as: .patched { $0.signerInfo[3][3][1][0].contents = digest })
    }
    reject("8.1", "forgery-f-the-signature-of-another-token-and-application-data", .signatureMismatch) {
      draft throws(MintingError) in
      draft.layers.signature = try draft.anotherToken().signature
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    reject("8.1", "forgery-f-any-application-data-over-the-genuine-token", .signatureMismatch) { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    reject("8.1", "forgery-g-ciphertext-bit-flipped-under-the-old-tag", .signatureMismatch) { $0.layers.data[3] ^= 1 }
    reject("12.1", "forgery-g-ciphertext-bit-flipped-under-the-old-tag-and-signed", .decryptionFailed) {
      draft throws(MintingError) in
      draft.layers.data[3] ^= 1
      try draft.layers.sign()
    }
  }

  private mutating func addBoundaryForgeries() {
    reject(
      "4.3", "forgery-h-application-data-moved-into-the-transaction-id", .invalidLength, .transactionId,
      note: "the signed bytes have no separators"
    ) { draft throws(MintingError) in
      let applicationData = draft.stream.bytes(32)
      draft.layers.applicationData = applicationData
      try draft.layers.sign()
      draft.layers.transactionId += applicationData
      draft.layers.applicationData = nil
    }
    accept("11.2", "forgery-i-is-none-a-shared-secret-that-begins-with-zero") { draft throws(MintingError) in
      let merchant = draft.layers.merchantKey.pair.point
      for _ in 0..<20_000 {
        let pair = try KeyPair(.p256, from: &draft.stream)
        if try pair.sharedSecret(with: merchant)[0] == 0 { return try draft.layers.replaceEphemeral(with: pair) }
      }
      throw .recipe("no such key")
    }
    for count in 0...16 {
      reject("4.3", "forgery-j-data-of-\(count)-octets-shorter-than-a-tag-and-one", .invalidLength, .data) {
        draft throws(MintingError) in
        draft.layers.data = draft.stream.bytes(count)
        try draft.layers.sign()
      }
    }
    reject("4.3", "forgery-k-explicit-parameters-in-the-ephemeral-key", .invalidLength, .ephemeralPublicKey) {
      draft throws(MintingError) in
      let point = draft.layers.ephemeral.point
      let info = ASN1Node.sequence([.sequence([OID.ecPublicKey, ExplicitParameters.p256]), .bitString(point)])
      try draft.ephemeral(info.encoded, point: point)
    }
    for count in [1, 2, 16, 32] {
      accept("4.3", "forgery-l-is-none-a-transaction-id-of-\(count)-leading-zeros") { draft throws(MintingError) in
        draft.layers.transactionId.replaceSubrange(..<count, with: [UInt8](repeating: 0, count: count))
        try draft.layers.sign()
      }
    }
    reject("12.1", "forgery-m-the-members-shifted-under-the-genuine-signature", .decryptionFailed) {
      draft throws(MintingError) in try draft.shift()
    }
    accept(
      "14.4", "forgery-m-leaves-nothing-behind",
      note: "the shifted token is refused before; the genuine one must still pass"
    ) { draft throws(MintingError) in
      draft.policy.freshness = .window(seconds: 300, replayCapacity: 1)
      var forged = draft
      try forged.shift()
      draft.layers = forged.unshifted
      draft.prelude = [forged.layers.token]
    }
  }
}

extension CaseDraft {
  /// data‖transactionId read as data, applicationData as transactionId.
  fileprivate mutating func shift() throws(MintingError) {
    let applicationData = stream.bytes(32)
    layers.applicationData = applicationData
    try layers.sign()
    layers.data += layers.transactionId
    layers.transactionId = applicationData
    layers.applicationData = nil
  }

  /// The genuine token that `shift` was applied to.
  fileprivate var unshifted: TokenLayers {
    var genuine = layers
    genuine.applicationData = layers.transactionId
    genuine.transactionId = Array(layers.data.suffix(32))
    genuine.data.removeLast(32)
    return genuine
  }
}

extension SignedDataRecipe {
  /// The usual form, edited after it was signed.
  static func patched(_ edit: @escaping @Sendable (inout ASN1Node) -> Void) -> SignedDataRecipe {
    var recipe = SignedDataRecipe()
    recipe.editTree = edit
    return recipe
  }
}
