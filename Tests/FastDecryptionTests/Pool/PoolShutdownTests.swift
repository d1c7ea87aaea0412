import FastDecryption
import Minting
import PaymentToken
import Testing

/// A pool ends in order: it takes no more, and answers what it took.
@Suite struct PoolShutdownTests {
  private let answers = Answers()

  @Test(arguments: [1, 4]) func `everything taken is answered, and nothing taken after`(workers: Int) async throws {
    let fixture = try PoolFixture(.init(workers: workers, queueCapacity: 10_000))
    let token = try fixture.token()
    for name in 0..<2_000 { try fixture.submit(token, as: name, to: answers) }
    await fixture.pool.shutDown()
    #expect((0..<2_000).allSatisfy { answers[$0].count == 1 })
    #expect(fixture.pool.metrics.accepted + fixture.pool.metrics.overloaded == 2_000)
    #expect(throws: DecryptionPool.Refusal.shutDown) { try fixture.submit(token, as: 2_000, to: answers) }
    await #expect(throws: DecryptionPool.Refusal.shutDown) {
      try await fixture.pool.decrypt(token, at: mintingTime, under: VerificationPolicy())
    }
    #expect(fixture.pool.metrics.refusedAtShutDown == 2)
  }

  @Test func `it can be shut down more than once, and by several at once`() async throws {
    let fixture = try PoolFixture(.init(workers: 2))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { await fixture.pool.shutDown() } }
    }
    await fixture.pool.shutDown()
  }

  @Test func `shutting down waits for what callbacks still do`() async throws {
    let fixture = try PoolFixture()
    let gate = Gate()
    try fixture.occupyWorker(gate, answers: answers)
    let ending = Task { await fixture.pool.shutDown() }
    while (try? fixture.submit(try fixture.token(), as: 0, to: answers)) != nil { await Task.yield() }
    #expect(answers[-1].isEmpty)
    gate.open()
    await ending.value
    #expect(answers[-1].count == 1)
  }

  @Test func `a pool that is let go answers what it took`() async throws {
    let fixture = try Fixture()
    let token = try fixture.minter.layers().token
    do {
      let pool = try DecryptionPool(try fixture.engine(), .init(workers: 2))
      for name in 0..<500 {
        try pool.submit(
          token, at: mintingTime, under: VerificationPolicy(),
          opened: { [answers] _ in answers.add(.success([]), for: name) },
          refused: { [answers] in answers.add(.failure($0), for: name) })
      }
    }
    while answers.count < 500 { await Task.yield() }
    #expect((0..<500).allSatisfy { answers[$0].count == 1 })
  }
}
