import Minting
import NamedCases
import PaymentToken
import TestCases

extension VectorGenerator {
  /// Tokens for the old and the new key of a merchant, with the sets of keys before, during and after a change of
  /// certificates, and with a merchant identifier instead of a certificate.
  func rotation(_ numbers: inout CaseNumbers) throws(MintingError) -> [TestGroup] {
    let merchant = minter.merchants[0]
    let old = TestKey(merchant.keys[0], of: merchant.identifier)
    let new = TestKey(merchant.keys[1], of: merchant.identifier)
    func named(_ identifier: String) -> TestKey {
      TestKey(privateKeyPem: old.privateKeyPem, certificatePem: nil, merchantId: identifier)
    }
    // The tag refuses a key that is not the token's.
    let byTag = Standing(.holder, .standard("sp800-38d-7.2"), .high)
    let sets: [(name: String, keys: [TestKey], ofOld: TokenFault.Code?, ofNew: TokenFault.Code?, Standing)] = [
      ("before-the-change", [old], nil, .unknownMerchantKey, byTag),
      ("during-the-change", [old, new], nil, nil, byTag),
      ("during-the-change-in-reverse", [new, old], nil, nil, byTag),
      ("after-the-change", [new], .unknownMerchantKey, nil, byTag),
      ("without-any-key", [], .unknownMerchantKey, .unknownMerchantKey, byTag),
      // The hash is not signed: a decryptor may as well try the keys that it has.
      (
        "with-the-merchant-named", [named(merchant.identifier)], nil, .unknownMerchantKey,
        Standing(.holder, .project, .choice)
      ),
      (
        "with-another-merchant-named", [named(minter.merchants[1].identifier)], .decryptionFailed, .unknownMerchantKey,
        Standing(.holder, .apple, .high)
      ),
    ]
    var groups: [TestGroup] = []
    for (set, keys, ofOld, ofNew, standing) in sets {
      var tests: [TestCase] = []
      for (index, code) in [ofOld, ofNew].enumerated() {
        let name = "rotation-token-for-the-\(index == 0 ? "old" : "new")-key-\(set)"
        let id = numbers.id(in: VectorTheme.merchantKeys.name, of: name)
        var recipe = TokenRecipe(index: UInt64(id))
        recipe.key = index
        let token = try minter.mint(recipe)
        let expected = code.map { .reject(TokenFault($0)) } ?? TestVerdict.accept(plaintext: token.plaintext)
        tests.append(
          keyTest(
            id, name, flags: ["MerchantKey"], clause: "10.1", TestInput(token.bytes, TestContext(now: Self.time)),
            expected, refused: standing))
      }
      groups.append(TestGroup(setting: TestSetting(of: minter, keys: keys), cases: tests))
    }
    let token = try minter.mintForHashBeginningWithZero()
    let key = TestKey(privateKeyPem: token.pkcs8PEM, certificatePem: nil, merchantId: merchant.identifier)
    let name = "rotation-token-for-a-key-whose-hash-begins-with-a-zero-byte"
    let zero = keyTest(
      numbers.id(in: VectorTheme.merchantKeys.name, of: name), name, flags: ["MerchantKey", "LeadingZero"],
      clause: "10.1", TestInput(token.layers.token, TestContext(now: Self.time)),
      .accept(plaintext: token.layers.plaintext))
    groups.append(TestGroup(setting: TestSetting(of: minter, keys: [key]), cases: [zero]))
    return groups
  }

  /// A test of merchants' keys, which is no named case.
  ///
  /// - Parameter standing: the standing of a refusal.
  func keyTest(
    _ id: Int, _ name: String, flags: [String], clause: String, _ input: TestInput, _ expected: TestVerdict?,
    refused standing: Standing? = nil
  ) -> TestCase {
    let isAccepted = expected?.isAccepted == true
    return TestCase(
      id: String(id), name: name, comment: name.split(separator: "-").joined(separator: " "),
      flags: (isAccepted ? ["MustAccept"] : []) + flags, clauses: [clause],
      standing: isAccepted ? Standing(.apple, .apple, .interoperability) : standing, input: input, expected: expected)
  }
}
