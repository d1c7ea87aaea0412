import FastDecryption
import PaymentToken
import TestSupport
import Testing

/// Requests that wait for one of several workers, all of which are busy.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolWaitingTests {
  private let gates = (Gate(), Gate(), Gate())
  private let answers = Answers()

  /// A pool whose two or three workers are occupied until the gates are opened, each by its own.
  private func occupiedPool(_ configuration: DecryptionPool.Configuration) throws -> PoolFixture {
    let fixture = try PoolFixture(configuration)
    try fixture.warm()
    try fixture.occupyWorker(gates.0, answers: answers)
    try fixture.occupyWorker(gates.1, answers: answers)
    if configuration.workers == 3 { try fixture.occupyWorker(gates.2, answers: answers) }
    return fixture
  }

  /// Waits for `count` answers, besides those of the requests that occupied a worker.
  private func wait(for count: Int, besides occupying: Int) async {
    await answers.reached(count + occupying)
  }

  @Test func `a worker without requests takes those that wait for a busy one`() async throws {
    let fixture = try occupiedPool(.init(workers: 2))
    for name in 0..<40 { try fixture.submit(try fixture.token(UInt64(name)), as: name, to: answers) }
    #expect(fixture.pool.metrics.queueDepth == 40)
    gates.0.open()
    // The other worker is still occupied.
    await wait(for: 40, besides: 1)
    #expect(fixture.pool.metrics.queueDepth == 0)
    gates.1.open()
    await fixture.pool.shutDown()
    for name in 0..<40 { #expect(answers[name].count == 1 && (try? answers[name][0].get()) != nil) }
  }

  @Test(arguments: [2, 3]) func `a worker that is never idle takes what waits for those that are held up`(
    workers: Int
  ) async throws {
    let fixture = try occupiedPool(.init(workers: workers))
    for name in 0..<40 { try fixture.submit(try fixture.token(UInt64(name)), as: name, to: answers) }
    // Each of these submits another one until the first 40 are answered, so that the free worker is never idle.
    let isOver = Locked(false)
    let token = try fixture.token()
    @Sendable func next() {
      guard !isOver.withLock({ $0 }) else { return }
      _ = try? fixture.pool.submit(
        token, at: mintingTime, under: VerificationPolicy(), opened: { _ in next() }, refused: { _ in next() })
    }
    for _ in 0..<200 { next() }
    gates.0.open()
    await wait(for: 40, besides: 1)
    isOver.withLock { $0 = true }
    gates.1.open()
    gates.2.open()
    await fixture.pool.shutDown()
    for name in 0..<40 { #expect(answers[name].count == 1) }
  }

  @Test func `the queue's capacity holds for all waiting requests together`() async throws {
    let fixture = try occupiedPool(.init(workers: 2, queueCapacity: 5))
    for name in 0..<5 { try fixture.submit(try fixture.token(), as: name, to: answers) }
    #expect(fixture.pool.metrics.queueDepth == 5)
    #expect(throws: DecryptionPool.Refusal.overloaded) {
      try fixture.submit(try fixture.token(), as: 5, to: answers)
    }
    gates.0.open()
    await wait(for: 5, besides: 1)
    // There is room again.
    try fixture.submit(try fixture.token(), as: 6, to: answers)
    gates.1.open()
    await fixture.pool.shutDown()
    for name in [0, 1, 2, 3, 4, 6] { #expect(answers[name].count == 1) }
    #expect(answers[5].isEmpty)
    #expect(fixture.pool.metrics.overloaded == 1)
  }

  @Test func `the queue's bytes hold for all waiting requests together`() async throws {
    let token = try Fixture().minter.layers().token
    let fixture = try occupiedPool(.init(workers: 2, queueBytes: 3 * token.count))
    for name in 0..<3 { try fixture.submit(token, as: name, to: answers) }
    #expect(fixture.pool.metrics.queueBytes == 3 * token.count)
    #expect(throws: DecryptionPool.Refusal.overloaded) { try fixture.submit(token, as: 3, to: answers) }
    gates.0.open()
    gates.1.open()
    await fixture.pool.shutDown()
    for name in 0..<3 { #expect(answers[name].count == 1) }
    #expect(fixture.pool.metrics.queueBytes == 0)
  }

  @Test func `requests beyond those assigned to busy workers are answered once as well`() async throws {
    let fixture = try occupiedPool(.init(workers: 2))
    for name in 0..<300 { try fixture.submit(try fixture.token(UInt64(name % 8)), as: name, to: answers) }
    #expect(fixture.pool.metrics.queueDepth == 300)
    gates.0.open()
    await wait(for: 300, besides: 1)
    gates.1.open()
    await fixture.pool.shutDown()
    for name in 0..<300 { #expect(answers[name].count == 1) }
    // Every request was part of a batch.
    #expect(fixture.pool.metrics.batchesBySize.enumerated().reduce(0) { $0 + $1.offset * Int($1.element) } == 302)
  }

  @Test func `a cancelled request that waits for a busy worker is answered at once, and not again`() async throws {
    let fixture = try occupiedPool(.init(workers: 2))
    let submissions = try (0..<10).map { try fixture.submit(try fixture.token(), as: $0, to: answers) }
    for submission in submissions { submission.cancel() }
    for name in 0..<10 { #expect(answers[name] == [.failure(.cancelled)]) }
    // Cancelled requests are counted at once, and keep their places until a worker drops them.
    #expect(fixture.pool.metrics.cancelled == 10 && fixture.pool.metrics.inFlight == 2)
    #expect(fixture.pool.metrics.queueDepth == 10)
    gates.0.open()
    gates.1.open()
    await fixture.pool.shutDown()
    for name in 0..<10 { #expect(answers[name].count == 1) }
    #expect(fixture.pool.metrics.cancelled == 10 && fixture.pool.metrics.inFlight == 0)
  }

  @Test func `requests that wait for busy workers are answered when the pool is shut down`() async throws {
    let fixture = try occupiedPool(.init(workers: 2))
    for name in 0..<20 { try fixture.submit(try fixture.token(), as: name, to: answers) }
    let end = Task { await fixture.pool.shutDown() }
    while (try? fixture.submit([], as: 99, to: answers)) != nil { await Task.yield() }
    gates.1.open()
    await wait(for: 20, besides: 1)
    gates.0.open()
    await end.value
    for name in 0..<20 { #expect(answers[name].count == 1) }
  }
}
