import FastDecryption
import Minting
import PaymentToken
import Synchronization
import TestSupport
import Testing

/// Refused and cancelled requests of a pool.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolBoundsTests {
  private let gate = Gate()
  private let answers = Answers()

  @Test func `requests beyond the queue's capacity are refused, the others are answered`() async throws {
    let fixture = try PoolFixture(.init(queueCapacity: 4))
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    for name in 0..<4 { try fixture.submit(try fixture.token(), as: name, to: answers) }
    #expect(fixture.pool.metrics.queueDepth == 4)
    for name in 4..<7 {
      #expect(throws: DecryptionPool.Refusal.overloaded) {
        try fixture.submit(try fixture.token(), as: name, to: answers)
      }
    }
    gate.open()
    await fixture.pool.shutDown()
    for name in 0..<4 { #expect(answers[name].count == 1) }
    for name in 4..<7 { #expect(answers[name].isEmpty) }
    #expect(fixture.pool.metrics.overloaded == 3)
    #expect(fixture.pool.metrics.submitted == 5)
  }

  @Test func `requests beyond the queue's bytes are refused, but an empty queue takes any`() async throws {
    let token = try Fixture().minter.layers().token
    let fixture = try PoolFixture(.init(queueBytes: 2 * token.count))
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    try fixture.submit([UInt8](repeating: 0x20, count: 400_000), as: 0, to: answers)
    #expect(throws: DecryptionPool.Refusal.overloaded) { try fixture.submit(token, as: 1, to: answers) }
    // The pool keeps one byte more than the largest request can have, and drops the rest.
    #expect(fixture.pool.metrics.queueBytes == Envelope.maximumRequestSize + 1)
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0] == [.failure(.token(TokenFault(.tokenTooLarge)))])
    #expect(fixture.pool.metrics.queueBytes == 0)
  }

  @Test func `a request whose deadline has passed is not decrypted`() async throws {
    let store = CountingStore()
    let fixture = try PoolFixture()
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    let token = try fixture.token(3)
    try fixture.submit(token, as: 0, to: answers, under: policy, deadline: .now.advanced(by: .milliseconds(1)))
    try fixture.submit(token, as: 1, to: answers, under: policy, deadline: .now.advanced(by: .seconds(600)))
    try await Task.sleep(for: .milliseconds(5))
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0] == [.failure(.deadlineExceeded)])
    #expect(answers[1].first.map { (try? $0.get()) != nil } == true)
    #expect(store.count == 1)
    #expect(fixture.pool.metrics.expired == 1)
  }

  @Test func `a request that waited longer than its window is not decrypted`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    let token = try fixture.token(3)
    try fixture.submit(token, as: 0, to: answers, under: VerificationPolicy(freshness: .window(seconds: 1)))
    try fixture.submit(token, as: 1, to: answers, under: VerificationPolicy(freshness: .windowOff))
    try await Task.sleep(for: .milliseconds(1_100))
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0] == [.failure(.deadlineExceeded)])
    #expect((try? answers[1][0].get()) != nil)
  }

  @Test func `a window of 0 takes what was signed in the second of the request, in a pool too`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let policy = VerificationPolicy(freshness: .window(seconds: 0))
    try fixture.submit(try fixture.token(1), as: 0, to: answers, under: policy)
    await answers.reached(1)
    await fixture.pool.shutDown()
    #expect((try? answers[0][0].get()) != nil)
  }

  @Test func `a token outside the accepted signing times is refused on every way, and no store is asked`() async throws
  {
    let minter = try Minter(seed: 41, at: mintingTime)
    let engine = try FastDecryptor(keys: try minter.merchantKeySet(), anchors: minter.anchors)
    var recipes = (0..<3).map { TokenRecipe(index: $0) }
    recipes[2].version = .rsaV1
    let tokens = try recipes.map { try minter.mint($0).bytes }
    let store = CountingStore()
    let (outside, within) = (Self.signed(after: 1, store), Self.signed(after: 0, store))
    let fault = TokenFault(.signingTimeOutsideWindow)
    // In the first round the engine does not know the chains.
    for round in 0..<2 {
      let pool = try DecryptionPool(engine)
      for (name, token) in tokens.enumerated() {
        #expect(throws: fault) { try engine.decrypt(token.span, at: mintingTime, under: outside) }
        try pool.submit(
          token, at: mintingTime, under: outside, opened: { [answers] _ in answers.add(.success([]), for: name) },
          refused: { [answers] in answers.add(.failure($0), for: name) })
      }
      for verdict in engine.decryptBatch(tokens, at: mintingTime, under: outside) {
        #expect(throws: fault) { try verdict.get() }
      }
      await answers.reached(tokens.count * (round + 1))
      await pool.shutDown()
      #expect(store.count == 0)
      for token in tokens where round == 0 {
        _ = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
      }
    }
    for name in tokens.indices { #expect(answers[name] == [.failure(.token(fault)), .failure(.token(fault))]) }
    for token in tokens { _ = try engine.decrypt(token.span, at: mintingTime, under: within) }
    #expect(store.count == tokens.count)
  }

  /// Accepts signing times of two seconds, the first of which is `seconds` after the minting time.
  private static func signed(after seconds: Int64, _ store: CountingStore) -> VerificationPolicy {
    let first = UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + seconds)
    return VerificationPolicy(
      freshness: .window(seconds: 300, replay: store),
      signingTimes: first..<UnixTime(secondsSinceEpoch: first.secondsSinceEpoch + 2))
  }

  @Test func `a request cancelled before it is begun is answered at once, and no store is asked`() async throws {
    let store = CountingStore()
    let fixture = try PoolFixture()
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    let submission = try fixture.submit(try fixture.token(), as: 0, to: answers, under: policy)
    submission.cancel()
    #expect(answers[0] == [.failure(.cancelled)])
    submission.cancel()
    #expect(store.count == 0)
    // The store is asked only about the request that was not cancelled.
    try fixture.submit(try fixture.token(1), as: 1, to: answers, under: policy)
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0].count == 1)
    #expect(store.count == 1)
    #expect(fixture.pool.metrics.cancelled == 1)
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `a request cancelled after it is begun gets its verdict`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let entered = Gate()
    let submission = try fixture.pool.submit(
      try fixture.token(), at: mintingTime, under: VerificationPolicy(),
      opened: { [gate, answers] _ in
        entered.open()
        gate.wait()
        answers.add(.success([]), for: 0)
      }, refused: { [answers] in answers.add(.failure($0), for: 0) })
    entered.wait()
    submission.cancel()
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0] == [.success([])])
    #expect(fixture.pool.metrics.cancelled == 0)
  }

  @Test func `a cancelled task's request is cancelled`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    try fixture.occupyWorker(gate, answers: answers)
    let task = Task {
      try await fixture.pool.decrypt(try fixture.token(), at: mintingTime, under: VerificationPolicy())
    }
    while fixture.pool.metrics.queueDepth == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: DecryptionPool.Refusal.cancelled) { try await task.value }
    gate.open()
    await fixture.pool.shutDown()
  }

  @Test func `a task that is cancelled before it submits is refused`() async throws {
    let fixture = try PoolFixture()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      _ = try await fixture.pool.decrypt(try fixture.token(), at: mintingTime, under: VerificationPolicy())
    }
    task.cancel()
    await #expect(throws: DecryptionPool.Refusal.cancelled) { try await task.value }
    await fixture.pool.shutDown()
    #expect(fixture.pool.metrics.submitted == 0)
  }

  @Test func `an invalid configuration is refused`() throws {
    let engine = try Fixture().engine()
    for configuration: DecryptionPool.Configuration in [
      .init(workers: 0), .init(queueCapacity: 0), .init(queueBytes: 0), .init(slowPathCapacity: 0),
      .init(workers: 1_025), .init(queueCapacity: 16_777_217), .init(slowPathCapacity: 16_777_217),
      .init(storeCapacity: 16_777_217), .init(queueCapacity: .max),
      .init(spinDuration: .seconds(-1)), .init(batchingDelay: .seconds(-1)),
      .init(storeCapacity: 0), .init(storeTimeLimit: .zero), .init(unknownChainsPerSecond: 0),
      .init(unknownChainsPerSecond: 1_000_001),
    ] {
      #expect(throws: DecryptionPool.StartFailure.invalidConfiguration) {
        try DecryptionPool(engine, configuration: configuration)
      }
    }
    #expect(throws: DecryptionPool.StartFailure.unavailableCPU(99_999)) {
      try DecryptionPool(engine, configuration: .init(cpus: [99_999]))
    }
  }
}

/// Accepts every transaction, and counts how often it is asked.
final class CountingStore: ReplayStore {
  private let asked = Atomic(0)

  var count: Int { asked.load(ordering: .relaxed) }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    asked.add(1, ordering: .relaxed)
    return .fresh
  }
}
