import Corpus
import Differential
import Foundation
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite(.blocking) struct AssessmentTests {
  private static let context = TestContext(now: UnixTime(secondsSinceEpoch: 0))
  private static let fault = TokenFault(.missingMember, member: .data)

  private static func engine(_ name: String, _ verdict: Result<DecryptedToken, TokenFault>) -> EngineContender {
    EngineContender(name: name) { _ in .success(FixedEngine(name: name, verdict: verdict)) }
  }

  private static func run(_ engines: [EngineContender], expected: TestVerdict?) -> RunReport {
    let test = TestCase(
      id: "1", source: "made", flags: ["A", "B"], input: TestInput([1, 2, 3], Self.context), expected: expected)
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: true)
    return TestRun(engines: engines, externals: [], strictness: .accept)
      .run([TestGroup(setting: setting, cases: [test])])
  }

  private static func token(amount: Int64, envelope: String = "apple") throws -> DecryptedToken {
    let bytes = try #require(Bytes32([UInt8](repeating: 7, count: 32)))
    let payment = Payment(
      applicationPrimaryAccountNumber: "4111111111111111", applicationExpirationDate: "301231", currencyCode: "840",
      transactionAmount: amount, cardholderName: nil, deviceManufacturerIdentifier: "040010030273",
      paymentData: .threeDSecure(onlinePaymentCryptogram: "AAAA", eciIndicator: nil), authenticationResponses: nil,
      merchantTokenIdentifier: nil, merchantTokenMetadata: nil)
    let time = UnixTime(secondsSinceEpoch: 0)
    return DecryptedToken(
      envelope: envelope, version: .ecV1, transactionId: bytes, publicKeyHash: bytes, ephemeralPublicKey: nil,
      applicationData: nil, signedAt: time, verifiedAt: time, isFromSandbox: false, payment: payment, plaintext: [1])
  }

  @Test func `decisions are assessed by strictness`() {
    let accept = TestVerdict.accept(plaintext: [1])
    let reject = TestVerdict.reject(Self.fault)
    let rejected = Decision.rejected(code: "missingMember", stage: nil, member: nil)
    let other = Decision.rejected(code: nil, stage: nil, member: nil)
    let rows: [(Decision, TestVerdict?, [Assessment])] = [
      (.accepted(plaintext: [1]), accept, [.passed, .passed, .passed]),
      (.accepted(plaintext: [2]), accept, [.passed, .finding(.wrongPlaintext), .finding(.wrongPlaintext)]),
      (.accepted(plaintext: nil), accept, [.passed, .finding(.wrongPlaintext), .finding(.wrongPlaintext)]),
      (.accepted(plaintext: [1]), reject, [Assessment](repeating: .finding(.accepted), count: 3)),
      (rejected, reject, [.passed, .passed, .passed]), (other, reject, [.passed, .passed, .finding(.wrongCode)]),
      // Without an expected verdict, only failing is a finding.
      (.accepted(plaintext: [2]), nil, [.unsupported, .unsupported, .unsupported]),
      (other, nil, [.unsupported, .unsupported, .unsupported]),
      (.error("x"), nil, [.finding(.error), .finding(.error), .finding(.error)]),
      (rejected, accept, [Assessment](repeating: .finding(.refusedSound), count: 3)),
      (.unsupported, accept, [.unsupported, .unsupported, .unsupported]),
      (.declined, accept, [.finding(.declined), .finding(.declined), .finding(.declined)]),
      (.error("x"), reject, [Assessment](repeating: .finding(.error), count: 3)),
      (.failed(.unasked), reject, [Assessment](repeating: .finding(.brokeProtocol), count: 3)),
      (.notAsked, reject, [.notAsked, .notAsked, .notAsked]),
    ]
    for (decision, expected, verdicts) in rows {
      for (strictness, assessment) in zip(Strictness.allCases, verdicts) {
        #expect(
          Assessment(decision, expected: expected, strictness: strictness) == assessment, "\(decision), \(strictness)")
      }
    }
  }

  @Test(arguments: [
    (#"{"a":1,"b":[true,null]}"#, #" { "b" : [ true, null ], "a" : 1.0 } "#, true),
    (#"{"a":"x/\u0041"}"#, #"{"a":"x\/A"}"#, true), (#"[120, 0]"#, #"[1.2E+2,-0.0e9]"#, true),
    (#"{"a":1}"#, #"{"a":1,"b":2}"#, false), (#"{"a":1}"#, #"{"b":1}"#, false), (#"{"a":1}"#, #"{"a":"1"}"#, false),
    (#"[1,2]"#, #"[2,1]"#, false), (#"[10]"#, #"[1]"#, false), (#"[1]"#, #"[-1]"#, false),
    (#"{"a":1}"#, #"{"a":1,"a":1}"#, false), ("no JSON", "no  JSON", false),
    ("[1e99999999999999999999]", "[1e99999999999999999998]", false),
  ])
  func `a plaintext of the same members in other bytes is acceptable, unless codes are compared`(
    right: String, answer: String, same: Bool
  ) {
    let expected = TestVerdict.accept(plaintext: Array(right.utf8))
    let test = TestCase(id: "1", input: TestInput([], Self.context), expected: expected)
    let verdicts = Strictness.allCases.map {
      Assessment(.accepted(plaintext: Array(answer.utf8)), on: test, expected: expected, strictness: $0)
    }
    #expect(verdicts == [.passed, same ? .acceptable : .finding(.wrongPlaintext), .finding(.wrongPlaintext)])
  }

  @Test func `engines are compared by codes, whatever the strictness for externals`() {
    let report = Self.run(
      [Self.engine("a", .failure(TokenFault(.wrongType, member: .data)))], expected: .reject(Self.fault))
    #expect(report.findings.map(\.kind) == [.wrongCode])
    #expect(report.scores[0].flags.mapValues(\.findings) == ["A": 1, "B": 1])
  }

  @Test func `engines that name different members disagree`() {
    let engines = [
      Self.engine("a", .failure(Self.fault)), Self.engine("b", .failure(TokenFault(.missingMember, member: .version))),
    ]
    let report = Self.run(engines, expected: .reject(Self.fault))
    #expect(report.scores.map(\.tally.passed) == [1, 0] && report.findings.map(\.contender) == [1])
  }

  @Test func `engines that return the same plaintext with other contents disagree`() throws {
    let first = Self.engine("a", .success(try Self.token(amount: 1)))
    let others = [try Self.token(amount: 1), try Self.token(amount: 2), try Self.token(amount: 1, envelope: "mpgs")]
    for (other, kinds) in zip(others, [[], [Assessment.Kind.wrongContents], [.wrongContents]]) {
      let report = Self.run([first, Self.engine("b", .success(other))], expected: .accept(plaintext: [1]))
      #expect(report.findings.map(\.kind) == kinds && report.findings.allSatisfy { $0.contender == 1 })
    }
  }

  @Test func `the corpus has vectors for each pattern: an engine that always returns one payment shows all`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Corpus/vectors")
    let groups = try [
      "agreement", "chain", "ecdsa", "ephemeral-keys", "expectations", "forgeries", "gcm", "replay", "shape", "time",
    ]
    .flatMap { try VectorReader.read([UInt8](Data(contentsOf: folder.appending(path: "\($0).json")))).groups }
    let engine = Self.engine("a", .success(try Self.token(amount: 1)))
    let score = TestRun(engines: [engine], externals: [], strictness: .accept).run(groups).scores[0]
    // `noSignature` has no tests of its own: it is derived from other patterns.
    for pattern in Pattern.allCases where pattern != .noSignature {
      let evidence = try #require(score.evidence[pattern], "\(pattern)")
      #expect(evidence.total >= 2 && evidence.count == evidence.total, "\(pattern)")
    }
  }

  @Test func `without an expected verdict the first engine counts`() {
    let engines = [Self.engine("a", .failure(Self.fault)), Self.engine("b", .failure(TokenFault(.malformedJSON)))]
    let report = Self.run(engines, expected: nil)
    #expect(report.findings.map(\.contender) == [1] && report.findings[0].test.expected == .reject(Self.fault))
  }

  @Test func `an engine that cannot be made decides nothing and is no oracle`() {
    let broken = EngineContender(name: "a") { _ in .failure(EngineRefusal("no keys")) }
    let report = Self.run([broken, Self.engine("b", .failure(Self.fault))], expected: nil)
    #expect(report.findings.map(\.kind) == [.error] && report.findings[0].contender == 0)
    #expect(report.scores[1].tally.unsupported == 1)
  }

  @Test(.enabled(if: Script.canRun)) func `a waiver that matches only a finding about an engine is stale`() throws {
    let script = try Script(#"say({"id": message["id"], "accepted": True, "plaintext": ""})"#)
    defer { withExtendedLifetime(script) {} }
    var test = try #require(Minted.tests(1).first)
    (test.name, test.standing) = ("known", nil)
    func run(_ engines: [EngineContender], expected: TestVerdict?) throws -> RunReport {
      test.expected = expected
      let waivers = try Waiver.read("known is known\n", file: "waivers")
      return TestRun(
        engines: engines, externals: [ExternalContender(script.program)], strictness: .accept,
        failurePolicy: FailurePolicy(waivers: waivers)
      ).run([TestGroup(setting: try Minted.setting(), cases: [test])])
    }
    let ofEngine = try run([Self.engine("a", .failure(Self.fault))], expected: test.expected)
    #expect(ofEngine.findings.map(\.contender) == [0] && ofEngine.failing.count == 1 && ofEngine.waived.isEmpty)
    #expect(ofEngine.staleWaivers.map(\.name) == ["known"])
    let ofProgram = try run([], expected: .reject(Self.fault))
    #expect(ofProgram.waived.count == 1 && ofProgram.failing.isEmpty && ofProgram.staleWaivers.isEmpty)
  }

  @Test(.enabled(if: Script.canRun)) func `the smaller vector still shows the finding`() throws {
    let engine = Self.engine("a", .success(try Self.token(amount: 1)))
    // The plaintext is wrong for requests of at least 28 bytes.
    let script = try Script(
      #"say({"id": message["id"], "accepted": True, "plaintext": "AQ==" if len(message["token"]) < 40 else "Ag=="})"#)
    defer { withExtendedLifetime(script) {} }
    let test = TestCase(
      id: "1", source: "made", input: TestInput([UInt8](repeating: 9, count: 100), Self.context), expected: nil)
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: true)
    var smaller: TestCase?
    let report = TestRun(engines: [engine], externals: [ExternalContender(script.program)], strictness: .plaintext)
      .run([TestGroup(setting: setting, cases: [test])]) { _ in
      } found: {
        smaller = $1.shrink($0)
      }
    #expect(report.findings.map(\.kind) == [.wrongPlaintext])
    let count = try #require(smaller).request.count
    #expect(count >= 28 && count < 100)
  }

  @Test func `a finding is shrunk only while both answers stay the same`() throws {
    let engines = [
      EngineContender(name: "a") { _ in .success(LengthEngine(name: "a", accepts: 0)) },
      EngineContender(name: "b") { _ in .success(LengthEngine(name: "b", accepts: 3)) },
    ]
    let test = TestCase(
      id: "1", source: "made", input: TestInput([UInt8](repeating: 9, count: 100), Self.context), expected: nil)
    let setting = TestSetting(keys: [], rootsPem: [], hasTestKeys: true)
    var smaller: TestCase?
    _ = TestRun(engines: engines, externals: [], strictness: .accept)
      .run([TestGroup(setting: setting, cases: [test])]) { _ in
      } found: {
        smaller = $1.shrink($0)
      }
    #expect(try #require(smaller).request.count == 3 && smaller?.expected == .reject(TokenFault(.malformedJSON)))
  }
}

/// An engine with the same verdict on every token.
private struct FixedEngine: TokenDecryptor {
  let name: String
  let verdict: Result<DecryptedToken, TokenFault>

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    try verdict.get()
  }

  func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    .signed(try verdict.get())
  }
}

/// Refuses all tokens with one fault, and tokens of at least a given size with another.
private struct LengthEngine: TokenDecryptor {
  let name: String
  let accepts: Int

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    throw accepts > 0 && request.count >= accepts ? TokenFault(.wrongType) : TokenFault(.malformedJSON)
  }

  func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    .signed(try decrypt(request, at: now, under: policy))
  }
}
