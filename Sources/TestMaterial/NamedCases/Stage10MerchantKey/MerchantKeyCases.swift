import Minting
import PaymentToken

/// Stage 10: which merchant's key.
extension CaseList {
  mutating func addMerchantKeyCases() {
    let hashes: Named<@Sendable (CaseDraft) -> [UInt8]> = [
      "of-zeros": { _ in zeros(32) },
      "with-its-first-bit-flipped": { [$0.layers.publicKeyHash[0] ^ 0x80] + $0.layers.publicKeyHash[1...] },
      "with-its-last-bit-flipped": { $0.layers.publicKeyHash.dropLast() + [$0.layers.publicKeyHash[31] ^ 1] },
      "of-the-point-alone": { Hashing.sha256($0.layers.merchantKey.pair.point) },
      "of-the-certificate": { Hashing.sha256($0.layers.merchantKey.certificate) },
      "of-the-ephemeral-key": { Hashing.sha256($0.layers.ephemeralPublicKey) },
      "of-the-leaf": { Hashing.sha256($0.minter.pki.leafRecipe.publicKeyInfo.encoded) },
      "that-is-the-merchant-identifier-s": { $0.layers.merchantHash },
      "reversed": { $0.layers.publicKeyHash.reversed() },
    ]
    for (name, make) in hashes {
      reject("10.1", "public-key-hash-\(name)", .unknownMerchantKey, note: "publicKeyHash is not signed") { draft in
        draft.layers.publicKeyHash = make(draft)
      }
    }
    for merchant in 0..<2 {
      for key in 0..<2 {
        accept("10.1", "for-key-\(key + 1)-of-merchant-\(merchant + 1)") {
          $0.layers = try $0.soundToken { ($0.merchant, $0.key) = (merchant, key) }
        }
      }
    }
    reject("10.1", "unknown-key-before-an-invalid-ephemeral-key", .unknownMerchantKey) { draft in
      draft.layers.publicKeyHash = [UInt8](repeating: 1, count: 32)
      draft.layers.ephemeralPublicKey[90] ^= 1
      try draft.sign()
    }
    for (name, merchant, key) in [("another-key-of-the-merchant", 0, 1), ("a-key-of-another-merchant", 1, 0)] {
      reject("12.1", .with(.keyMixUp, .choice(.holder, "public-key-hash-of-\(name)")), .decryptionFailed) { draft in
        draft.layers.publicKeyHash = draft.minter.merchants[merchant].keys[key].publicKeyHash
      }
    }
  }

  mutating func addRSAMerchantKeyCases() {
    let hashes: Named<@Sendable (CaseDraft) -> [UInt8]> = [
      "of-zeros": { _ in zeros(32) },
      "of-an-ec-key": { $0.minter.merchants[0].keys[0].publicKeyHash },
      "of-the-leaf": { Hashing.sha256($0.minter.pki.rsaLeafKey.publicKeyInfo.encoded) },
      "of-the-key-without-its-algorithm": {
        let key = $0.minter.rsaMerchants[0].keys[0].pair
        return Hashing.sha256(ASN1Node.sequence([.unsigned(key.modulus), .unsigned(key.exponent)]).encoded)
      },
      "of-the-certificate": { Hashing.sha256($0.minter.rsaMerchants[0].keys[0].certificate) },
      "of-the-wrapped-key": { Hashing.sha256($0.layers.wrappedKey) },
    ]
    for (name, make) in hashes {
      rsa("10.1", "public-key-hash-\(name)", .unknownMerchantKey) { $0.layers.publicKeyHash = make($0) }
    }
    reject("10.1", "ec-token-with-the-hash-of-an-rsa-key", .unknownMerchantKey) {
      $0.layers.publicKeyHash = $0.minter.rsaMerchants[0].keys[0].publicKeyHash
    }
    for (name, index) in [("3072", 1), ("4096", 2)] {
      rsa(
        "11.5", .with(.keyMixUp, .choice(.holder, "public-key-hash-of-the-key-of-\(name)-bits")), .decryptionFailed,
        note: "publicKeyHash is not signed"
      ) {
        $0.layers.publicKeyHash = $0.minter.rsaMerchants[0].keys[index].publicKeyHash
      }
    }
  }

  /// Merchants' certificates are valid for two years in all, the leaves for five.
  mutating func addMerchantCertificateDates() {
    let year = TestPKI.year
    for (name, offset) in [("that-has-expired", 2 * year), ("that-is-not-yet-valid", -3 * year / 4)] {
      underBothVersions { list in
        list.accept(
          "10.1", "for-a-merchant-s-certificate-\(name)",
          note: "the dates of a merchant's certificate are not checked"
        ) { draft in
          draft.now = draft.minter.time.advanced(by: offset)
          draft.layers.signedAt = draft.now
          try draft.sign()
        }
      }
    }
  }
}
