import FastDecryption
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// A pool that shuts down accepts no more requests and answers the accepted ones.
@Suite(.blocking, .timeLimit(.minutes(5))) struct PoolShutdownTests {
  private let answers = Answers()

  @Test(arguments: [1, 4]) func `accepted requests are answered, and later ones refused`(workers: Int) async throws {
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

  @Test(arguments: [false, true]) func `shutting down waits for running callbacks`(isCold: Bool) async throws {
    let fixture = try PoolFixture()
    if !isCold { try fixture.warm() }
    let gate = Gate()
    try fixture.occupyWorker(gate, answers: answers)
    let isOver = Locked(false)
    let ending = Task {
      await fixture.pool.shutDown()
      isOver.withLock { $0 = true }
    }
    while fixture.pool.metrics.refusedAtShutDown == 0 {
      _ = try? fixture.submit(try fixture.token(), as: 0, to: answers)
      await Task.yield()
    }
    try await Task.sleep(for: .milliseconds(20))
    #expect(!isOver.withLock { $0 })
    gate.open()
    await ending.value
    #expect(answers[-1].count == 1)
    #expect(fixture.pool.metrics.inFlight == 0)
  }

  @Test func `shutting down waits for threads that cancel a request`() async throws {
    let fixture = try PoolFixture()
    try fixture.warm()
    let (gate, entered, held) = (Gate(), Gate(), Gate())
    try fixture.occupyWorker(gate, answers: answers)
    let submission = try fixture.pool.submit(
      try fixture.token(), at: mintingTime, under: VerificationPolicy(),
      opened: { [answers] _ in answers.add(.success([]), for: 0) },
      refused: { [answers] refusal in
        entered.open()
        held.wait()
        answers.add(.failure(refusal), for: 0)
      })
    DispatchQueue.global().async { submission.cancel() }
    entered.wait()
    gate.open()
    let answers = answers
    let ending = Task { () -> [Answers.Answer] in
      await fixture.pool.shutDown()
      return answers[0]
    }
    try await Task.sleep(for: .milliseconds(20))
    held.open()
    #expect(await ending.value == [.failure(.cancelled)])
  }

  @Test func `callbacks may submit, cancel, replace and look at the pool`() async throws {
    let fixture = try PoolFixture()
    let (pool, token, done) = (fixture.pool, try fixture.token(), Gate())
    let answers = answers
    try pool.submit(
      token, at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        let next = try? pool.submit(
          token, at: mintingTime, under: VerificationPolicy(),
          opened: { _ in answers.add(.success([]), for: 1) }, refused: { answers.add(.failure($0), for: 1) })
        next?.cancel()
        pool.replaceEngine(with: pool.engine)
        answers.add(pool.metrics.inFlight > 0 ? .success([]) : .failure(.shutDown), for: 0)
        done.open()
      }, refused: { answers.add(.failure($0), for: 0) })
    done.wait()
    await pool.shutDown()
    #expect(answers[0] == [.success([])])
    #expect(answers[1] == [.failure(.cancelled)])
  }

  @Test func `the last reference to a pool may be released in a callback`() async throws {
    let fixture = try Fixture()
    let token = try fixture.minter.layers().token
    let holder = Locked<DecryptionPool?>(try DecryptionPool(try fixture.engine()))
    let answers = answers
    try holder.withLock { $0 }?.submit(
      token, at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        holder.withLock { $0 = nil }
        answers.add(.success([]), for: 0)
      }, refused: { answers.add(.failure($0), for: 0) })
    while answers.count == 0 { await Task.yield() }
    #expect(answers[0] == [.success([])])
  }

  /// This tests the use of memory: the address sanitizer finds errors that no value shows.
  @Test func `a request can be cancelled while its released pool ends, and again after that`() async throws {
    let (gate, entered, held, isCancelled) = (Gate(), Gate(), Gate(), Gate())
    let reference = WeakEngine()
    let submission: Submission
    do {
      let fixture = try PoolFixture()
      reference.engine = fixture.engine
      try fixture.warm()
      try fixture.occupyWorker(gate, answers: answers)
      submission = try fixture.pool.submit(
        try fixture.token(), at: mintingTime, under: VerificationPolicy(), opened: { _ in },
        refused: { [answers] refusal in
          entered.open()
          held.wait()
          answers.add(.failure(refusal), for: 0)
        })
      let isBegun = submission
      DispatchQueue.global().async {
        isBegun.cancel()
        isCancelled.open()
      }
      entered.wait()
    }
    gate.open()
    // The pool's threads release the engine last.
    while reference.engine != nil { await Task.yield() }
    held.open()
    isCancelled.wait()
    submission.cancel()
    #expect(answers[0] == [.failure(.cancelled)])
  }

  @Test func `a released pool answers its accepted requests`() async throws {
    let fixture = try Fixture()
    let token = try fixture.minter.layers().token
    do {
      let pool = try DecryptionPool(try fixture.engine(), configuration: .init(workers: 2))
      for name in 0..<500 {
        try pool.submit(
          token, at: mintingTime, under: VerificationPolicy(),
          opened: { [answers] _ in answers.add(.success([]), for: name) },
          refused: { [answers] in answers.add(.failure($0), for: name) })
      }
    }
    await answers.reached(500)
    #expect((0..<500).allSatisfy { answers[$0].count == 1 })
  }
}
