import Minting
import PaymentToken

/// What was refused is refused again: whatever is remembered of certificates must not let them pass the second time.
extension CaseList {
  mutating func addRepeatedRequestCases() {
    again("7.1", "a-token-of-a-chain-to-no-root", .untrustedChain) { $0.anchors = [$0.minter.foreign.root] }
    again("7.2", "a-leaf-signed-by-itself", .untrustedChain) { draft throws(MintingError) in
      var pki = draft.minter.pki
      pki.intermediateKey = .ec(pki.leafKey)
      try pki.issueLeaf()
      draft.layers.signer = TokenSigner(pki)
      try draft.layers.sign()
    }
    again("7.2", "an-intermediate-signed-by-itself", .untrustedChain) { draft throws(MintingError) in
      var pki = draft.minter.pki
      pki.rootKey = pki.intermediateKey
      try pki.issueIntermediate()
      draft.layers.signer = TokenSigner(pki)
      try draft.layers.sign()
    }
    again("7.3", "an-intermediate-that-is-no-authority", .untrustedChain) { draft throws(MintingError) in
      try draft.intermediate {
        $0.replaceExtension(OID.basicConstraints, with: Extensions.basicConstraints(authority: false))
      }
    }
    again("7.4", "a-leaf-that-is-an-authority", .untrustedChain) { draft throws(MintingError) in
      try draft.leaf {
        $0.replaceExtension(OID.basicConstraints, with: Extensions.basicConstraints(authority: true))
      }
    }
    again("7.6", "a-revoked-leaf", .certificateRevoked) { draft in
      draft.policy.revoked = Octets32(Hashing.sha256(draft.minter.pki.leaf)).map { [$0] } ?? []
    }
    again("7.6", "a-revoked-intermediate", .certificateRevoked) { draft in
      draft.policy.revoked = Octets32(Hashing.sha256(draft.minter.pki.intermediate)).map { [$0] } ?? []
    }
    addDateCases()
    addSignerCases()
    addLikeChainCases()
    addVersionCases()
    addStaleKeyCases()
  }

  private mutating func addDateCases() {
    for (name, start, end, code) in [
      ("expired", -9, -1, TokenFault.Code.certificateExpired), ("not-yet-valid", 1, 9, .certificateNotYetValid),
    ] as [(String, Int64, Int64, TokenFault.Code)] {
      again("7.7", "a-leaf-\(name)", code) { draft throws(MintingError) in
        let time = draft.minter.time
        try draft.leaf { $0.setValidity(time, start, end) }
      }
      again("7.7", "an-intermediate-\(name)", code) { draft throws(MintingError) in
        let time = draft.minter.time
        try draft.intermediate { $0.setValidity(time, start, end) }
      }
    }
  }

  private mutating func addSignerCases() {
    again("6.4", "a-signer-of-another-serial-number", .signerMismatch) { draft throws(MintingError) in
      try draft.signature { $0.signerInfo[1][1] = .integer(7) }
    }
    again("8.2", "a-signature-of-another-key", .signatureMismatch) { draft throws(MintingError) in
      draft.layers.signer.key = draft.minter.foreign.leafKey
      try draft.layers.sign()
    }
    again("12.1", "data-that-does-not-open", .decryptionFailed) { draft throws(MintingError) in
      draft.layers.data[0] ^= 1
      try draft.layers.sign()
    }
  }

  /// Certificates that differ from ones just accepted in as little as can be, and not in length.
  private mutating func addLikeChainCases() {
    let edits: [(String, TokenFault.Code, @Sendable (inout TestPKI) throws(MintingError) -> Void)] = [
      (
        "a-leaf-whose-signature-differs-in-its-last-bit", .untrustedChain,
        { pki throws(MintingError) in
          pki.leafRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
          try pki.issueLeaf()
        }
      ),
      (
        "an-intermediate-whose-signature-differs-in-its-last-bit", .untrustedChain,
        { pki throws(MintingError) in
          pki.intermediateRecipe.editSignature = { $0[$0.count - 1] ^= 1 }
          try pki.issueIntermediate()
        }
      ),
      (
        "a-leaf-whose-subject-differs-after-signing", .untrustedChain,
        { pki throws(MintingError) in
          let name = pki.leafRecipe.subject[0][0][1].contents
          pki.leafRecipe.editCertificate = { certificate in
            certificate = .raw(certificate.encoded.replacingLast(name))
          }
          try pki.issueLeaf()
        }
      ),
    ]
    for (name, code, edit) in edits {
      reject("7.2", "\(name)-after-a-sound-token", code) { draft throws(MintingError) in
        draft.prelude = [draft.layers.token]
        var pki = draft.minter.pki
        try edit(&pki)
        draft.layers.signer = TokenSigner(pki)
        try draft.layers.sign()
      }
    }
  }

  /// A leaf that is known from a token of its version signs none of the other.
  private mutating func addVersionCases() {
    rsa("7.4", "token-under-the-ec-leaf-of-a-token-before", .untrustedChain) { draft throws(MintingError) in
      draft.prelude = [try draft.minter.layers(TokenRecipe(index: draft.stream.next())).token]
      let leaf = TokenSigner(draft.minter.pki)
      (draft.layers.signer.issuer, draft.layers.signer.serial) = (leaf.issuer, leaf.serial)
      draft.layers.signer.certificates = leaf.certificates
      try draft.layers.sign()
    }
    reject("7.4", "token-under-the-rsa-leaf-of-a-token-before", .untrustedChain) { draft throws(MintingError) in
      var recipe = TokenRecipe(index: draft.stream.next())
      recipe.version = .rsaV1
      draft.prelude = [try draft.minter.layers(recipe).token]
      let leaf = TokenSigner(draft.minter.pki, version: .rsaV1)
      (draft.layers.signer.issuer, draft.layers.signer.serial) = (leaf.issuer, leaf.serial)
      draft.layers.signer.certificates = leaf.certificates
      try draft.layers.sign()
    }
  }

  /// The data of the token before, with a key field that gives no key: none may be left over.
  private mutating func addStaleKeyCases() {
    let edits: [(String, @Sendable (inout [UInt8]) -> Void)] = [
      ("altered", { $0[100] ^= 1 }), ("of-zeros", { $0 = [UInt8](repeating: 0, count: $0.count) }),
      ("out-of-range", { $0 = [UInt8](repeating: 0xFF, count: $0.count) }), ("too-long", { $0.append(0) }),
    ]
    for (name, edit) in edits {
      rsa("11.5", "wrapped-key-\(name)-after-a-token-of-the-same-data", .decryptionFailed) {
        draft throws(MintingError) in
        draft.prelude = [draft.layers.token]
        edit(&draft.layers.wrappedKey)
        try draft.layers.sign()
      }
    }
    reject("11.1", "ephemeral-key-off-the-curve-after-a-token-of-the-same-data", .invalidEphemeralKey) {
      draft throws(MintingError) in
      draft.prelude = [draft.layers.token]
      draft.layers.ephemeralPublicKey[90] ^= 1
      try draft.layers.sign()
    }
  }

  /// A token that was already asked about.
  private mutating func again(
    _ clause: String, _ name: String, _ code: TokenFault.Code, _ build: @escaping Build
  ) {
    reject(clause, "\(name)-asked-about-twice", code) { draft throws(MintingError) in
      try build(&draft)
      draft.prelude = [draft.bareToken]
    }
  }
}

extension [UInt8] {
  /// With the last bit of the last occurrence of a text flipped.
  fileprivate func replacingLast(_ text: [UInt8]) -> [UInt8] {
    guard !text.isEmpty, text.count <= count else { return self }
    for start in stride(from: count - text.count, through: 0, by: -1)
    where self[start..<start + text.count].elementsEqual(text) {
      var result = self
      result[start + text.count - 1] ^= 1
      return result
    }
    return self
  }
}
