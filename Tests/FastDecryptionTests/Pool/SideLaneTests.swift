import FastDecryption
import Minting
import PaymentToken
import Testing

/// Certificates not seen yet are verified beside the workers.
@Suite struct SideLaneTests {
  @Test func `the first token of a signer goes to the side lane, the next ones do not`() async throws {
    let fixture = try PoolFixture()
    let answers = Answers()
    try fixture.submit(try fixture.token(1), as: 1, to: answers)
    while answers[1].isEmpty { await Task.yield() }
    #expect(fixture.pool.metrics.cold == 1)
    try fixture.submit(try fixture.token(2), as: 2, to: answers)
    await fixture.pool.shutDown()
    #expect(try answers[1][0].get() == fixture.fixture.minter.layers(TokenRecipe(index: 1)).plaintext)
    #expect(try answers[2][0].get() == fixture.fixture.minter.layers(TokenRecipe(index: 2)).plaintext)
    #expect(fixture.pool.metrics.cold == 1)
  }

  @Test func `known signers' tokens are answered while the side lane is held up`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let (gate, entered, answers) = (Gate(), Gate(), Answers())
    let cold = try fixture.fixture.token(signedBy: anotherSigner(fixture, 1))
    try fixture.pool.submit(
      cold, at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        entered.open()
        gate.wait()
        answers.add(.success([]), for: 0)
      }, refused: { answers.add(.failure($0), for: 0) })
    entered.wait()
    for name in 1..<100 { try fixture.submit(try fixture.token(), as: name, to: answers) }
    while answers.count < 99 { await Task.yield() }
    #expect(answers[0].isEmpty)
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0] == [.success([])])
  }

  @Test func `a full side lane refuses what it has no room for, and nothing else`() async throws {
    let fixture = try PoolFixture(.init(sideLaneCapacity: 2))
    try fixture.warm()
    let (gate, entered, answers) = (Gate(), Gate(), Answers())
    try fixture.pool.submit(
      try fixture.fixture.token(signedBy: anotherSigner(fixture, 1)), at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        entered.open()
        gate.wait()
      }, refused: { answers.add(.failure($0), for: -1) })
    entered.wait()
    for name in 0..<5 {
      try fixture.submit(
        try fixture.fixture.token(signedBy: anotherSigner(fixture, UInt64(name + 2))), as: name, to: answers)
    }
    try fixture.submit(try fixture.token(), as: 5, to: answers)
    while answers.count < 4 { await Task.yield() }
    #expect(fixture.pool.metrics.sideLaneDepth == 2)
    gate.open()
    await fixture.pool.shutDown()
    let refused = (0..<5).filter { answers[$0] == [.failure(.overloaded)] }
    #expect(refused.count == 3)
    #expect((0..<6).allSatisfy { answers[$0].count == 1 })
    #expect((try? answers[5][0].get()) != nil)
    #expect(fixture.pool.metrics.overloaded == 3)
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `a request can be taken back from the side lane`() async throws {
    let fixture = try PoolFixture()
    let (gate, entered, answers) = (Gate(), Gate(), Answers())
    try fixture.pool.submit(
      try fixture.fixture.token(signedBy: anotherSigner(fixture, 1)), at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        entered.open()
        gate.wait()
      }, refused: { answers.add(.failure($0), for: -1) })
    entered.wait()
    let submission = try fixture.submit(
      try fixture.fixture.token(signedBy: anotherSigner(fixture, 2)), as: 0, to: answers)
    while fixture.pool.metrics.sideLaneDepth == 0 { await Task.yield() }
    submission.cancel()
    #expect(answers[0] == [.failure(.cancelled)])
    gate.open()
    await fixture.pool.shutDown()
    #expect(answers[0].count == 1)
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  /// A signer that the root vouches for, and that no token was signed by before.
  private func anotherSigner(_ fixture: PoolFixture, _ index: UInt64) throws -> TokenSigner {
    var leaves = fixture.fixture.minter.generator.stream("leaf \(index)")
    return TokenSigner(try fixture.fixture.minter.pki.withAnotherLeaf(from: &leaves))
  }
}
