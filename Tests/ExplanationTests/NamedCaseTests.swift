import Explanation
import Minting
import PaymentToken
import TestSupport
import Testing

struct NamedCaseTests {
  /// What no explanation may say: card data as minted payloads have them, and longer parts of plaintexts.
  private static func secrets(of minted: MintedCase) -> [String] {
    var secrets = ["4111111111111111", "WlpaWlpaWlpa", "applicationPrimaryAccountNumber", "onlinePaymentCryptogram"]
    switch minted.expected {
    case .accept(let plaintext), .acceptUnsigned(let plaintext):
      secrets.append(String(decoding: plaintext, as: UTF8.self))
    case .reject: break
    }
    return secrets
  }

  @Test func `the ladder of every named case ends where the rules say, and tells nothing secret`() throws {
    let minter = try Minter(seed: 20_260_102, at: Situation.time)
    let circumstances = KeyCircumstances(try minter.merchantKeySet())
    let scalars = minter.merchants.flatMap(\.keys).map { Hex.encode($0.pair.scalar) }
    // In the first ring one case of each rule, and every tenth.
    var rules: Set<String> = []
    for (number, recipe) in CaseRecipe.all.enumerated()
    where rules.insert(recipe.clause).inserted || Ring.isDeep || number.isMultiple(of: 10) {
      let minted = try minter.make(recipe)
      let explainer = try Explainer(circumstances, anchors: minted.trustAnchors)
      let policy = minted.policy.policy()
      func explain(_ request: [UInt8]) -> Explanation {
        explainer.explain(request.span, at: minted.now, under: policy, allowsUnsigned: minted.policy.isUnsigned)
      }
      for token in minted.prelude { _ = explain(token) }
      let explanation = explain(minted.token)
      let failed = explanation.checks.first { $0.outcome == .failed }
      switch minted.expected {
      case .accept:
        #expect(explanation.accepted && failed == nil, "\(recipe.name)")
        #expect(explanation.diagnosis == .sound, "\(recipe.name)")
      case .acceptUnsigned:
        #expect(explanation.accepted && failed == nil, "\(recipe.name)")
        #expect(explanation.diagnosis == .unsignedToken, "\(recipe.name)")
      case .reject(let fault):
        #expect(explanation.fault == fault, "\(recipe.name)")
        #expect(failed?.stage == fault.stage, "\(recipe.name)")
        #expect(explanation.diagnosis != .sound, "\(recipe.name)")
        #expect(failed.map { !$0.findings.isEmpty } ?? false, "\(recipe.name)")
      }
      var everything = ""
      dump(explanation, to: &everything)
      for secret in Self.secrets(of: minted) + scalars {
        #expect(!everything.contains(secret), "\(recipe.name) tells \(secret.prefix(8))…")
      }
    }
  }
}
