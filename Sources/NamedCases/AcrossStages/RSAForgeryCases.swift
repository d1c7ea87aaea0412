import Minting
import PaymentToken

/// The forgeries that apply to RSA_v1, and one that only its variable length makes possible.
extension CaseList {
  mutating func addRSAForgeryCases() {
    addRSAChainForgeries()
    addRSAContentForgeries()
    for count in [1, 16, 128, 256] {
      rsa(
        "11.5", "forgery-m-\(count)-octets-moved-from-the-data-into-the-wrapped-key", .decryptionFailed,
        note: "the same signed bytes: the wrapped key's length is not exact, and must be the modulus's"
      ) { draft in
        draft.layers.wrappedKey += draft.layers.data.prefix(count)
        draft.layers.data.removeFirst(count)
      }
      rsa(
        "11.5", "forgery-m-\(count)-octets-moved-from-the-wrapped-key-into-the-data", .decryptionFailed, key: 2,
        note: "the same signed bytes"
      ) { draft in
        draft.layers.data = draft.layers.wrappedKey.suffix(count) + draft.layers.data
        draft.layers.wrappedKey.removeLast(count)
      }
    }
    rsa(
      "11.5", "forgery-m-the-wrapped-key-shifted-under-the-hash-of-a-shorter-key", .decryptionFailed, key: 2,
      note: "the same signed bytes, and a length that fits the other key"
    ) { draft in
      draft.layers.data = draft.layers.wrappedKey.suffix(256) + draft.layers.data
      draft.layers.wrappedKey.removeLast(256)
      draft.layers.publicKeyHash = draft.minter.rsaMerchants[0].keys[0].publicKeyHash
    }
    rsa("12.1", "forgery-m-the-members-shifted-under-the-genuine-signature", .decryptionFailed) {
      draft throws(MintingError) in
      let applicationData = draft.stream.bytes(32)
      draft.layers.applicationData = applicationData
      try draft.layers.sign()
      draft.layers.data += draft.layers.transactionId
      draft.layers.transactionId = applicationData
      draft.layers.applicationData = nil
    }
  }

  private mutating func addRSAChainForgeries() {
    rsa("7.2", "forgery-a-self-signed-intermediate", .untrustedChain) { draft throws(MintingError) in
      var pki = draft.minter.foreign
      pki.intermediateRecipe.issuer = pki.intermediateRecipe.subject
      pki.rootKey = pki.intermediateKey
      try pki.issueIntermediate()
      draft.layers.signer = TokenSigner(pki, version: .rsaV1)
      try draft.layers.sign()
    }
    rsa("7.2", "forgery-a-intermediate-with-the-genuine-names-and-serial-number", .untrustedChain) {
      draft throws(MintingError) in
      let genuine = draft.minter.pki.intermediateRecipe
      var pki = draft.minter.foreign
      pki.intermediateRecipe.issuer = genuine.issuer
      pki.intermediateRecipe.subject = genuine.subject
      pki.intermediateRecipe.serial = genuine.serial
      pki.rsaLeafRecipe.issuer = genuine.subject
      try pki.issueIntermediate()
      draft.layers.signer = TokenSigner(pki, version: .rsaV1)
      try draft.layers.sign()
    }
    for position in 0...2 {
      rsa("6.3", "forgery-b-genuine-certificates-and-a-signer-at-position-\(position + 1)", .unexpectedCertificate) {
        draft throws(MintingError) in
        var pki = draft.minter.foreign
        pki.rsaLeafRecipe.replaceExtension(OID.leafMarker, with: nil)
        try pki.issueLeaf()
        draft.layers.signer = TokenSigner(pki, version: .rsaV1)
        draft.layers.signer.certificates = [draft.minter.pki.rsaLeaf, draft.minter.pki.intermediate]
        draft.layers.signer.certificates.insert(pki.rsaLeaf, at: position)
        try draft.layers.sign()
      }
    }
    rsa("7.2", "forgery-c-issuer-and-serial-number-of-the-leaf", .untrustedChain) { draft throws(MintingError) in
      let genuine = draft.minter.pki
      var pki = draft.minter.foreign
      pki.rsaLeafRecipe.issuer = genuine.rsaLeafRecipe.issuer
      pki.rsaLeafRecipe.serial = genuine.rsaLeafRecipe.serial
      try pki.issueLeaf()
      draft.layers.signer = TokenSigner(pki, version: .rsaV1)
      draft.layers.signer.certificates = [pki.rsaLeaf, genuine.intermediate]
      try draft.layers.sign()
    }
    rsa("7.2", "forgery-e-certificates-of-the-attacker-alone", .untrustedChain) { draft throws(MintingError) in
      draft.layers.signer = TokenSigner(draft.minter.foreign, version: .rsaV1)
      try draft.layers.sign()
    }
    rsa("6.3", "forgery-e-certificates-of-the-attacker-with-his-root", .unexpectedCertificate) {
      draft throws(MintingError) in
      draft.layers.signer = TokenSigner(draft.minter.foreign, version: .rsaV1)
      draft.layers.signer.certificates.append(draft.minter.foreign.root)
      try draft.layers.sign()
    }
    rsa("6.1", "forgery-e-the-merchant-s-certificate-as-the-leaf", .missingLeafMarker, note: "its key is RSA too") {
      draft throws(MintingError) in
      let key = draft.minter.rsaMerchants[0].keys[0]
      draft.layers.signer.rsaKey = key.pair
      try draft.certificates { $0[0] = key.certificate }
    }
  }

  private mutating func addRSAContentForgeries() {
    rsa("8.2", "forgery-d-digest-patched-and-the-value-stale", .signatureMismatch) { draft throws(MintingError) in
      let digest = Hashing.sha256(draft.layers.signedContent)
      let old = try draft.anotherToken()
      draft.layers.signature = try old.signer.sign(
        old.signedContent, at: old.signedAt, as: .patched { $0.signerInfo[3][3][1][0].contents = digest })
    }
    rsa("8.1", "forgery-f-any-application-data-over-the-genuine-token", .signatureMismatch) { draft in
      draft.layers.applicationData = draft.stream.bytes(32)
    }
    rsa("8.1", "forgery-g-ciphertext-bit-flipped-under-the-old-tag", .signatureMismatch) { $0.layers.data[3] ^= 1 }
    rsa("12.1", "forgery-g-ciphertext-bit-flipped-under-the-old-tag-and-signed", .decryptionFailed) {
      draft throws(MintingError) in
      draft.layers.data[3] ^= 1
      try draft.layers.sign()
    }
    rsa("4.3", "forgery-h-application-data-moved-into-the-transaction-id", .invalidLength, .transactionId) {
      draft throws(MintingError) in
      let applicationData = draft.stream.bytes(32)
      draft.layers.applicationData = applicationData
      try draft.layers.sign()
      draft.layers.transactionId += applicationData
      draft.layers.applicationData = nil
    }
    for count in [0, 15, 16] {
      rsa("4.3", "forgery-j-data-of-\(count)-octets", .invalidLength, .data) { draft throws(MintingError) in
        draft.layers.data = draft.stream.bytes(count)
        try draft.layers.sign()
      }
    }
    rsa("4.3", "forgery-l-is-none-a-transaction-id-of-32-zeros") { draft throws(MintingError) in
      draft.layers.transactionId = [UInt8](repeating: 0, count: 32)
      try draft.layers.sign()
    }
  }
}
