import Explanation
import Foundation
import Minting
import NamedCases
import PaymentToken
import Testing

/// The sentences for the rules of stages 5 to 8, and the problems that are looked for after the first.
struct SignatureRuleTests {
  /// The rules of sections 5 to 8 of the document, with the codes that a token gets for each.
  private static func documentedRules() throws -> [(number: String, codes: Set<String>)] {
    let path = "../../../Docs/Verification.md"
    let document = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
    let sections = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "\n## ")
    var rules: [(number: String, codes: Set<String>)] = []
    for section in sections where section.prefixMatch(of: #/[5-8] /#) != nil {
      let parts = section.components(separatedBy: "<a id=\"rule-")
      // A rule without codes of its own has those of the rule before it, or of the section's introduction.
      var codes = Self.codes(in: parts[0])
      for part in parts.dropFirst() {
        let own = Self.codes(in: part)
        if !own.isEmpty { codes = own }
        rules.append((String(try #require(part.firstMatch(of: #/\*\*(\d+\.\d+)\*\*/#)).1), codes))
      }
    }
    return rules
  }

  private static func codes(in text: String) -> Set<String> {
    Set(text.matches(of: /→\s+`(\w+)`/).map { String($0.1) })
  }

  @Test func `each rule of the document but the one that only allows has a sentence, for the document's codes`() throws
  {
    let documented = try Self.documentedRules().filter { $0.number != "5.18" }
    #expect(documented.count == 33)
    #expect(SignatureRule.all.map(\.number) == documented.map(\.number))
    for (rule, documented) in zip(SignatureRule.all, documented) {
      #expect(Set(rule.codes.map(\.rawValue)) == documented.codes, "\(rule.number)")
    }
  }

  @Test func `what a rule demands is said of no other, and is a part of one sentence`() {
    #expect(Set(SignatureRule.all.map(\.demand)).count == SignatureRule.all.count)
    for rule in SignatureRule.all {
      #expect(rule.fix.hasSuffix(".") && !rule.fix.dropLast().contains(". "), "\(rule.number)")
      #expect(!rule.demand.hasSuffix(".") && !rule.demand.contains(". "), "\(rule.number)")
    }
  }

  /// The rule in an explanation's subject.
  static func rule(of explanation: Explanation) -> SignatureRule? {
    let match = explanation.subject?.firstMatch(of: /, rule (\d+\.\d+)(, byte \d+)?$/)
    return match.flatMap { match in SignatureRule.all.first { $0.number == match.1 } }
  }

  @Test func `each rule explains a named case of its own`() throws {
    let minter = try Minter(seed: 20_260_104, at: Scenario.time)
    let keyContext = KeyContext(try minter.merchantKeySet())
    for rule in SignatureRule.all {
      var isFound = false
      for recipe in CaseRecipe.all where !isFound && recipe.clause == rule.number {
        let minted = try minter.make(recipe)
        guard case .reject = minted.test.expected else { continue }
        let context = minted.test.context
        let explanation = try Explainer(keyContext, anchors: minted.trustAnchors).explain(
          minted.test.request.span, at: context.now, under: context.policy.verificationPolicy())
        isFound = Self.rule(of: explanation) == rule && explanation.sentence.contains(", but \(rule.demand): ")
      }
      #expect(isFound, "\(rule.number)")
    }
  }

  /// The sentence for a token with an edited PKI.
  private func sentence(
    under anchors: (TestPKI) -> TrustAnchors = { TrustAnchors(certificates: [$0.root]) },
    _ edit: (inout TestPKI) throws -> Void
  ) throws -> String {
    var scenario = try Scenario(ScenarioTests.minter.get())
    var pki = scenario.minter.pki
    try edit(&pki)
    try pki.issue()
    scenario.anchors = anchors(pki)
    try scenario.signed { $0.signer = TokenSigner(pki) }
    return try scenario.explain().sentence
  }

  @Test(arguments: [[0x00, 0x01], [0x20, 0x00]] as [[UInt8]])
  func `universal type 0 is told as the type that does not occur, not by its form`(end: [UInt8]) throws {
    let explanation = try Scenario.explain { try $0.layers { $0.signature = $0.signature.dropLast(2) + end } }
    let rule = try #require(SignatureRule.all.first { $0.number == "5.4" })
    #expect(explanation.sentence.contains(": a value has the universal type 0, but \(rule.demand): "))
    #expect(rule.demand.hasPrefix("universal type 0 must not occur"))
  }

  private static let name = ASN1Node.sequence([
    .set([.sequence([.oid([2, 5, 4, 3]), .utf8String("Apple Root CA - G3")])])
  ])

  @Test func `a tester's root makes no forgery, whatever its name`() throws {
    let critical = ASN1Node.sequence([
      .oid([2, 5, 29, 37]), .boolean(true),
      .octetString(ASN1Node.sequence([.oid([1, 3, 6, 1, 5, 5, 7, 3, 2])]).encoded),
    ])
    func rename(_ pki: inout TestPKI) {
      pki.rootRecipe.subject = Self.name
      pki.rootRecipe.issuer = Self.name
      pki.intermediateRecipe.issuer = Self.name
      pki.leafRecipe.extensions.append(critical)
    }
    let own = try sentence { rename(&$0) }
    let rule = try #require(SignatureRule.all.first { $0.number == "7.5" })
    let found = "its extension extendedKeyUsage is critical"
    #expect(own == "leaf assay Test broker sign, rule 7.5: \(found), but \(rule.demand): \(rule.fix)")
    #expect(!own.contains("forgery") && !own.contains("someone"))
    // The same token without the tester's root.
    #expect(try sentence(under: { _ in .apple }) { rename(&$0) }.contains("forgery"))
  }

  @Test func `under Apple's root the sentence ends with what such a token is`() throws {
    let ends: [Diagnosis] = [.malformedSignature, .notSignedByApple, .embeddedContent, .forgedAppleNames]
    var found: Set<Diagnosis> = []
    let rows = PreparedScenario.signatures + PreparedScenario.signatureForms + PreparedScenario.lookalikes
    for row in rows where ends.contains(row.diagnosis) {
      var scenario = try Scenario(ScenarioTests.minter.get())
      try row.prepare(&scenario)
      scenario.anchors = .apple
      let explanation = try scenario.explain()
      guard explanation.diagnosis == row.diagnosis else { continue }
      found.insert(row.diagnosis)
      #expect(explanation.sentence.hasSuffix(": \(row.diagnosis.sentence)"), "\(row.name)")
    }
    #expect(found == Set(ends))
  }

  // MARK: Further problems

  @Test func `a token that is too old and not for these keys has both problems`() throws {
    let merchantID = try Scenario.explain {
      $0.now = Scenario.time.advanced(by: 7 * Scenario.day)
      $0.files.removeLast()
      $0.merchantIDs = ["merchant.com.example.other"]
      $0.candidates = [$0.minter.merchants[0].identifier]
    }
    #expect(merchantID.diagnosis == .storedTokenOutsideWindow)
    #expect(merchantID.furtherProblems.map(\.diagnosis) == [.merchantIDFound])
    #expect(merchantID.furtherProblems.first?.subject == "merchant.test.assay.one")
    // The leaf has expired, the window is over, and the key is another merchant's.
    let key = try Scenario.explain {
      $0.now = Scenario.time.advanced(by: 5 * 366 * Scenario.day)
      $0.files = Scenario.files($0.minter.merchants[1].keys[0])
    }
    #expect(key.diagnosis == .storedTokenCertificateExpired)
    #expect(key.furtherProblems.map(\.diagnosis) == [.unknownKey])
  }

  @Test func `each expectation that differs is told, and the replay store learns nothing`() throws {
    let store = MemoryReplayStore(capacity: 10)
    func explain(_ expectations: Expectations) throws -> Explanation {
      try Scenario.explain {
        $0.policy = VerificationPolicy(
          freshness: .window(seconds: 300, replay: store), expectations: expectations)
      }
    }
    let digest = Bytes32([UInt8](repeating: 7, count: 32))
    let other = try explain(Expectations(applicationData: digest, currencyCode: "840", transactionAmount: 1))
    #expect(other.subject == "header.applicationData")
    #expect(other.furtherProblems.map(\.diagnosis) == [.otherCurrency, .otherOrder])
    #expect(other.furtherProblems.last?.subject == "transactionAmount")
    #expect(try explain(Expectations()).accepted)
    #expect(try explain(Expectations()).diagnosis == .replayedTransaction)
  }

  @Test func `that no key was given is no further problem, and a sound token has none`() throws {
    let stored = try Scenario.explain {
      $0.now = Scenario.time.advanced(by: 7 * Scenario.day)
      $0.files = []
    }
    #expect(stored.diagnosis == .storedTokenOutsideWindow && stored.furtherProblems.isEmpty)
    #expect(try Scenario.explain { _ in }.furtherProblems.isEmpty)
  }
}
