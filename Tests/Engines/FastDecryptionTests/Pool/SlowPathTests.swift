import FastDecryption
import Minting
import PaymentToken
import TestSupport
import Testing

/// New certificates are verified by the slow path, apart from the workers.
@Suite(.blocking, .timeLimit(.minutes(5))) struct SlowPathTests {
  @Test func `the first token of a signer goes to the slow path, the next ones do not`() async throws {
    let fixture = try PoolFixture()
    let answers = Answers()
    try fixture.submit(try fixture.token(1), as: 1, to: answers)
    while answers[1].isEmpty { await Task.yield() }
    #expect(fixture.pool.metrics.sentToSlowPath == 1)
    try fixture.submit(try fixture.token(2), as: 2, to: answers)
    await fixture.pool.shutDown()
    #expect(try answers[1][0].get() == fixture.fixture.minter.layers(TokenRecipe(index: 1)).plaintext)
    #expect(try answers[2][0].get() == fixture.fixture.minter.layers(TokenRecipe(index: 2)).plaintext)
    #expect(fixture.pool.metrics.sentToSlowPath == 1)
  }

  @Test func `known signers' tokens are answered while certificates are verified`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let cold = try (1...40).map { try fixture.fixture.token(signedBy: anotherSigner(fixture, $0)) }
    let (gate, answers) = (Gate(), Answers())
    try fixture.occupyWorker(gate, answers: answers)
    for (name, token) in cold.enumerated() { try fixture.submit(token, as: name, to: answers) }
    let answeredBefore = Locked(-1)
    try fixture.pool.submit(
      try fixture.token(), at: mintingTime, under: VerificationPolicy(),
      opened: { _ in answeredBefore.withLock { $0 = (0..<40).count { !answers[$0].isEmpty } } },
      refused: { answers.add(.failure($0), for: -2) })
    gate.open()
    await fixture.pool.shutDown()
    // All are in one batch, but the slow path verifies the forty chains one after the other.
    #expect((0..<40).contains(answeredBefore.withLock { $0 }))
    #expect((0..<40).allSatisfy { (try? answers[$0].first?.get()) != nil && answers[$0].count == 1 })
    #expect(fixture.pool.metrics.sentToSlowPath == 40)
  }

  @Test func `unknown certificates beyond the burst are verified in the end`() async throws {
    var configuration = DecryptionPool.Configuration(unknownChainsPerSecond: 1_000)
    configuration.unknownChainBurst = 1
    let (fixture, answers) = (try PoolFixture(configuration), Answers())
    for name in 0..<5 {
      try fixture.submit(
        try fixture.fixture.token(signedBy: anotherSigner(fixture, UInt64(name))), as: name, to: answers)
    }
    while answers.count < 5 { await Task.yield() }
    await fixture.pool.shutDown()
    #expect((0..<5).allSatisfy { (try? answers[$0].first?.get()) != nil })
    #expect(fixture.pool.metrics.sentToSlowPath == 5)
  }

  @Test func `a full slow path refuses only the requests it has no room for`() async throws {
    let fixture = try PoolFixture(.init(slowPathCapacity: 2))
    try fixture.warm()
    let cold = try (1...40).map { try fixture.fixture.token(signedBy: anotherSigner(fixture, $0)) }
    let (gate, answers) = (Gate(), Answers())
    try fixture.occupyWorker(gate, answers: answers)
    for (name, token) in cold.enumerated() { try fixture.submit(token, as: name, to: answers) }
    for name in 40..<50 { try fixture.submit(try fixture.token(), as: name, to: answers) }
    gate.open()
    await fixture.pool.shutDown()
    #expect((0..<50).allSatisfy { answers[$0].count == 1 })
    let overloaded = (0..<40).filter { answers[$0] == [.failure(.overloaded)] }
    #expect(!overloaded.isEmpty)
    #expect((0..<50).allSatisfy { overloaded.contains($0) || (try? answers[$0][0].get()) != nil })
    #expect(fixture.pool.metrics.overloaded == UInt64(overloaded.count))
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `a fault found by the slow path is the answer`() async throws {
    let fixture = try PoolFixture()
    let answers = Answers()
    var layers = try fixture.fixture.minter.layers()
    layers.signer = TokenSigner(fixture.fixture.minter.foreign)
    try layers.sign()
    try fixture.submit(layers.token, as: 0, to: answers)
    await fixture.pool.shutDown()
    #expect(answers[0] == [.failure(.token(TokenFault(.untrustedChain)))])
    #expect(fixture.pool.metrics.refusedByCode == [.untrustedChain: 1])
    #expect(fixture.pool.metrics.sentToSlowPath == 1)
  }

  @Test func `a request can be cancelled in the slow path`() async throws {
    var isTakenBack = false
    for round in 0..<50 where !isTakenBack {
      let fixture = try PoolFixture()
      try fixture.warm()
      let cold = try (1...20).map { try fixture.fixture.token(signedBy: anotherSigner(fixture, $0)) }
      let (gate, answers) = (Gate(), Answers())
      try fixture.occupyWorker(gate, answers: answers)
      var last: Submission?
      for (name, token) in cold.enumerated() { last = try fixture.submit(token, as: name, to: answers) }
      gate.open()
      while fixture.pool.metrics.sentToSlowPath < 20 { await Task.yield() }
      last?.cancel()
      await fixture.pool.shutDown()
      #expect((0..<20).allSatisfy { answers[$0].count == 1 }, "round \(round)")
      #expect(fixture.pool.metrics.inFlight == 0)
      isTakenBack = answers[19] == [.failure(.cancelled)]
    }
    #expect(isTakenBack)
  }

  /// A new signer with a valid chain.
  private func anotherSigner(_ fixture: PoolFixture, _ index: UInt64) throws -> TokenSigner {
    var leaves = fixture.fixture.minter.generator.stream("leaf \(index)")
    return TokenSigner(try fixture.fixture.minter.pki.withAnotherLeaf(from: &leaves))
  }
}
