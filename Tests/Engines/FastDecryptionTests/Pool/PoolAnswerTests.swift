import FastDecryption
import Minting
import PaymentToken
import TestSupport
import Testing

/// A pool gives each request the verdict that its engine gives it alone.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolAnswerTests {
  @Test(arguments: [1, 3]) func `requests of all kinds get the engine's verdicts`(workers: Int) async throws {
    var tokens = try RandomTokens(seed: 7)
    let keyed = try FastDecryptor(keys: tokens.minter.merchantKeySet(), anchors: tokens.minter.anchors)
    let pool = try DecryptionPool(
      keyed, configuration: .init(workers: workers, slowPathCapacity: 600, unknownChainsPerSecond: 1_000_000))
    let samples = try (0..<600).map { _ in try tokens.next() }
    let answers = Answers()
    for (index, sample) in samples.enumerated() {
      try pool.submit(
        sample.token, at: mintingTime, under: VerificationPolicy(),
        opened: { opened throws(TokenFault) in answers.add(.success(try opened.copy().plaintext), for: index) },
        refused: { answers.add(.failure($0), for: index) })
    }
    await pool.shutDown()
    var workspace = makeWorkspace()
    for (index, sample) in samples.enumerated() {
      let alone = keyed.verdict(sample.token, in: &workspace).mapError { DecryptionPool.Refusal.token($0) }
      let isSame = answers[index] == [alone]
      #expect(isSame, "request \(index)")
    }
    #expect(pool.metrics.accepted + pool.metrics.refused == 600)
  }

  @Test func `each request has its own time, envelope and expectations`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let gate = Gate()
    let answers = Answers()
    let token = try fixture.token(1)
    try fixture.occupyWorker(gate, answers: answers)
    let amount = VerificationPolicy(expectations: Expectations(transactionAmount: 1))
    try fixture.submit(token, as: 0, to: answers)
    try fixture.submit(token, as: 1, to: answers, under: amount)
    try fixture.submit(token, as: 2, to: answers, under: VerificationPolicy(envelope: .named(.mpgs)))
    try fixture.pool.submit(
      token, at: UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + 100_000), under: VerificationPolicy(),
      opened: { _ in answers.add(.success([]), for: 3) }, refused: { answers.add(.failure($0), for: 3) })
    gate.open()
    await fixture.pool.shutDown()
    let plaintext = try fixture.fixture.minter.layers(TokenRecipe(index: 1)).plaintext
    #expect(answers[0] == [.success(plaintext)])
    #expect(answers[1] == [.failure(.token(TokenFault(.amountMismatch)))])
    #expect(answers[2].first?.fault?.stage == .envelope)
    #expect(answers[3] == [.failure(.token(TokenFault(.signingTimeOutsideWindow)))])
    #expect(fixture.pool.metrics.batchesBySize[4] == 1)
  }

  @Test func `a fault that a reader throws is the answer`() async throws {
    let fixture = try PoolFixture(.init(runsOnCallerThread: false))
    let answers = Answers()
    try fixture.pool.submit(
      try fixture.token(), at: mintingTime, under: VerificationPolicy(),
      opened: { _ throws(TokenFault) in throw TokenFault(.currencyMismatch) },
      refused: { answers.add(.failure($0), for: 0) })
    await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.currencyMismatch))) {
      _ = try await fixture.pool.decrypt(try fixture.token(), at: mintingTime, under: VerificationPolicy()) {
        _ throws(TokenFault) -> Int in throw TokenFault(.currencyMismatch)
      }
    }
    await fixture.pool.shutDown()
    #expect(answers[0] == [.failure(.token(TokenFault(.currencyMismatch)))])
    #expect(fixture.pool.metrics.accepted == 0)
    #expect(fixture.pool.metrics.refusedByCode == [.currencyMismatch: 2])
    #expect(fixture.pool.metrics.latency.total == 2)
  }

  @Test func `a lone request of an idle pool is decrypted on the caller's thread`() async throws {
    let fixture = try PoolFixture(.init(spinDuration: .zero))
    var count: UInt64 = 0
    // The caller's thread is used only after the worker has started and sleeps.
    while fixture.pool.metrics.ranOnCallerThread == 0 {
      try await Task.sleep(for: .milliseconds(1))
      let token = try await fixture.pool.decrypt(try fixture.token(), at: mintingTime, under: VerificationPolicy())
      #expect(token.plaintext == (try fixture.fixture.minter.layers().plaintext))
      count += 1
    }
    await fixture.pool.shutDown()
    #expect(fixture.pool.metrics.accepted == count)
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `runsOnCallerThread false keeps requests off the caller's thread`() async throws {
    let fixture = try PoolFixture(.init(spinDuration: .zero, runsOnCallerThread: false))
    for _ in 0..<20 {
      try await Task.sleep(for: .milliseconds(1))
      _ = try await fixture.pool.decrypt(try fixture.token(), at: mintingTime, under: VerificationPolicy())
    }
    await fixture.pool.shutDown()
    #expect(fixture.pool.metrics.ranOnCallerThread == 0)
    #expect(fixture.pool.metrics.accepted == 20)
  }

  @Test func `concurrent tasks get their own payments`() async throws {
    let fixture = try PoolFixture(.init(workers: 2, batchingDelay: .microseconds(100)))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<16 {
        group.addTask {
          for round in 0..<20 {
            let index = UInt64(task * 20 + round)
            let layers = try fixture.fixture.minter.layers(TokenRecipe(index: index))
            let opened = try await fixture.pool.decrypt(layers.token, at: mintingTime, under: VerificationPolicy())
            #expect(opened.plaintext == layers.plaintext)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(fixture.pool.metrics.accepted == 320)
    await fixture.pool.shutDown()
  }
}

extension Answers.Answer {
  var fault: TokenFault? {
    if case .failure(.token(let fault)) = self { fault } else { nil }
  }
}
