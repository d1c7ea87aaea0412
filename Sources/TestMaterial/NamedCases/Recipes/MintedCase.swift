import Minting
import PaymentToken
import TestCases

/// A named case as one minter made it: the test case, and what it was made from.
package struct MintedCase: Hashable, Sendable {
  /// The request, its context and the expected verdict, with the case's name, clause, note and standing.
  package let test: TestCase
  /// What the case shows beyond its rule.
  package let traits: Set<CaseTrait>
  /// The version that the token was minted as, even where its `version` member differs.
  package let version: TokenVersion
  /// The token without a request around it.
  package let bareToken: [UInt8]
  /// The roots to trust.
  package let anchors: [[UInt8]]
  /// Whether the token alone defines the case: default policy, the minter's time and root, no prelude.
  package let isSingleToken: Bool

  /// The roots to trust, as engines take them.
  package var trustAnchors: TrustAnchors { TrustAnchors(certificates: anchors) }
}

extension TestKey {
  /// A merchant's key with its certificate and, for EC_v1, the merchant identifier.
  package init<Pair>(_ key: MintedMerchant<Pair>.Key, of merchantId: String? = nil) {
    self.init(privateKeyPem: key.pkcs8PEM, certificatePem: key.certificatePEM, merchantId: merchantId)
  }

  /// The keys of a minter's merchants for one version.
  package static func all(of minter: Minter, _ version: TokenVersion) -> [TestKey] {
    switch version {
    case .ecV1: minter.merchants.flatMap { merchant in merchant.keys.map { TestKey($0, of: merchant.identifier) } }
    case .rsaV1: minter.rsaMerchants.flatMap(\.keys).map { TestKey($0) }
    }
  }

  /// The keys of all of a minter's merchants.
  package static func all(of minter: Minter) -> [TestKey] { TokenVersion.allCases.flatMap { all(of: minter, $0) } }
}

extension TestSetting {
  /// A minter's keys, under its own root or others.
  ///
  /// - Parameters:
  ///   - keys: the keys; by default all of the minter's.
  ///   - anchors: certificates of roots; by default the minter's own.
  package init(of minter: Minter, keys: [TestKey]? = nil, anchors: [[UInt8]]? = nil) {
    self.init(
      keys: keys ?? TestKey.all(of: minter),
      rootsPem: (anchors ?? minter.anchors.certificates).map { PEM.certificate($0) }, hasTestKeys: true)
  }
}

extension Minter {
  /// A valid token as a test case.
  package func soundCase(_ token: MintedToken, id: String) -> TestCase {
    TestCase(
      id: id, name: id, source: source, comment: "a valid token", input: TestInput(token.bytes, TestContext(now: time)),
      expected: .accept(plaintext: token.layers.plaintext))
  }

  /// The `source` of this minter's cases.
  var source: String { "minted, seed \(seed)" }
}

extension Minter {
  /// The valid tokens that a case is made of, each alone: the one that is changed, then those that give it parts.
  ///
  /// The first is signed at another second, if need be, so that its signature is as long as the case's. An engine that
  /// remembers the layout of the first signature then reads the case's signature by it.
  ///
  /// - Throws: `MintingError` for any failure.
  package func origins(of recipe: CaseRecipe) throws(MintingError) -> [TestInput] {
    let draft = try draft(of: recipe)
    var origins = draft.origins
    for second in 1...8 where origins[0].signature.count != draft.layers.signature.count {
      origins[0].signedAt = draft.origins[0].signedAt.advanced(by: Int64(second))
      try origins[0].sign()
    }
    return origins.map { TestInput($0.token, TestContext(now: time)) }
  }
}
