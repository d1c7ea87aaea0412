import Explanation
import Minting
import NamedCases
import PaymentToken
import TestSupport
import Testing

struct NamedCaseTests {
  /// Names that only the explanation of a malformed payload may contain.
  private static let names = ["applicationPrimaryAccountNumber", "onlinePaymentCryptogram"]

  /// What no explanation may say of any token: the merchants' scalars, and card data as minted payloads have them.
  private static func secrets(of minter: Minter, and names: [String] = names) throws -> SecretSearch {
    let scalars = minter.merchants.flatMap(\.keys).map { Hex.encode($0.pair.scalar) }
    let payload = String(decoding: try minter.layers().plaintext, as: UTF8.self)
    return try SecretSearch(
      for: ["4111111111111111", "WlpaWlpaWlpa"] + names + scalars,
      from: payload + scalars.joined(separator: " "))
  }

  @Test func `the checks of every named case end at the stage of its rule, and show nothing secret`() throws {
    let minter = try Minter(seed: 20_260_102, at: Scenario.time)
    let keyContext = KeyContext(try minter.merchantKeySet())
    let (secrets, values) = (try Self.secrets(of: minter), try Self.secrets(of: minter, and: []))
    // In the first ring one case of each rule, and every tenth.
    var rules: Set<String> = []
    for (number, recipe) in CaseRecipe.all.enumerated()
    where rules.insert(recipe.clause).inserted || Ring.isDeep || number.isMultiple(of: 10) {
      let minted = try minter.make(recipe)
      let explainer = try Explainer(keyContext, anchors: minted.trustAnchors)
      let context = minted.test.context
      let policy = context.policy.verificationPolicy()
      func explain(_ request: [UInt8]) -> Explanation {
        explainer.explain(
          request.span, at: context.now, under: policy, allowsUnsigned: context.policy.isUnsigned)
      }
      for token in context.prelude { _ = explain(token) }
      let explanation = explain(minted.test.request)
      let failed = explanation.checks.first { $0.outcome == .failed }
      switch try #require(minted.test.expected) {
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
        // The roots are the tester's: nobody is said to have forged anything.
        let isForgery = explanation.sentence.firstMatch(of: /forgery|someone/) != nil
        #expect(!isForgery || fault.stage < .signatureShape, "\(recipe.name)")
      }
      let everything = explanation.everything
      // The first finding is in the searched text.
      let mark = try #require(explanation.checks.first?.findings.first).found
      let search = explanation.fault?.code == .malformedPayload ? values : secrets
      #expect(try search.findings(in: everything, marked: "found: \"\(mark)\"") == [], "\(recipe.name)")
      if case .accept(let plaintext) = minted.test.expected {
        #expect(!everything.contains(String(decoding: plaintext, as: UTF8.self)), "\(recipe.name)")
      }
    }
  }
}
