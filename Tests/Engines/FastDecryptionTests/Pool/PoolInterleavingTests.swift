import FastDecryption
import Foundation
import Minting
import PaymentToken
import PoolSchedules
import TestSupport
import Testing

/// The code of the pool under a scheduler that a seed drives (`Interleaving`): every answer is that of single decryption,
/// byte for byte, is given once and in time, and the counts add up, whatever the order of the threads.
///
/// `ASSAY_INTERLEAVINGS` says how many, `ASSAY_SEED` from which seed on; a finding names the seed that repeats it.
@Suite(.serialized, .disabled(if: Sanitizer.isPresent)) struct PoolInterleavingTests {
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 1
  private static let count = Ring.count(20_000, deep: 1_000_000, unless: "ASSAY_INTERLEAVINGS")

  @Test func `in every interleaving each request is answered once, as it is alone`() throws {
    let stage = try StandInStage()
    let start = ContinuousClock.now
    var steps = 0
    var counts: [String: Int] = [:]
    for seed in Self.seed..<Self.seed + UInt64(Self.count) {
      let episode = stage.episode(seed)
      let findings = try episode.run()
      steps += episode.schedule.steps
      for request in episode.requests { counts[request.kind, default: 0] += 1 }
      #expect(findings == [], "ASSAY_INTERLEAVINGS=1 ASSAY_SEED=\(seed)")
      if !findings.isEmpty { return }
    }
    let seconds = start.duration(to: .now) / .seconds(1)
    print("seeds from \(Self.seed): \(Self.count) interleavings, \(steps) steps, \(Int(Double(Self.count) / seconds)) a second")
    print(counts)
  }

  @Test(arguments: PoolEpisode.Fault.allCases) func `a planted race is found`(_ fault: PoolEpisode.Fault) throws {
    let stage = try StandInStage()
    for seed in Self.seed..<Self.seed + 1_000 {
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
}

/// Engines that a stand-in replaces, and fibers, for many episodes.
private final class StandInStage {
  private let fibers = FiberStock()
  private let engines: [FastDecryptor]
  private let facts: OpenedToken.Facts

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
        bytes: token.bytes, transactionId: token.transactionId, merchant: StandInToken.repeated(token.merchant),
        isSlow: token.kind.isUnknown || token.kind.isWrapped, verdict: token.verdict)
    }
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
