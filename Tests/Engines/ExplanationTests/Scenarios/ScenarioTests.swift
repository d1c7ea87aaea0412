import COpenSSL
import Explanation
import Foundation
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

struct ScenarioTests {
  static let minter = Result { try Minter(seed: 20_260_101, at: Scenario.time) }

  private func explain(_ prepared: PreparedScenario) throws -> Explanation { try explainUnderRoots(prepared).0 }

  private func explainUnderRoots(_ prepared: PreparedScenario) throws -> (Explanation, TrustAnchors) {
    var scenario = try Scenario(Self.minter.get())
    try prepared.prepare(&scenario)
    ErrorQueue.plant()
    let explanation = try scenario.explain()
    #expect(ErrorQueue.hasOnlyPlanted)
    return (explanation, scenario.anchors)
  }

  /// The diagnoses whose sentence tells the maker of a test token what to do, under a root that is not Apple's.
  private static let fixable: [Diagnosis] = [
    .malformedSignature, .embeddedContent, .notSignedByApple, .otherRoot, .brokenChain, .certificateRevoked,
    .signerCertificateExpired, .certificateNotYetValid, .signedMemberAltered, .forgedSignature,
  ]

  @Test(arguments: PreparedScenario.all)
  func `each scenario has its diagnosis and that diagnosis' sentence`(prepared: PreparedScenario) throws {
    let (explanation, anchors) = try explainUnderRoots(prepared)
    #expect(explanation.diagnosis == prepared.diagnosis)
    let rule = SignatureRuleTests.rule(of: explanation)
    let sentence =
      switch prepared.diagnosis {
      // These diagnoses have the sentence of the key's error.
      case .keyFormat, .keyPassword, .unusableKeys: try #require(explanation.keyError).advice
      // The values were changed as well as the names.
      case .changedMemberNames where explanation.command == nil: "keep both as the device sent them."
      case .wrongLength where explanation.subject == TokenMember.applicationData.path: "leave it out."
      case .signerCertificateExpired where anchors != .apple: SignatureRule.fixOutsideValidity
      case let diagnosis where Self.fixable.contains(diagnosis) && anchors != .apple: try #require(rule).fix
      case let diagnosis: (anchors == .apple ? nil : diagnosis.sentenceForTesters) ?? diagnosis.sentence
      }
    #expect(explanation.sentence.hasSuffix(sentence))
    if let rule { #expect(explanation.sentence.contains(", but \(rule.demand): ")) }
    #expect(explanation.accepted == [.sound, .unsignedToken].contains(prepared.diagnosis))
    #expect(explanation.isSigned == (explanation.accepted ? prepared.diagnosis == .sound : nil))
    let hasEnvelope = explanation.checks.first?.stage == .envelope
    #expect(explanation.checks.map(\.stage.rawValue) == Array((hasEnvelope ? 0 : 1)...14))
    #expect(hasEnvelope ? explanation.envelope != "apple" : explanation.envelope == "apple")
    let failed = explanation.checks.firstIndex { $0.outcome == .failed }
    #expect(failed == nil ? explanation.accepted : true)
    if let failed {
      #expect(explanation.checks[..<failed].allSatisfy { $0.outcome == .ok || $0.outcome == .omitted })
      #expect(explanation.checks[(failed + 1)...].allSatisfy { $0.outcome == .notReached && $0.findings.isEmpty })
      #expect(explanation.checks[failed].findings.contains { $0.expected != nil })
    }
  }

  @Test func `the table has every diagnosis but those that need what minting cannot make`() {
    let missing = Set(Diagnosis.allCases).subtracting(PreparedScenario.all.map(\.diagnosis))
    #expect(missing == [.appleRootReplaced, .keyUnavailable])
  }

  @Test func `sentences are unique, and each is one sentence with one fix`() {
    #expect(Set(Diagnosis.allCases.map(\.sentence)).count == Diagnosis.allCases.count)
    let others = Diagnosis.allCases.compactMap(\.sentenceForTesters)
    #expect(Set(others).count == others.count && others.count == 13)
    for sentence in Diagnosis.allCases.map(\.sentence) + others + Note.Code.allCases.map(\.sentence) {
      #expect(sentence.hasSuffix("."))
      #expect(!sentence.dropLast().contains(". "), "\(sentence)")
    }
  }

  @Test func `a wrong merchant ID is proved by the right one, if known`() throws {
    let found = PreparedScenario.merchantIDs.filter { $0.diagnosis == .merchantIDFound }
    #expect(found.count == 6)
    for prepared in found {
      let proved = try explain(prepared)
      #expect(proved.subject == "merchant.test.assay.one")
      #expect(proved.sentence.hasPrefix("use --merchant-id merchant.test.assay.one: it opens this token"))
    }
    // The right hash names no merchant ID.
    for unproved in PreparedScenario.merchantIDs.prefix(2) { #expect(try explain(unproved).subject == "merchant.key") }
  }

  @Test func `a merchant ID that contradicts the certificate is named with what to leave out`() throws {
    var scenario = try Scenario(Self.minter.get())
    try scenario.useAnotherMerchantsCertificate(scenario.minter.merchants[1].keys[0])
    scenario.candidates = [scenario.minter.merchants[1].identifier]
    let proved = try scenario.explain()
    #expect(proved.subject == "merchant.test.assay.two, with the key but without its certificate")
    scenario.files.removeLast()
    scenario.merchantIDs = scenario.candidates
    #expect(try scenario.explain().accepted)
  }

  @Test func `a chain that does not verify is not said to have another issuer`() throws {
    let brokenChain = try #require(PreparedScenario.signatures.first { $0.diagnosis == .brokenChain })
    let check = try #require(explain(brokenChain).checks.first { $0.outcome == .failed })
    let root = "assay Test Root CA"
    #expect(
      check.findings.map(\.found) == ["its signature does not verify with the key of \(root)", "\(root), not Apple's"])
  }

  @Test func `with unusable keys the signature is still explained`() throws {
    var scenario = try Scenario(Self.minter.get())
    scenario.files.removeLast()
    let explanation = try scenario.explain()
    #expect(explanation.keyError?.code == .missingMerchantID)
    #expect(explanation.fault == nil)
    #expect(!explanation.accepted)
    #expect(explanation.checks.prefix(9).allSatisfy { $0.outcome == .ok })
    scenario.token[scenario.token.count - 1] = 0
    let cut = try scenario.explain()
    #expect(cut.keyError?.code == .missingMerchantID)
    #expect(cut.fault?.code == .malformedJSON)
    #expect(cut.diagnosis == .truncatedJSON)
  }

  @Test func `the token's private key with another key's certificate is called the token's`() throws {
    let minter = try Self.minter.get()
    let others = [minter.merchants[1].keys[0].certificatePEM, minter.rsaMerchants[0].keys[0].certificatePEM]
    for other in others.map({ Scenario.file("other.pem", $0) }) {
      for merchantIDs in [[], [minter.merchants[0].identifier]] {
        var scenario = try Scenario(minter)
        scenario.files[1] = other
        scenario.merchantIDs = merchantIDs
        let explanation = try scenario.explain()
        #expect(explanation.keyError?.code == .certificateWithoutKey)
        #expect(explanation.diagnosis == .keyCertificateMismatch && explanation.subject == "other.pem")
        #expect(explanation.sentence.contains("than merchant.key, which is the token's: "))
        // This does what the sentence says.
        scenario.files.removeLast()
        scenario.merchantIDs = [minter.merchants[0].identifier]
        #expect(try scenario.explain().accepted)
      }
    }
    var scenario = try Scenario(minter)
    try scenario.mintRSA()
    scenario.files[1] = Scenario.file("other.pem", others[0])
    #expect(try scenario.explain().sentence.hasSuffix("give that key's own certificate, or none."))
    scenario.files.removeLast()
    #expect(try scenario.explain().accepted)
  }

  @Test func `a payment without eciIndicator is accepted, with a remark`() throws {
    var recipe = TokenRecipe()
    recipe.payload.kind = .threeDSecure(cryptogram: [1, 2, 3], eciIndicator: nil)
    let explanation = try Scenario(Self.minter.get(), recipe).explain()
    #expect(explanation.accepted)
    #expect(explanation.notes.map(\.code) == [.eciIndicatorMissing])
    #expect(try Scenario(Self.minter.get()).explain().notes.isEmpty)
  }

  @Test func `an external key that does not answer says nothing about the token`() throws {
    let minter = try Self.minter.get()
    let certificate = try Certificate(der: minter.merchants[0].keys[0].certificate)
    let source = MerchantKeySource(
      secret: .external(try ExternalECKey(of: certificate, agreement: ExternalKeyStandIn())), certificate: certificate)
    let explainer = try Explainer(KeyContext(try MerchantKeySet([source])), anchors: minter.anchors)
    let token = try minter.mint().bytes
    let explanation = explainer.explain(token.span, at: Scenario.time, under: VerificationPolicy())
    #expect(explanation.diagnosis == .keyUnavailable)
    #expect(explanation.fault?.code == .keyUnavailable)
    #expect(Self.failure(of: explanation) == [.symmetricKey: ["external key"]])
  }

  /// The stage that failed, and the names of its findings.
  private static func failure(of explanation: Explanation) -> [VerificationStage: [String]] {
    let failed = explanation.checks.filter { $0.outcome == .failed }
    return Dictionary(uniqueKeysWithValues: failed.map { ($0.stage, $0.findings.map(\.name)) })
  }

  /// Properties that no algorithm has stand for a provider that the application has unloaded since the engine was made.
  @Test func `an algorithm that libcrypto lacks is the cause at any stage, with keys that failed to load too`() async {
    await #expect(processExitsWith: .success) {
      let signed = try Scenario(ScenarioTests.minter.get())
      var unsigned = signed
      try unsigned.sendParts()
      let loaded = try KeyContext(MerchantKeySet(files: signed.files))
      let failed = try KeyContext(unusable: KeyError(.wrongPassword), files: [])
      let explainers = try [loaded, failed].map { try Explainer($0, anchors: signed.anchors) }
      #expect(EVP_set_default_properties(nil, "absent=yes") == 1)
      for (explainer, scenario, stage) in [
        (explainers[0], signed, VerificationStage.chain), (explainers[1], signed, .chain),
        (explainers[0], unsigned, .decryption),
      ] {
        let explanation = explainer.explain(
          scenario.token.span, at: scenario.now, under: scenario.policy, allowsUnsigned: scenario.allowsUnsigned)
        #expect(explanation.diagnosis == .keyUnavailable && explanation.fault?.code == .keyUnavailable)
        #expect(ScenarioTests.failure(of: explanation) == [stage: ["libcrypto"]])
      }
    }
  }

  @Test func `a signing time outside the policy's range is compared with that, and one outside the window with it`()
    throws
  {
    var scenario = try Scenario(Self.minter.get())
    let range = Scenario.time.advanced(by: 60)..<Scenario.time.advanced(by: 120)
    for (freshness, now, expected, diagnosis) in [
      (Freshness.windowOff, 0, "from 2026-01-01T00:01:00Z, before 2026-01-01T00:02:00Z", .signingTimeOutsideRange),
      (.window(seconds: 9), 9, "from 2026-01-01T00:01:00Z, before 2026-01-01T00:02:00Z", .signingTimeOutsideRange),
      (.window(seconds: 9), 10, "within 9 s of 2026-01-01T00:00:10Z", .storedTokenOutsideWindow),
      (.window(seconds: 9), -10, "within 9 s of 2025-12-31T23:59:50Z", .signedInFuture),
    ] as [(Freshness, Int64, String, Diagnosis)] {
      scenario.policy = VerificationPolicy(freshness: freshness, signingTimes: range)
      scenario.now = Scenario.time.advanced(by: now)
      let explanation = try scenario.explain()
      #expect(explanation.diagnosis == diagnosis)
      #expect(explanation.checks.first { $0.outcome == .failed }?.findings.map(\.expected) == [expected])
    }
    // A token of the range passes, compared with it.
    scenario.policy = VerificationPolicy(freshness: .windowOff, signingTimes: Scenario.time..<range.upperBound)
    let check = try scenario.explain().checks.first { $0.stage == .signingTime }
    #expect(check?.findings.map(\.expected) == ["from 2026-01-01T00:00:00Z, before 2026-01-01T00:02:00Z"])
    #expect(check?.outcome == .ok)
  }

  /// Each try is an operation with a private key.
  @Test func `a bounded number of keys is tried for a token of none of them`() throws {
    let minter = try Self.minter.get()
    let outside = ExternalKeyStandIn()
    var stream = SeededGenerator(seed: 1).stream("keys")
    var sources: [MerchantKeySource] = []
    for _ in 0..<40 {
      let pair = try KeyPair(.p256, from: &stream)
      let file = try MerchantCertificate.pem(
        minter, pair.publicKeyInfo, .processing, from: -9 * Scenario.day, to: 9 * Scenario.day)
      let certificates = try Certificate.all(in: file)
      let certificate = try #require(certificates.first)
      let key = try ExternalECKey(of: certificate, agreement: outside)
      sources.append(MerchantKeySource(secret: .external(key), certificate: certificate))
    }
    let explainer = try Explainer(KeyContext(try MerchantKeySet(sources)), anchors: minter.anchors)
    let token = try minter.mint().bytes
    let explanation = explainer.explain(token.span, at: Scenario.time, under: VerificationPolicy())
    #expect(explanation.diagnosis == .unknownKey)
    #expect(outside.asked.count == 32)
  }

  @Test func `an old certificate opens its tokens, with a remark on the newer one`() throws {
    let minter = try Self.minter.get()
    let (old, new) = (minter.merchants[0].keys[0], minter.merchants[0].keys[1])
    var scenario = try Scenario(minter)
    scenario.files = [
      Scenario.file("old.key", old.sec1PEM), Scenario.file("new.key", new.sec1PEM),
      try MerchantCertificate.pem(minter, old, from: -700 * Scenario.day, to: -1 * Scenario.day),
      try MerchantCertificate.pem(minter, new, from: -30 * Scenario.day, to: 700 * Scenario.day),
    ]
    let explanation = try scenario.explain()
    #expect(explanation.accepted)
    #expect(explanation.notes.map(\.code) == [.merchantCertificateExpired, .newerCertificateUnused])
  }

  @Test func `certificates without their keys are named in a remark, whatever the verdict`() throws {
    let minter = try Self.minter.get()
    var scenario = try Scenario(minter)
    scenario.files[1] = Scenario.chain(minter.merchants[0].keys[0].certificate, minter.pki.intermediate)
    let name = DistinguishedName(try Certificate(der: minter.pki.intermediate).subject).text
    for now in [Scenario.time, Scenario.time.advanced(by: 7 * Scenario.day)] {
      scenario.now = now
      let note = try #require(scenario.explain().notes.first)
      #expect(note.code == .certificateLeftAside && note.subject == "chain.pem: \(name)")
    }
  }

  @Test func `a clock that is years away gets a remark, one that is days away gets none`() throws {
    var scenario = try Scenario(Self.minter.get())
    for (seconds, codes) in [
      (0, [Note.Code.timesYearsApart]), (4_323_000_000, [.timesYearsApart]), (1_767_225_600 + 604_800, []),
    ] {
      scenario.now = UnixTime(secondsSinceEpoch: Int64(seconds))
      #expect(try scenario.explain().notes.map(\.code) == codes, "\(seconds)")
    }
  }

  @Test func `an unchecked time gets a remark`() throws {
    var scenario = try Scenario(Self.minter.get())
    scenario.policy = VerificationPolicy(freshness: .signingTime)
    #expect(try scenario.explain().notes.map(\.code) == [.ageUnchecked])
    scenario.policy = VerificationPolicy(freshness: .windowOff)
    #expect(try scenario.explain().notes.map(\.code) == [.ageUnchecked])
  }

  @Test(.enabled(if: RealTokens.available))
  func `genuine tokens are explained`() throws {
    let minter = try Self.minter.get()
    for real in RealTokens.all where real.genuine {
      var scenario = try Scenario(minter)
      scenario.token = real.token
      scenario.now = Scenario.time.advanced(by: 3_650 * Scenario.day)
      scenario.policy = VerificationPolicy(freshness: .signingTime)
      #expect(try scenario.explain().diagnosis == .appleRootReplaced, "\(real.name)")
      // Apple's certificates with a signature that they did not make.
      let genuine = scenario.token
      scenario.token = try Self.withStaleSignature(genuine)
      #expect(try scenario.explain().diagnosis == .forgedSignature, "\(real.name)")
      scenario.anchors = .apple
      scenario.policy = VerificationPolicy()
      #expect(try scenario.explain().diagnosis == .forgedSignature, "\(real.name)")
      scenario.token = genuine
      scenario.policy = VerificationPolicy(freshness: .signingTime)
      scenario.anchors = .apple
      scenario.files = []
      #expect(try scenario.explain().diagnosis == .noKeyLoaded, "\(real.name)")
      scenario.policy = VerificationPolicy()
      #expect(try scenario.explain().diagnosis == .storedTokenCertificateExpired, "\(real.name)")
      guard let key = real.privateKeyPEM, let merchantID = real.merchantID else { continue }
      scenario.policy = VerificationPolicy(freshness: .signingTime)
      scenario.files = [KeyFile(name: "key", bytes: key)]
      scenario.merchantIDs = [merchantID]
      #expect(try scenario.explain().accepted, "\(real.name)")
      scenario.merchantIDs = ["merchant.other"]
      scenario.candidates = [merchantID]
      guard real.version == "EC_v1" else { continue }
      let wrong = try scenario.explain()
      #expect(wrong.diagnosis == .merchantIDFound, "\(real.name)")
      #expect(wrong.subject == merchantID, "\(real.name)")
    }
  }
  /// Flips a bit of the signature's value, which is at the end of Apple's CMS.
  private static func withStaleSignature(_ token: [UInt8]) throws -> [UInt8] {
    let text = String(decoding: token, as: UTF8.self)
    let name = try #require(text.firstRange(of: "\"signature\""))
    let start = try #require(text[name.upperBound...].firstIndex(of: "\""))
    let value = text[text.index(after: start)...].prefix { $0 != "\"" }
    var bytes = [UInt8](try #require(Data(base64Encoded: String(value.replacing("\\/", with: "/")))))
    let place = bytes.count - 20
    bytes[place] ^= 1
    return Array(text.replacingCharacters(in: value.startIndex..<value.endIndex, with: Base64.encode(bytes)).utf8)
  }
}
