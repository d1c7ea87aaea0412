import Differential
import Fuzzing
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

@Suite struct LoopTests {
  @Test func `the loop finds nothing but keeps many samples when both engines agree`() throws {
    let bench = try FuzzingBench()
    var loop = try bench.loop()
    var kept = 0
    let steps = Ring.isDeep ? 6_000 : 600
    for _ in 0..<steps {
      switch try loop.step() {
      case .nothing, .covered: continue
      case .kept: kept += 1
      case .found(let found): Issue.record("seed \(FuzzingBench.seed): \(found.violation) by \(found.mutations)")
      }
    }
    #expect(kept > min(100, steps / 15))
    #expect(loop.statistics[.executions] > steps * 2 / 3)
    #expect(loop.statistics.share(reaching: .signature) >= 0.2)
    #expect(loop.statistics.share(reaching: .payload) >= 0.05)
    #expect(loop.statistics.yields.filter { $0.executions > 0 }.count > Mutation.all.count / 2)
  }

  @Test func `the same seed and stream give the same work`() throws {
    func fingerprints() throws -> [[UInt8]] {
      var loop = try FuzzingBench().loop()
      var requests: [[UInt8]] = []
      for _ in 0..<120 { _ = try loop.step { requests.append($0.request) } }
      return requests
    }
    #expect(try fingerprints() == fingerprints())
  }

  private struct Bug: Sendable {
    let name: String
    let change: @Sendable (Result<DecryptedToken, TokenFault>) -> Result<DecryptedToken, TokenFault>
  }

  /// Bugs of an engine that the other one does not share.
  private static let bugs = [
    Bug(name: "another code") { result in
      result.mapError { $0.code == .signatureMismatch ? TokenFault(.decryptionFailed) : $0 }
    },
    Bug(name: "another member") { result in
      result.mapError { $0.member == .data ? TokenFault($0.code, member: .signature) : $0 }
    },
    Bug(name: "refuses EMV") { result in
      guard case .success(let token) = result, token.payment.paymentData.typeName == "EMV" else { return result }
      return .failure(TokenFault(.malformedPayload))
    },
  ]

  @Test(arguments: bugs.indices) func `the loop finds a disagreement of the engines`(_ index: Int) throws {
    let bench = try FuzzingBench()
    let bug = Self.bugs[index]
    let buggy = BuggyEngine(engine: bench.fast, change: bug.change)
    var loop = try bench.loop { [reference = bench.reference] in (buggy, reference) }
    let found = try loop.firstFound()
    #expect(found.violation.kind == .disagreement)
    let finding = Triage(loop).finding(of: found)
    #expect(finding.replays == 3)
    #expect(finding.sample.request.count <= found.sample.request.count)
    #expect(finding.history.isEmpty)
  }

  @Test func `a verdict that only a history changes is found, with what must come before`() throws {
    let bench = try FuzzingBench()
    let setting = TestSetting(of: bench.minter, anchors: bench.sampleSigner.anchors.certificates)
    var loop = try bench.loop(histories: { effort in
      var check = HistoryCheck(ForgetfulTarget(), effort: effort)
      check.begin(setting)
      return check
    })
    let found = try loop.firstFound()
    #expect(found.violation.kind == .batch)
    let finding = Triage(loop, shrinker: Shrinker(work: 20, milliseconds: 600_000)).finding(of: found)
    #expect(finding.replays == 3)
    #expect(finding.history.count == 1)
  }

  /// Both engines do the same wrong, or an explanation has a secret: only the known properties of the sample show it.
  @Test(arguments: [Violation.Kind.verdict, .rewriting, .secret])
  func `what both engines have in common is found, and shows in each replay`(_ kind: Violation.Kind) throws {
    let bench = try FuzzingBench()
    let change: @Sendable (Result<DecryptedToken, TokenFault>) -> Result<DecryptedToken, TokenFault> = { result in
      result.mapError { kind == .verdict && $0.code == .signatureMismatch ? TokenFault(.decryptionFailed) : $0 }
    }
    let pair: () -> (any TokenDecryptor, any TokenDecryptor) = { [fast = bench.fast, reference = bench.reference] in
      if kind == .rewriting { return (SpaceCountingEngine(engine: fast), SpaceCountingEngine(engine: reference)) }
      return (BuggyEngine(engine: fast, change: change), BuggyEngine(engine: reference, change: change))
    }
    let explanation: (TestInput) -> String = { [reference = bench.reference] sample in
      guard kind == .secret, case .success(let token) = sample.verdict(by: reference) else { return "" }
      return "PAN \(token.payment.applicationPrimaryAccountNumber)"
    }
    var loop = try bench.loop(pair, explanation: explanation)
    let found = try loop.firstFound(kind)
    var finding = Triage(loop).finding(of: found)
    #expect(finding.replays == 3)
    // Another sample does not show it.
    finding.sample = try bench.samples()[0]
    finding.history = []
    #expect(kind == .secret || !Triage(loop).shows(finding))
  }

  @Test func `a token that the test signer never signed is a finding even if both engines accept it`() throws {
    let bench = try FuzzingBench()
    let bytes = try bench.minter.mint(index: 77).bytes
    let sound = try bench.reference.decrypt(
      bytes.span, at: bench.minter.time, under: VerificationPolicy())
    // Where the signature is wrong, both engines return the same token, whose transaction ID the minter never signed.
    let stranger = DecryptedToken(
      envelope: sound.envelope, version: sound.version, transactionId: sound.publicKeyHash,
      publicKeyHash: sound.publicKeyHash, ephemeralPublicKey: sound.ephemeralPublicKey, applicationData: nil,
      signedAt: sound.signedAt, verifiedAt: sound.verifiedAt, isFromSandbox: false, payment: sound.payment,
      plaintext: sound.plaintext)
    let buggy = BuggyEngine(engine: bench.reference) { result in
      guard case .failure(let fault) = result, fault.code == .signatureMismatch else { return result }
      return .success(stranger)
    }
    var loop = try bench.loop { (buggy, buggy) }
    let found = try loop.firstFound()
    #expect(found.violation.kind == .forgery)
  }

  @Test func `messages of workers are read back, incomplete ones are kept, and lines that are none are skipped`()
    throws
  {
    let bench = try FuzzingBench()
    var loop = try bench.loop()
    _ = try loop.step()
    let defaults = bench.sampleSigner.defaultContext
    let sample = try bench.samples()[0]
    var finding = FuzzFinding(Violation(.disagreement, "accepted", "rejected"), sample, mutations: ["time"])
    finding.history = [sample, sample]
    (finding.replays, finding.severity, finding.detail, finding.wasKilledExternally) = (2, .high, "killed", true)
    let kept = FuzzLoop.Kept(
      sample: sample.file(defaults: defaults), stage: .chain, isAccepted: false, features: [1, .max],
      coverage: [CoverageFeature(edge: 5, bucket: 6)], fingerprint: [3, 4])
    var exchange = ExchangeResult()
    (exchange.isComplete, exchange.isNameLost, exchange.problem) = (false, true, "full")
    let messages: [WorkerMessage] = [
      .statistics(loop.statistics), .finding(finding.map { $0.file(defaults: defaults) }),
      .kept(kept), .taken(3, .covered), .imported([1, 2]), .exchanged(exchange),
      .found(finding.map { $0.file(defaults: defaults) }),
    ]
    // A line that is no message is before each message.
    let bytes = messages.flatMap { Array("{\"unknown\":0}\n".utf8) + $0.line }
    var buffer: [UInt8] = []
    var read: [WorkerMessage] = []
    for byte in bytes {
      buffer.append(byte)
      if let message = WorkerMessage.take(from: &buffer) { read.append(message) }
    }
    #expect(buffer.isEmpty)
    #expect(read.map(\.line) == messages.map(\.line))
    guard case .finding(let found) = read[1] else { throw TestFailure() }
    #expect(found.severity == .high && found.detail == "killed" && found.wasKilledExternally && found.replays == 2)
    guard case .kept(let record) = read[2] else { throw TestFailure() }
    #expect(record.features == [1, .max] && TestInput(file: record.sample, defaults: defaults) == sample)
    #expect(record.fingerprint == [3, 4] && record.coverage == kept.coverage)
    guard case .taken(3, .covered) = read[3], case .imported([1, 2]) = read[4], case .exchanged(exchange) = read[5]
    else {
      throw TestFailure()
    }
  }

  @Test func `a verdict is the same after two messages with it`() throws {
    let verdicts: [(members: String, verdict: TestVerdict)] = [
      (#""plaintext": "BQ==""#, .accept(plaintext: [5])),
      (#""plaintext": "BQ==", "unsigned": true"#, .acceptUnsigned(plaintext: [5])),
      (
        #""code": "invalidLength", "stage": 4, "member": "signature""#,
        .reject(TokenFault(.invalidLength, member: .signature))
      ),
    ]
    for (members, verdict) in verdicts {
      var line = Array(#"{"examined": "Bw==", "mutations": ["time"], "signed": true, \#(members)}\#n"#.utf8)
      guard case .examined(let first)? = WorkerMessage.take(from: &line) else { throw TestFailure() }
      line = WorkerMessage.examined(first).line
      guard case .examined(let second)? = WorkerMessage.take(from: &line) else { throw TestFailure() }
      for examined in [first, second] {
        #expect(examined.sample == [7] && examined.mutations == ["time"] && examined.isSigned)
        #expect(examined.verdict == verdict)
      }
    }
  }

  @Test func `a sample that is taken twice is kept, then covered`() throws {
    let bench = try FuzzingBench()
    var loop = try bench.loop(startsEmpty: true)
    let sample = try bench.samples()[0]
    let outcomes = (0..<2).map { _ in TakenResult(loop.take(sample)) }
    #expect(outcomes == [.kept, .covered])
    // A sample that is too large to be kept is unusable, and its features stay new.
    let padded = TestInput(sample.request + [UInt8](repeating: UInt8(ascii: " "), count: 70_000), sample.context)
    let before = loop.corpus.featureCount
    #expect(TakenResult(loop.take(padded)) == .unusable)
    #expect(loop.corpus.featureCount == before)
  }

  private struct TestFailure: Error {}
}

/// The fast engine with a bug: a refused request right after an accepted one gets the verdict on the accepted one.
private final class ForgetfulTarget: HistoryTarget {
  private let target = FastHistoryTarget()

  var isWiped: Bool { target.isWiped }

  func begin(_ setting: TestSetting) { target.begin(setting) }

  func decide(_ inputs: [TestInput], in place: HistoryPlace) -> [Verdict]? {
    guard var verdicts = target.decide(inputs, in: place) else { return nil }
    for index in verdicts.indices.dropFirst() {
      if case .success = verdicts[index - 1], case .failure = verdicts[index] { verdicts[index] = verdicts[index - 1] }
    }
    return verdicts
  }
}

/// Refuses some accepted requests by the number of their spaces, which must not matter.
private struct SpaceCountingEngine: TokenDecryptor {
  let name = "counts spaces"
  let engine: any TokenDecryptor

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    let token = try engine.decrypt(request, at: now, under: policy)
    guard request.indices.count(where: { request[$0] == UInt8(ascii: " ") }) % 4 != 3 else {
      throw TokenFault(.malformedJSON)
    }
    return token
  }

  func decryptAllowingUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> SignedOrUnsignedToken {
    try engine.decryptAllowingUnsigned(request, at: now, under: policy)
  }
}
