import FastDecryption
import Foundation
import Minting
import PaymentToken
import PoolSchedules
import TestSupport
import Testing

/// The code of the pool under a scheduler that a seed drives (`Interleaving`): every answer is that of single
/// decryption, byte for byte, is given once and in time, and the counts add up, whatever the order of the threads.
///
/// `ASSAY_INTERLEAVINGS` is the number of interleavings, `ASSAY_SEED` the first seed. A finding names the seed that
/// repeats it.
@Suite(.serialized, .disabled(if: Sanitizer.isPresent)) struct PoolInterleavingTests {
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 1
  private static let count = Ring.count(20_000, deep: 1_000_000, unless: "ASSAY_INTERLEAVINGS")

  @Test func `in every interleaving each request is answered once, as it is alone`() throws {
    let stage = try StandInStage()
    try search(Self.count) { stage.episode($0) }
  }

  @Test func `in every interleaving the engine's answers are those of single decryption`() throws {
    let stage = try EngineStage()
    try search(min(Self.count, Ring.isDeep ? 20_000 : 400)) { try stage.episode($0) }
  }

  @Test(arguments: PoolEpisode.Fault.allCases) func `a planted race is found`(_ fault: PoolEpisode.Fault) throws {
    let stage = try StandInStage()
    for seed in Self.seed..<Self.seed + 5_000 {
      let findings = try stage.episode(seed, fault).run()
      guard findings.isEmpty else { return print("\(fault): seed \(seed): \(findings[0])") }
    }
    Issue.record("\(fault) is not found")
  }

  @Test func `a seed repeats its interleaving`() throws {
    let stage = try StandInStage()
    var traces: Set<UInt64> = []
    for seed in Self.seed..<Self.seed + 100 {
      let (first, second) = (stage.episode(seed), stage.episode(seed))
      _ = (try first.run(), try second.run())
      #expect(first.schedule.trace == second.schedule.trace)
      traces.insert(first.schedule.trace)
    }
    #expect(traces.count == 100)
  }

  /// Runs the episodes of `count` seeds, up to the first finding. With 400 or more, all kinds of answers must occur.
  private func search(_ count: Int, _ episode: (UInt64) throws -> PoolEpisode) throws {
    let start = ContinuousClock.now
    var steps = 0
    var answers: [String: Int] = [:]
    for seed in Self.seed..<Self.seed + UInt64(count) {
      let episode = try episode(seed)
      let findings = try episode.run()
      steps += episode.schedule.steps
      for request in episode.requests { answers[request.kind, default: 0] += 1 }
      #expect(findings == [], "ASSAY_INTERLEAVINGS=1 ASSAY_SEED=\(seed)")
      if !findings.isEmpty { return }
    }
    let rate = Int(Double(count) / (start.duration(to: .now) / .seconds(1)))
    let kinds = answers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    print("seeds from \(Self.seed): \(count) interleavings, \(rate) a second, \(steps) steps: \(kinds)")
    guard count >= 400 else { return }
    #expect(Set(answers.keys) == Self.kinds)
  }

  private static let kinds: Set = [
    "accepted", "refused", "replayedTransaction", "replayStoreUnavailable", "cancelled", "deadlineExceeded",
    "overloaded", "shutDown",
  ]
}

/// Engines that a stand-in replaces, and fibers, for many episodes.
final class StandInStage {
  private let fibers = FiberStock()
  private let engines: [FastDecryptor]
  private let facts: OpenedToken.Facts

  /// A pool whose threads, clock and decider are a test's.
  func pool(
    seed: UInt64, _ configuration: DecryptionPool.Configuration
  ) throws -> (schedule: Interleaving, standIn: StandIn, pool: DecryptionPool) {
    let schedule = Interleaving(seed: seed, on: fibers)
    let standIn = StandIn(schedule, facts: facts, fault: nil, generation: { _ in 0 }, begins: { _ in })
    schedule.decider = standIn
    var configuration = configuration
    configuration.schedule = schedule
    return (schedule, standIn, try DecryptionPool(engines[0], configuration: configuration))
  }

  init() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    engines = [engine] + (0..<2).map { _ in engine.replacingKeys(with: fixture.keys) }
    let token = try fixture.minter.layers().token
    var workspace = makeWorkspace()
    facts = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy(), in: &workspace) { $0.facts }
  }

  func episode(_ seed: UInt64, _ fault: PoolEpisode.Fault? = nil) -> PoolEpisode {
    PoolEpisode(seed: seed, on: fibers, engines, standIn: facts, fault: fault) { random in
      let token = StandInToken(&random)
      return PoolEpisode.Sample(
        bytes: token.bytes, merchant: StandInToken.repeated(token.merchant),
        isSlow: token.kind.isUnknown || token.kind.isWrapped, isUnknown: token.kind.isUnknown,
        verdict: token.verdict)
    }
  }
}

/// Engines with two sets of keys and roots in turn, and tokens that one set or none accepts.
private final class EngineStage {
  private struct Question: Hashable {
    let token: Int
    let isLate: Bool
    let set: Int
  }

  private let fibers = FiberStock()
  private let fixtures: [Fixture]
  private let tokens: [[UInt8]]
  /// The publicKeyHash of each token; zeros if no engine accepts it.
  private let merchants: [Bytes32]
  private let alone: [FastDecryptor]
  private var verdicts: [Question: PoolEpisode.Verdict] = [:]

  init() throws {
    let fixtures = try [Fixture(seed: 41), Fixture(seed: 42)]
    self.fixtures = fixtures
    let alone = try fixtures.map { try $0.engine() }
    self.alone = alone
    tokens = try (0..<24).map { index in
      let (signer, merchant) = (index & 1, index >> 1 & 1)
      let version: TokenVersion = index % 8 == 7 ? .rsaV1 : .ecV1
      var layers = try fixtures[merchant].minter.layers(fixtures[merchant].minter.recipe(index: UInt64(index), version))
      layers.signer = TokenSigner(fixtures[signer].minter.pki, version: version)
      try layers.sign()
      if index % 6 == 5 { layers.transactionId[0] ^= 1 }
      return layers.token
    }
    merchants = tokens.map { token in
      let accepted = alone.lazy.compactMap { try? $0.decrypt(token.span, at: mintingTime, under: VerificationPolicy()) }
      return accepted.first?.publicKeyHash ?? StandInToken.repeated(0)
    }
  }

  /// The engines of every other episode know no chain at the beginning.
  func episode(_ seed: UInt64) throws -> PoolEpisode {
    let isWarm = seed.isMultiple(of: 2)
    let engines = try [0, 1, 0].enumerated().map { index, set in
      try isWarm ? index == 2 ? alone[0].replacingKeys(with: fixtures[0].keys) : alone[set] : fixtures[set].engine()
    }
    return PoolEpisode(seed: seed, on: fibers, engines, standIn: nil) { [self] random in
      // One of each set more often, so that transactions are repeated.
      let index = [0, 3, random.draw(tokens.count)][random.draw(3)]
      return PoolEpisode.Sample(
        bytes: tokens[index], merchant: merchants[index], isSlow: true, isUnknown: true
      ) { [self] now, _, engine in verdict(of: index, at: now, by: engine % 2) }
    }
  }

  private func verdict(of index: Int, at now: UnixTime, by set: Int) -> PoolEpisode.Verdict {
    let question = Question(
      token: index, isLate: now.secondsSinceEpoch > mintingTime.secondsSinceEpoch + 5_000, set: set)
    if let known = verdicts[question] { return known }
    var workspace = makeWorkspace()
    let verdict = alone[set].verdict(tokens[index], at: now, in: &workspace)
    verdicts[question] = verdict
    return verdict
  }
}

extension PoolEpisode.Request {
  fileprivate var kind: String {
    switch answers.first?.answer {
    case .success: "accepted"
    case .failure(.token(let fault)): EpisodeStore.faults.contains(fault.code) ? fault.code.rawValue : "refused"
    case .failure(let refusal): refusal.description
    case nil: "unanswered"
    }
  }
}
