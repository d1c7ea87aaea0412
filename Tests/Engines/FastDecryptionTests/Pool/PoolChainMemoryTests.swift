import FastDecryption
import Minting
import PaymentToken
import TestSupport
import Testing

/// When a pool caches new chains, and in which order their tokens are rejected.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolChainMemoryTests {
  @Test(arguments: [true, false]) func `forged tokens with rewritten chains are not cached`(
    _ isWarm: Bool
  ) async throws {
    let pool = try PoolFixture(.init(unknownChainsPerSecond: 1_000_000, runsOnCallerThread: false))
    if isWarm { try pool.warm() }
    let answers = Answers()
    let forms = try RewrittenChains.forms(of: pool.fixture.minter.pki)
    for (index, form) in forms.enumerated() {
      try pool.submit(try pool.fixture.tokenOfOtherContent(in: form), as: index, to: answers)
      try pool.submit(try pool.fixture.tokenOfOtherSigner(in: form), as: 100 + index, to: answers)
    }
    await answers.reached(2 * forms.count)
    for name in forms.indices.flatMap({ [$0, 100 + $0] }) {
      #expect(answers[name] == [.failure(.token(TokenFault(.signatureMismatch)))])
    }
    #expect(pool.engine.knownChains == (isWarm ? 1 : 0))
    try pool.submit(try pool.token(1), as: 1_000, to: answers)
    try pool.submit(try pool.token(2), as: 1_001, to: answers)
    await pool.pool.shutDown()
    #expect(try answers[1_000][0].get() == pool.fixture.minter.layers(TokenRecipe(index: 1)).plaintext)
    #expect(try answers[1_001][0].get() == pool.fixture.minter.layers(TokenRecipe(index: 2)).plaintext)
    #expect(pool.engine.knownChains == 1)
    #expect(pool.pool.metrics.inFlight == 0)
  }

  /// The cache holds 1,024 chains.
  @Test func `a chain that others have evicted is verified once more, for all pools`() async throws {
    let pool = try PoolFixture(.init(runsOnCallerThread: false))
    let other = try DecryptionPool(pool.engine, configuration: .init(runsOnCallerThread: false))
    let answers = Answers()
    try await decide(try pool.token(1), as: 1, by: pool.pool, answers)
    #expect(pool.pool.metrics.sentToSlowPath == 1 && pool.engine.knownChains == 1)

    var workspace = makeWorkspace()
    var leaves = pool.fixture.minter.generator.stream("leaves")
    for number in 2...1_026 {
      if number == 1_025 {
        try await decide(try pool.token(2), as: 2, by: pool.pool, answers)
        #expect(pool.pool.metrics.sentToSlowPath == 1)
      }
      let signer = TokenSigner(try pool.fixture.minter.pki.withAnotherLeaf(from: &leaves))
      #expect(pool.engine.fault(try pool.fixture.token(signedBy: signer), in: &workspace) == nil)
      #expect(pool.engine.knownChains == min(number, 1_024))
    }
    try await decide(try pool.token(3), as: 3, by: pool.pool, answers)
    #expect(pool.pool.metrics.sentToSlowPath == 2 && pool.engine.knownChains == 1_024)
    try await decide(try pool.token(4), as: 4, by: other, answers)
    #expect(other.metrics.sentToSlowPath == 0)
    for pool in [pool.pool, other] { await pool.shutDown() }
  }

  /// Submits a valid token and waits for its answer.
  private func decide(_ token: [UInt8], as name: Int, by pool: DecryptionPool, _ answers: Answers) async throws {
    try pool.submit(
      token, at: mintingTime, under: VerificationPolicy(),
      opened: { opened throws(TokenFault) in answers.add(.success(try opened.copy().plaintext), for: name) },
      refused: { answers.add(.failure($0), for: name) })
    while answers[name].isEmpty { await Task.yield() }
    #expect((try? answers[name][0].get()) != nil)
  }

  @Test func `the caller's thread of an idle pool verifies no chain, and none of a forged token is cached`()
    async throws
  {
    let pool = try PoolFixture()
    let form = try RewrittenChains.forms(of: pool.fixture.minter.pki)[9]
    for token in [try pool.fixture.tokenOfOtherContent(in: form), try pool.fixture.tokenOfOtherSigner(in: form)] {
      await #expect(throws: DecryptionPool.Refusal.token(TokenFault(.signatureMismatch))) {
        _ = try await pool.pool.decrypt(token, at: mintingTime, under: VerificationPolicy())
      }
    }
    #expect(pool.engine.knownChains == 0)
    _ = try await pool.pool.decrypt(try pool.token(), at: mintingTime, under: VerificationPolicy())
    #expect(pool.engine.knownChains == 1)
    #expect(pool.pool.metrics.sentToSlowPath == 3)
    #expect(pool.pool.metrics.ranOnCallerThread == 0)
    // Repeats until a caller's thread has found the pool idle.
    var count: UInt64 = 3
    while pool.pool.metrics.ranOnCallerThread == 0 {
      try await Task.sleep(for: .milliseconds(1))
      _ = try await pool.pool.decrypt(try pool.token(), at: mintingTime, under: VerificationPolicy())
      count += 1
    }
    #expect(pool.pool.metrics.submitted == count)
    await pool.pool.shutDown()
  }

  /// If the certificates of a token are new, the slow path decides its stages up to 8, and a worker stage 9.
  @Test func `tokens of unknown certificates are rejected in the order of the stages`() async throws {
    let year = TestPKI.year
    func later(_ seconds: Int64) -> UnixTime {
      UnixTime(secondsSinceEpoch: mintingTime.secondsSinceEpoch + seconds)
    }
    for (name, isForged, isRevoked, now, code) in [
      ("revoked", true, true, later(5 * year), TokenFault.Code.certificateRevoked),
      ("expired", true, false, later(5 * year), .certificateExpired),
      ("too early", true, false, later(-2 * year), .certificateNotYetValid),
      ("forged", true, false, later(301), .signatureMismatch),
      ("late", false, false, later(301), .signingTimeOutsideWindow),
    ] {
      let pool = try PoolFixture(.init(runsOnCallerThread: false))
      let form = try RewrittenChains.forms(of: pool.fixture.minter.pki)[0]
      let token = try isForged ? pool.fixture.tokenOfOtherContent(in: form) : pool.token()
      let list = isRevoked ? RevokedCertificates([digest(of: pool.fixture.minter.pki.leaf)]) : RevokedCertificates([])
      let answers = Answers()
      try pool.pool.submit(
        token, at: now, under: VerificationPolicy(revoked: list), opened: { _ in answers.add(.success([]), for: 0) },
        refused: { answers.add(.failure($0), for: 0) })
      await pool.pool.shutDown()
      #expect(answers[0] == [.failure(.token(TokenFault(code)))], Comment(rawValue: name))
      #expect(pool.pool.metrics.sentToSlowPath == 1)
      #expect(pool.engine.knownChains == (isForged ? 0 : 1), Comment(rawValue: name))
    }
  }
}
