import FastDecryption
import PaymentToken
import PoolSchedules
import TestSupport
import Testing

/// How many unknown chains a pool verifies a second, and which requests wait for that budget, by the clock of an
/// `Interleaving`. Whatever does not wait for the budget takes less than half a second there.
@Suite(.disabled(if: Sanitizer.isPresent)) struct ChainBudgetTests {
  private static let soon = Duration.milliseconds(500)

  /// What a pool has answered, and after which time.
  private final class Answers: @unchecked Sendable {
    var given: [Int: (refusal: DecryptionPool.Refusal?, time: Duration)] = [:]
    let schedule: Interleaving
    let start: ContinuousClock.Instant

    init(_ schedule: Interleaving) { (self.schedule, start) = (schedule, schedule.clock) }

    var now: Duration { start.duration(to: schedule.clock) }
    func time(_ name: Int) -> Duration { given[name]?.time ?? .zero }

    func submit(_ token: StandInToken, as name: Int, to pool: DecryptionPool, within limit: Duration? = nil) {
      let deadline = limit.map { schedule.clock.advanced(by: $0) }
      do throws(DecryptionPool.Refusal) {
        try pool.submit(
          token.bytes, at: UnixTime(secondsSinceEpoch: Int64(name)), under: VerificationPolicy(freshness: .windowOff),
          deadline: deadline, opened: { _ in self.given[name] = (nil, self.now) },
          refused: { self.given[name] = ($0, self.now) })
      } catch {
        given[name] = (error, now)
      }
    }
  }

  /// Runs a pool that verifies `rate` chains a second after `burst`, in some orders of its threads.
  ///
  /// - Parameters:
  ///   - submit: submits requests, on a thread of the test.
  ///   - count: how many answers the pool is shut down after.
  private func run(
    rate: Int, burst: Int, until count: Int, chainTime: Duration = .zero,
    submit: @escaping (DecryptionPool, Answers) -> Void,
    check: (Answers, StandIn) -> Void
  ) throws {
    let stage = try StandInStage()
    for seed in 1...20 as ClosedRange<UInt64> {
      var configuration = DecryptionPool.Configuration(unknownChainsPerSecond: rate)
      configuration.unknownChainBurst = burst
      let (schedule, standIn, pool) = try stage.pool(seed: seed, configuration)
      standIn.chainTime = chainTime
      let answers = Answers(schedule)
      schedule.add {
        submit(pool, answers)
        schedule.wait(for: .requests, until: nil) { answers.given.count >= count }
        pool.close()
      }
      schedule.run()
      #expect(!schedule.isStuck, "seed \(seed)")
      check(answers, standIn)
    }
  }

  @Test func `after a burst a number of chains is verified a second`() throws {
    try run(rate: 10, burst: 4, until: 7) { pool, answers in
      for name in 0..<7 { answers.submit(StandInToken(.forgedChain), as: name, to: pool) }
    } check: { answers, standIn in
      #expect(standIn.verifiedChains.count == 7)
      for name in 0..<4 { #expect(answers.time(name) < .milliseconds(50)) }
      for name in 4..<7 {
        let interval = Duration.milliseconds(100) * (name - 3)
        #expect(answers.time(name) >= interval && answers.time(name) < interval + .milliseconds(50))
      }
    }
  }

  @Test func `known signers and wrapped keys do not wait for the budget`() throws {
    try run(rate: 1, burst: 1, until: 3) { pool, answers in
      for name in 0..<2 { answers.submit(StandInToken(.forgedChain), as: name, to: pool) }
      answers.submit(StandInToken(.wrapped), as: 2, to: pool)
      // These keep the workers busy, so that none unwraps the key itself.
      for name in 100..<400 {
        answers.submit(StandInToken(.accepted), as: name, to: pool)
        answers.schedule.wait(for: .requests, until: answers.schedule.clock.advanced(by: .milliseconds(1))) { false }
        if answers.given[2] != nil { break }
      }
      answers.schedule.wait(for: .requests, until: nil) { answers.given[1] != nil }
    } check: { answers, _ in
      #expect(answers.given[2]?.refusal == nil)
      #expect(answers.given.filter { $0.key > 1 }.allSatisfy { $0.value.time < .milliseconds(300) })
      #expect(answers.time(1) >= .seconds(1))
    }
  }

  @Test func `a wrapped key waits for one chain, though the budget has many`() throws {
    try run(rate: 10, burst: 64, until: 20, chainTime: .milliseconds(50)) { pool, answers in
      for name in 0..<20 { answers.submit(StandInToken(.forgedChain), as: name, to: pool) }
      answers.submit(StandInToken(.wrapped), as: 50, to: pool)
      // These keep the workers busy, so that none unwraps the key itself.
      for name in 100..<1_600 where answers.given[50] == nil {
        answers.submit(StandInToken(.accepted), as: name, to: pool)
        answers.schedule.wait(for: .requests, until: answers.schedule.clock.advanced(by: .milliseconds(1))) { false }
      }
    } check: { answers, standIn in
      #expect(answers.given[50] != nil && answers.time(50) < .milliseconds(200))
      #expect(standIn.verifiedChains.count == 20 && answers.now >= .milliseconds(1_000))
    }
  }

  /// With `count` 5 the pool is not shut down early, and waits for the budget.
  @Test(arguments: [0, 5]) func `a pool that shuts down waits for no budget`(_ count: Int) throws {
    try run(rate: 1, burst: 1, until: count) { pool, answers in
      for name in 0..<5 { answers.submit(StandInToken(.forgedChain), as: name, to: pool) }
    } check: { answers, standIn in
      #expect(answers.given.count == 5 && standIn.verifiedChains.count == 5)
      #expect(count == 0 ? answers.now < Self.soon : answers.now >= .seconds(4))
    }
  }

  @Test func `a request that cannot be verified by its deadline is refused at once, others wait`() throws {
    try run(rate: 1, burst: 1, until: 4) { pool, answers in
      for (name, seconds) in [10, 10, 1, 10].enumerated() {
        answers.submit(StandInToken(.forgedChain), as: name, to: pool, within: .seconds(seconds))
      }
    } check: { answers, standIn in
      #expect(answers.given[2]?.refusal == .overloaded && answers.time(2) < Self.soon)
      #expect(standIn.verifiedChains.count == 3)
      for name in [0, 1, 3] { #expect(answers.given[name]?.refusal.map { $0 != .overloaded } == true) }
      #expect(answers.time(3) >= .seconds(2) && answers.time(3) < .seconds(2) + Self.soon)
    }
  }

  @Test func `requests whose chain is known when their turn comes cost nothing`() throws {
    try run(rate: 1, burst: 1, until: 6) { pool, answers in
      for name in 0..<6 { answers.submit(StandInToken(.unknownChain), as: name, to: pool) }
    } check: { answers, standIn in
      #expect(standIn.verifiedChains.count == 1)
      #expect(answers.given.values.allSatisfy { $0.refusal == nil && $0.time < .seconds(1) + Self.soon })
    }
  }

  @Test func `an idle pool's caller verifies no chain`() throws {
    try run(rate: 1, burst: 1, until: 0) { pool, answers in
      // Waits until the pool counts as idle.
      answers.schedule.wait(for: .requests, until: answers.schedule.clock.advanced(by: .seconds(1))) { false }
      for (kind, isDecided) in [(StandInToken.Kind.unknownChain, false), (.accepted, true)] {
        let value = try? pool.decryptIfIdle(
          StandInToken(kind).bytes, at: UnixTime(secondsSinceEpoch: 0), under: VerificationPolicy(),
          submitted: answers.schedule.clock, reading: { _ in true })
        #expect((value == true) == isDecided)
        answers.schedule.wait(for: .requests, until: answers.schedule.clock.advanced(by: .seconds(1))) { false }
      }
      #expect(pool.metrics.submitted == 1 && pool.metrics.ranOnCallerThread == 1)
    } check: { _, standIn in
      #expect(standIn.verifiedChains.isEmpty)
    }
  }
}
