import Corpus
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases

/// Decides which private keys may be given to any program: those that are public.
package enum TestKeys {
  /// Whether a setting has only public test keys and none of Apple's roots.
  package static func areWorthless(in setting: TestSetting) -> Bool {
    setting.keys.allSatisfy(isWorthless) && !isApple(setting)
  }

  /// Whether a root is Apple's or cannot be read.
  private static func isApple(_ setting: TestSetting) -> Bool {
    if setting.rootsPem.isEmpty { return false }
    guard let anchors = try? setting.trustAnchors(),
      let apple = TrustAnchors.apple.certificates.first.flatMap({ try? Certificate(der: $0) })
    else { return true }
    return anchors.certificates.contains { der in
      // Compare the keys: the same root may have another certificate.
      (try? Certificate(der: der))?.subjectPublicKeyInfo == apple.subjectPublicKeyInfo
    }
  }

  /// The keys that the corpus is minted with, and those of Corpus/keys.
  private static let minted: [String] = {
    guard let minter = try? VectorGenerator.minter() else { return [] }
    let uncertified = (try? minter.mintForHashBeginningWithZero()).map { [$0.pkcs8PEM] } ?? []
    return TestKey.all(of: minter).map(\.privateKeyPem) + uncertified + FixedRSAKeys.all.compactMap { try? $0.pem }
  }()

  /// Whether a key is public: in Corpus/keys, used to mint the corpus, or with a certificate that names a minter's
  /// authority as its issuer.
  package static func isWorthless(_ key: TestKey) -> Bool {
    if minted.contains(where: { sameText($0, key.privateKeyPem) }) { return true }
    guard let pem = key.certificatePem,
      let certificate = try? Certificate.all(in: KeyFile(name: "certificate", bytes: Array(pem.utf8))).first
    else { return false }
    return certificate.issuer.contains("assay Test Developer Relations CA".utf8)
  }

  private static func sameText(_ first: String, _ second: String) -> Bool {
    first.filter { !$0.isWhitespace } == second.filter { !$0.isWhitespace }
  }
}
