import FastDecryption
import Minting
import PaymentToken
import TestSupport
import Testing

/// Requests of a pool that wait for an asynchronous replay store.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolStoreTests {
  private typealias Answer = Answers.Answer
  private let answers = Answers()
  private let store = ManualStore()
  private let unavailable = Answer.failure(.token(TokenFault(.replayStoreUnavailable)))
  private let replayed = Answer.failure(.token(TokenFault(.replayedTransaction)))

  private var policy: VerificationPolicy {
    VerificationPolicy(freshness: .window(seconds: 300, replay: store))
  }

  /// A pool that knows the signer, and whose store has ten minutes to answer unless a test says otherwise.
  private func fixture(
    workers: Int = 1, capacity: Int = 64, limit: Duration = .seconds(600)
  ) throws -> PoolFixture {
    let fixture = try PoolFixture(.init(workers: workers, storeCapacity: capacity, storeTimeLimit: limit))
    try fixture.warm()
    return fixture
  }

  private func submit(_ count: Int, to fixture: PoolFixture) throws {
    for name in 0..<count {
      try fixture.submit(try fixture.token(UInt64(name)), as: name, to: answers, under: policy)
    }
  }

  private func answered(_ count: Int) async {
    await answers.reached(count)
  }

  private func plaintext(_ name: Int, of fixture: PoolFixture) throws -> Answer {
    .success(try fixture.fixture.minter.layers(TokenRecipe(index: UInt64(name))).plaintext)
  }

  @Test func `a batch is asked about in one call, and the worker goes on meanwhile`() async throws {
    let fixture = try fixture()
    let gate = Gate()
    try fixture.occupyWorker(gate, answers: answers)
    try submit(8, to: fixture)
    gate.open()
    await store.received(8)
    #expect(store.calls.map(\.questions.count) == [8])
    #expect(store.questions.map(\.window) == Array(repeating: 300, count: 8))
    #expect(store.questions.map(\.now) == Array(repeating: mintingTime, count: 8))
    #expect(fixture.pool.metrics.awaitingStore == 8)
    #expect(fixture.pool.metrics.inFlight == 8)
    // A request without a store is answered before all of them.
    try fixture.submit(try fixture.token(), as: 100, to: answers)
    await answered(2)
    #expect(answers[100].count == 1)
    for name in 0..<8 { store.answer(name, name == 3 ? .replayed : .fresh) }
    await answered(10)
    for name in 0..<8 { #expect(answers[name] == [name == 3 ? replayed : try plaintext(name, of: fixture)]) }
    await fixture.pool.shutDown()
    #expect(fixture.pool.metrics.awaitingStore == 0)
    #expect(fixture.pool.metrics.accepted == 9)
    #expect(fixture.pool.metrics.refusedByCode == [.replayedTransaction: 1])
  }

  @Test func `each verdict of the store has its fault`() async throws {
    let fixture = try fixture()
    try submit(4, to: fixture)
    await store.received(4)
    for (name, verdict) in [ReplayVerdict.fresh, .replayed, .full, .unavailable].enumerated() {
      store.answer(name, verdict)
    }
    await answered(4)
    #expect(answers[0] == [try plaintext(0, of: fixture)])
    #expect(answers[1] == [replayed])
    #expect(answers[2] == [.failure(.token(TokenFault(.replayStoreFull)))])
    #expect(answers[3] == [unavailable])
    await fixture.pool.shutDown()
  }

  @Test func `callers of a merchant get their answers in the order of the questions`() async throws {
    let fixture = try fixture()
    let order = Locked<[Bytes32]>([])
    for name in 0..<32 {
      try fixture.pool.submit(
        try fixture.token(UInt64(name)), at: mintingTime, under: policy,
        opened: { [answers] token in
          order.withLock { $0.append(token.transactionId) }
          answers.add(.success([]), for: name)
        },
        refused: { [answers] in answers.add(.failure($0), for: name) })
    }
    await store.received(32)
    for number in (1..<32).reversed() { store.answer(number, .fresh) }
    #expect(fixture.pool.metrics.awaitingStore == 32)
    #expect(answers.count == 0)
    store.answer(0, .fresh)
    await answered(32)
    #expect(order.withLock { $0 } == store.questions.map(\.transactionId))
    await fixture.pool.shutDown()
  }

  @Test func `a request without an answer by the store's time limit is refused, without other traffic`() async throws {
    let fixture = try fixture(limit: .milliseconds(20))
    try submit(1, to: fixture)
    await answered(1)
    #expect(answers[0] == [unavailable])
    #expect(fixture.pool.metrics.awaitingStore == 0)
    #expect(fixture.pool.metrics.refusedByCode == [.replayStoreUnavailable: 1])
    await fixture.pool.shutDown()
  }

  @Test func `a request's deadline ends its wait, also behind one that waits longer`() async throws {
    let fixture = try fixture()
    try fixture.submit(try fixture.token(0), as: 0, to: answers, under: policy)
    await store.received(1)
    let tokens = try (0..<3).map { try fixture.token($0) }
    // Longer than a busy machine takes to decide a request.
    let deadline = ContinuousClock.now.advanced(by: .seconds(5))
    try fixture.submit(tokens[1], as: 1, to: answers, under: policy, deadline: deadline)
    try fixture.submit(tokens[2], as: 2, to: answers, under: policy)
    await store.received(3)
    #expect(store.questions[1].deadline == deadline)
    #expect(store.questions[0].deadline > deadline)
    await answered(1)
    #expect(ContinuousClock.now >= deadline)
    #expect(answers[1] == [unavailable])
    store.answer(2, .fresh)
    store.answer(0, .fresh)
    await answered(3)
    #expect(answers[0] == [try plaintext(0, of: fixture)])
    #expect(answers[2] == [try plaintext(2, of: fixture)])
    await fixture.pool.shutDown()
  }

  @Test func `late and second answers are ignored`() async throws {
    let fixture = try fixture(limit: .milliseconds(20))
    try submit(1, to: fixture)
    await answered(1)
    store.answer(0, .fresh)
    let patient = try self.fixture()
    try patient.submit(
      try patient.token(1), as: 1, to: answers,
      under: VerificationPolicy(freshness: .window(seconds: 300, replay: AnsweringTwice())))
    await answered(2)
    await patient.pool.shutDown()
    await fixture.pool.shutDown()
    // A pool that has ended ignores the answer too.
    store.answer(0, .fresh)
    #expect(answers[0] == [unavailable])
    #expect(answers[1] == [replayed])
    #expect(fixture.pool.metrics.accepted == 0 && patient.pool.metrics.accepted == 0)
  }

  @Test func `requests beyond the store's capacity are refused, and the store is not asked about them`() async throws {
    let fixture = try fixture(capacity: 3)
    let gate = Gate()
    try fixture.occupyWorker(gate, answers: answers)
    try submit(5, to: fixture)
    gate.open()
    await store.received(3)
    await answered(3)
    #expect(answers[3] == [.failure(.overloaded)])
    #expect(answers[4] == [.failure(.overloaded)])
    #expect(store.questions.count == 3)
    #expect(fixture.pool.metrics.overloaded == 2)
    for name in 0..<3 { store.answer(name, .fresh) }
    await answered(6)
    await fixture.pool.shutDown()
    #expect(answers[2] == [try plaintext(2, of: fixture)])
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `a cancelled request that waits for the store gets its verdict`() async throws {
    let fixture = try fixture()
    let submission = try fixture.submit(try fixture.token(0), as: 0, to: answers, under: policy)
    await store.received(1)
    submission.cancel()
    #expect(answers.count == 0)
    store.answer(0, .fresh)
    await fixture.pool.shutDown()
    #expect(answers[0] == [try plaintext(0, of: fixture)])
    #expect(fixture.pool.metrics.cancelled == 0)
  }

  @Test func `a request that waits for the store outlives its engine`() async throws {
    let fixture = try fixture()
    try submit(1, to: fixture)
    await store.received(1)
    fixture.pool.replaceEngine(with: try Fixture(seed: 77).engine())
    store.answer(0, .fresh)
    await answered(1)
    #expect(answers[0] == [try plaintext(0, of: fixture)])
    await fixture.pool.shutDown()
  }

  @Test(arguments: [1, 3]) func `a pool ends when the store's time is over`(workers: Int) async throws {
    // Longer than a busy machine takes to decide them.
    let fixture = try fixture(workers: workers, limit: .seconds(3))
    try submit(20, to: fixture)
    await store.received(20)
    store.answer(19, .fresh)
    await fixture.pool.shutDown()
    for name in 0..<20 { #expect(answers[name].count == 1) }
    #expect(fixture.pool.metrics.inFlight == 0)
    #expect(fixture.pool.metrics.awaitingStore == 0)
    #expect(fixture.pool.metrics.accepted == 1)
    #expect(fixture.pool.metrics.refusedByCode == [.replayStoreUnavailable: 19])
  }

  @Test func `decrypt waits for the store, and never on the caller's thread`() async throws {
    let fixture = try fixture()
    async let token = fixture.pool.decrypt(try fixture.token(0), at: mintingTime, under: policy)
    await store.received(1)
    store.answer(0, .fresh)
    #expect(try await .success(token.plaintext) == plaintext(0, of: fixture))
    #expect(fixture.pool.metrics.ranOnCallerThread == 0)
    await fixture.pool.shutDown()
  }

  @Test func `tokens of every size around that of a place are delivered whole after the store's answer`() async throws {
    let fixture = try fixture()
    let sizes = Array(900...1_060) + [2_047, 2_048, 4_096, 9_000]
    var recipe = TokenRecipe(index: 1)
    let plain = recipe.payload.plaintext
    for start in stride(from: 0, to: sizes.count, by: 33) {
      let group = sizes[start..<min(start + 33, sizes.count)]
      let delivered = Locked<[Int: DecryptedToken]>([:])
      var expected: [Int: DecryptedToken] = [:]
      let asked = store.questions.count
      for size in group {
        // An unknown member gives the plaintext its size.
        let filler =
          #","filler":""#.utf8 + Array(repeating: UInt8(ascii: "x"), count: size - plain.count - 12) + #""}"#.utf8
        recipe.plaintext = plain.dropLast() + filler
        recipe.index = UInt64(size)
        let token = try fixture.fixture.minter.layers(recipe).token
        expected[size] = try fixture.engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
        #expect(expected[size]?.plaintext.count == size)
        try fixture.pool.submit(token, at: mintingTime, under: policy) { opened throws(TokenFault) in
          let copy = try opened.copy()
          delivered.withLock { $0[size] = copy }
        } refused: {
          Issue.record("\(size): \($0)")
        }
      }
      await store.received(asked + group.count)
      for number in (asked..<asked + group.count).reversed() { store.answer(number, .fresh) }
      while delivered.withLock({ $0.count }) < group.count { await Task.yield() }
      #expect(delivered.withLock { $0 } == expected)
    }
  }
}

/// Answers each question before it returns, and contradicts itself.
private final class AnsweringTwice: AsynchronousReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    for index in questions.indices {
      answer(index, .replayed)
      answer(index, .fresh)
    }
  }
}
