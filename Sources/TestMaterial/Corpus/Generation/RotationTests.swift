import Minting
import NamedCases
import PaymentToken
import TestCases

extension VectorGenerator {
  /// Tokens for the old and the new key of a merchant, with the sets of keys before, during and after a change of
  /// certificates, and with a merchant identifier instead of a certificate.
  func rotation(from firstID: Int) throws(MintingError) -> [TestGroup] {
    let merchant = minter.merchants[0]
    let old = TestKey(merchant.keys[0], of: merchant.identifier)
    let new = TestKey(merchant.keys[1], of: merchant.identifier)
    func named(_ identifier: String) -> TestKey {
      TestKey(privateKeyPem: old.privateKeyPem, certificatePem: nil, merchantId: identifier)
    }
    let sets: [(name: String, keys: [TestKey], ofOld: TokenFault.Code?, ofNew: TokenFault.Code?)] = [
      ("before-the-change", [old], nil, .unknownMerchantKey), ("during-the-change", [old, new], nil, nil),
      ("during-the-change-in-reverse", [new, old], nil, nil), ("after-the-change", [new], .unknownMerchantKey, nil),
      ("without-any-key", [], .unknownMerchantKey, .unknownMerchantKey),
      ("with-the-merchant-named", [named(merchant.identifier)], nil, .unknownMerchantKey),
      (
        "with-another-merchant-named", [named(minter.merchants[1].identifier)], .decryptionFailed, .unknownMerchantKey
      ),
    ]
    var groups: [TestGroup] = []
    var id = firstID
    for set in sets {
      var tests: [TestCase] = []
      for (index, code) in [set.ofOld, set.ofNew].enumerated() {
        var recipe = TokenRecipe(index: UInt64(id))
        recipe.key = index
        tests.append(
          test(
            id, "rotation-token-for-the-\(index == 0 ? "old" : "new")-key-\(set.name)", try minter.mint(recipe).layers,
            flags: ["MerchantKey"], code))
        id += 1
      }
      groups.append(TestGroup(setting: TestSetting(of: minter, keys: set.keys), cases: tests))
    }
    let token = try minter.mintForHashBeginningWithZero()
    let key = TestKey(privateKeyPem: token.pkcs8PEM, certificatePem: nil, merchantId: merchant.identifier)
    let zero = test(
      id, "rotation-token-for-a-key-whose-hash-begins-with-a-zero-byte", token.layers,
      flags: ["MerchantKey", "LeadingZero"])
    groups.append(TestGroup(setting: TestSetting(of: minter, keys: [key]), cases: [zero]))
    return groups
  }

  /// - Parameter code: the expected refusal; nil for acceptance.
  private func test(
    _ id: Int, _ name: String, _ layers: TokenLayers, flags: [String], _ code: TokenFault.Code? = nil
  ) -> TestCase {
    var test = TestCase(
      id: String(id), name: name, comment: name.split(separator: "-").joined(separator: " "),
      flags: (code == nil ? ["MustAccept"] : []) + flags, clauses: ["10.1"],
      input: TestInput(layers.token, TestContext(now: Self.time)),
      expected: code.map { .reject(TokenFault($0)) } ?? .accept(plaintext: layers.plaintext))
    test.standing = StandingRule.standing(of: test)
    return test
  }
}
