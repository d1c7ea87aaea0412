import FastDecryption
import MerchantKeys
import Minting
import PaymentToken
import TestSupport
import Testing

/// Keys and roots that change while a pool runs.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolRotationTests {
  private let answers = Answers()

  @Test func `what is submitted after a replacement is decided by the new engine alone`() async throws {
    let pool = try PoolFixture(seed: 41)
    let other = try Fixture(seed: 42)
    let (old, new) = (try pool.token(), try other.minter.layers().token)
    try pool.submit(old, as: 0, to: answers)
    try pool.submit(new, as: 1, to: answers)
    while answers.count < 2 { await Task.yield() }
    pool.pool.replaceEngine(with: try other.engine())
    try pool.submit(old, as: 2, to: answers)
    try pool.submit(new, as: 3, to: answers)
    await pool.pool.shutDown()
    #expect((try? answers[0][0].get()) != nil)
    #expect(answers[1] == [.failure(.token(TokenFault(.untrustedChain)))])
    #expect(answers[2] == [.failure(.token(TokenFault(.untrustedChain)))])
    #expect((try? answers[3][0].get()) != nil)
  }

  @Test func `a request that a worker has begun is finished with the engine it was begun with`() async throws {
    let pool = try PoolFixture()
    let (gate, entered) = (Gate(), Gate())
    try pool.warm()
    try pool.pool.submit(
      try pool.token(), at: mintingTime, under: VerificationPolicy(),
      opened: { [answers] opened throws(TokenFault) in
        entered.open()
        gate.wait()
        answers.add(.success(try opened.copy().plaintext), for: 0)
      }, refused: { [answers] in answers.add(.failure($0), for: 0) })
    entered.wait()
    try pool.submit(try pool.token(1), as: 1, to: answers)
    pool.pool.replaceEngine(with: try Fixture(seed: 42).engine())
    gate.open()
    await pool.pool.shutDown()
    #expect(try answers[0][0].get() == pool.fixture.minter.layers().plaintext)
    #expect(answers[1] == [.failure(.token(TokenFault(.untrustedChain)))])
  }

  @Test func `an engine with other keys shares the cache of the first`() throws {
    let fixture = try Fixture()
    let engine = try fixture.engine()
    let token = try fixture.minter.layers().token
    var workspace = makeWorkspace()
    #expect(engine.fault(token, in: &workspace) == nil)
    let keyless = engine.replacingKeys(with: try MerchantKeySet(files: []))
    #expect(keyless.knownChains == 1)
    #expect(keyless.fault(token, in: &workspace) == TokenFault(.unknownMerchantKey))
    #expect(keyless.replacingKeys(with: fixture.keys).fault(token, in: &workspace) == nil)
    #expect(engine.fault(token, in: &workspace) == nil)
  }

  @Test func `a merchant's key is replaced without a pause`() async throws {
    let pool = try PoolFixture(.init(runsOnCallerThread: false))
    let (token, all) = (try pool.token(), pool.engine)
    let none = all.replacingKeys(with: try MerchantKeySet(files: []))
    for round in 0..<200 {
      pool.pool.replaceEngine(with: round.isMultiple(of: 2) ? all : none)
      let verdict: Result<[UInt8], DecryptionPool.Refusal>
      do throws(DecryptionPool.Refusal) {
        verdict = .success(
          try await pool.pool.decrypt(token, at: mintingTime, under: VerificationPolicy()).plaintext)
      } catch {
        verdict = .failure(error)
      }
      if round.isMultiple(of: 2) {
        #expect((try? verdict.get()) != nil)
      } else {
        #expect(verdict == .failure(.token(TokenFault(.unknownMerchantKey))))
      }
    }
    await pool.pool.shutDown()
    #expect(pool.pool.metrics.sentToSlowPath == 1)
  }

  @Test func `replaced keys are released after their last use`() async throws {
    let pool = try PoolFixture()
    try pool.submit(try pool.token(), as: 0, to: answers)
    while answers.count < 1 { await Task.yield() }
    let reference = WeakEngine()
    do {
      let engine = try Fixture(seed: 43).engine()
      reference.engine = engine
      pool.pool.replaceEngine(with: engine)
    }
    try pool.submit(try pool.token(), as: 1, to: answers)
    while answers.count < 2 { await Task.yield() }
    #expect(reference.engine != nil)
    pool.pool.replaceEngine(with: try Fixture(seed: 44).engine())
    try pool.submit(try pool.token(), as: 2, to: answers)
    await pool.pool.shutDown()
    #expect(reference.engine == nil)
  }

  @Test func `a replaced engine is released though no request comes any more`() async throws {
    let pool = try PoolFixture(.init(unknownChainsPerSecond: 1_000_000))
    let reference = WeakEngine()
    do {
      let engine = try Fixture(seed: 43).engine()
      reference.engine = engine
      pool.pool.replaceEngine(with: engine)
    }
    // So many requests that workers go from batch to batch.
    for index in 0..<200 { try pool.submit(try pool.token(), as: index, to: answers) }
    await answers.reached(200)
    #expect(reference.engine != nil)
    pool.pool.replaceEngine(with: try Fixture(seed: 44).engine())
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while reference.engine != nil, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    #expect(reference.engine == nil)
    await pool.pool.shutDown()
  }
}
