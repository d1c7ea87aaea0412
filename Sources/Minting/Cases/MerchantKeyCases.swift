import PaymentToken

/// Stage 10: which merchant's key.
extension CaseList {
  mutating func addMerchantKeyCases() {
    let hashes: [(String, @Sendable (CaseDraft) -> [UInt8])] = [
      ("of-zeros", { _ in [UInt8](repeating: 0, count: 32) }),
      ("with-its-first-bit-flipped", { [$0.layers.publicKeyHash[0] ^ 0x80] + $0.layers.publicKeyHash[1...] }),
      ("with-its-last-bit-flipped", { $0.layers.publicKeyHash.dropLast() + [$0.layers.publicKeyHash[31] ^ 1] }),
      ("of-the-point-alone", { Hashing.sha256($0.layers.merchantKey.pair.point) }),
      ("of-the-certificate", { Hashing.sha256($0.layers.merchantKey.certificate) }),
      ("of-the-ephemeral-key", { Hashing.sha256($0.layers.ephemeralPublicKey) }),
      ("of-the-leaf", { Hashing.sha256($0.minter.pki.leafRecipe.publicKeyInfo.encoded) }),
      ("that-is-the-merchant-identifier-s", { $0.layers.merchantHash }),
      ("reversed", { $0.layers.publicKeyHash.reversed() }),
    ]
    for (name, make) in hashes {
      reject("10.1", "public-key-hash-\(name)", .unknownMerchantKey, note: "publicKeyHash is not signed") { draft in
        draft.layers.publicKeyHash = make(draft)
      }
    }
    for merchant in 0..<2 {
      for key in 0..<2 {
        accept("10.1", "for-key-\(key + 1)-of-merchant-\(merchant + 1)") { draft throws(MintingError) in
          var recipe = TokenRecipe(index: draft.stream.next())
          recipe.merchant = merchant
          recipe.key = key
          draft.layers = try draft.minter.layers(recipe)
        }
      }
    }
    reject("10.1", "unknown-key-before-an-invalid-ephemeral-key", .unknownMerchantKey) { draft throws(MintingError) in
      draft.layers.publicKeyHash = [UInt8](repeating: 1, count: 32)
      draft.layers.ephemeralPublicKey[90] ^= 1
      try draft.layers.sign()
    }
    for (name, merchant, key) in [("another-key-of-the-merchant", 0, 1), ("a-key-of-another-merchant", 1, 0)] {
      reject("12.1", "public-key-hash-of-\(name)", .decryptionFailed) { draft in
        draft.layers.publicKeyHash = draft.minter.merchants[merchant].keys[key].publicKeyHash
      }
    }
  }
}
