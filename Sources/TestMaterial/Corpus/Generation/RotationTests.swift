import Minting
import PaymentToken

extension VectorGenerator {
  /// Tokens for the old and the new key of a merchant, under every set of keys that a change of certificates passes
  /// through, and under keys whose merchant is named instead of certified.
  func rotation(from firstID: Int) throws(MintingError) -> [VectorGroup] {
    let merchant = minter.merchants[0]
    let old = VectorKey(merchant.keys[0])
    let new = VectorKey(merchant.keys[1])
    func named(_ identifier: String) -> VectorKey {
      VectorKey(privateKeyPem: old.privateKeyPem, certificatePem: nil, merchantId: identifier)
    }
    let sets: [(name: String, keys: [VectorKey], ofOld: TokenFault.Code?, ofNew: TokenFault.Code?)] = [
      ("before-the-change", [old], nil, .unknownMerchantKey), ("during-the-change", [old, new], nil, nil),
      ("during-the-change-in-reverse", [new, old], nil, nil), ("after-the-change", [new], .unknownMerchantKey, nil),
      ("without-any-key", [], .unknownMerchantKey, .unknownMerchantKey),
      ("with-the-merchant-named", [named(merchant.identifier)], nil, .unknownMerchantKey),
      (
        "with-another-merchant-named", [named(minter.merchants[1].identifier)], .decryptionFailed, .unknownMerchantKey
      ),
    ]
    var groups: [VectorGroup] = []
    var id = firstID
    for set in sets {
      var tests: [VectorTest] = []
      for (index, code) in [set.ofOld, set.ofNew].enumerated() {
        var recipe = TokenRecipe(index: UInt64(id))
        recipe.key = index
        let token = try minter.mint(recipe)
        let name = "rotation-token-for-the-\(index == 0 ? "old" : "new")-key-\(set.name)"
        tests.append(
          VectorTest(
            id: id, name: name, comment: name.split(separator: "-").joined(separator: " "),
            flags: (code == nil ? ["MustAccept"] : []) + ["MerchantKey"], clauses: ["10.1"], token: token.bytes,
            verdict: code.map { .reject(TokenFault($0)) } ?? .accept(plaintext: token.layers.plaintext)))
        id += 1
      }
      groups.append(
        VectorGroup(keys: set.keys, rootsPem: [minter.rootPEM], at: Self.time, windowSeconds: 300, tests: tests))
    }
    let token = try minter.mintForHashBeginningWithZero()
    let name = "rotation-token-for-a-key-whose-hash-begins-with-a-zero-octet"
    let test = VectorTest(
      id: id, name: name, comment: name.split(separator: "-").joined(separator: " "),
      flags: ["MustAccept", "MerchantKey", "LeadingZero"], clauses: ["10.1"], token: token.layers.token,
      verdict: .accept(plaintext: token.layers.plaintext))
    groups.append(
      VectorGroup(
        keys: [VectorKey(privateKeyPem: token.pkcs8PEM, certificatePem: nil, merchantId: merchant.identifier)],
        rootsPem: [minter.rootPEM], at: Self.time, windowSeconds: 300, tests: [test]))
    return groups
  }
}

extension VectorKey {
  package init(_ key: TestMerchant.Key) {
    self.init(privateKeyPem: key.pkcs8PEM, certificatePem: key.certificatePEM)
  }

  package init(_ key: RSATestMerchant.Key) {
    self.init(privateKeyPem: key.pkcs8PEM, certificatePem: key.certificatePEM)
  }

  /// The keys of all of a minter's merchants.
  package static func all(of minter: Minter) -> [VectorKey] {
    minter.merchants.flatMap(\.keys).map { VectorKey($0) } + minter.rsaMerchants.flatMap(\.keys).map { VectorKey($0) }
  }
}
