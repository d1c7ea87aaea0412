import FastDecryption
import Foundation
import MerchantKeys
import Minting
import NamedCases
import PaymentToken
import TestCases
import TestSupport
import Testing

/// Tokens of EC_v1 in a pool do not wait for the private-key operations of RSA_v1.
@Suite(.blocking, .timeLimit(.minutes(5))) struct WrappedKeyTests {
  private let answers = Answers()
  private let order = Locked<[Int]>([])

  /// A pool whose engine has the keys of both versions and knows the signers of both.
  ///
  /// - Parameter mayUnwrap: if given, the keys of RSA_v1 are external ones, which do not answer before this is true.
  private func fixture(
    _ configuration: DecryptionPool.Configuration = .init(), mayUnwrap: (@Sendable () -> Bool)? = nil
  ) throws -> (Minter, DecryptionPool) {
    let minter = try Minter(seed: 41, at: mintingTime)
    let keys = try mayUnwrap.map { try WaitingTransport.keys(of: minter, mayUnwrap: $0) } ?? minter.merchantKeySet()
    let engine = try FastDecryptor(keys: keys, anchors: minter.anchors)
    for token in [try minter.layers(TokenRecipe(index: 0)).token, try minter.mintRSA(index: 0).bytes] {
      _ = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
    }
    return (minter, try DecryptionPool(engine, configuration: configuration))
  }

  @discardableResult
  private func submit(
    _ token: [UInt8], as name: Int, to pool: DecryptionPool, under policy: VerificationPolicy = VerificationPolicy(),
    deadline: ContinuousClock.Instant? = nil
  ) throws -> Submission {
    try pool.submit(
      token, at: mintingTime, under: policy, deadline: deadline,
      opened: { [answers, order] opened throws(TokenFault) in
        order.withLock { $0.append(name) }
        answers.add(.success(try opened.copy().plaintext), for: name)
      },
      refused: { [answers, order] refusal in
        order.withLock { $0.append(name) }
        answers.add(.failure(refusal), for: name)
      })
  }

  /// Occupies the worker with a token of EC_v1 until the gate is opened.
  private func occupy(_ pool: DecryptionPool, with minter: Minter, until gate: Gate) throws {
    let entered = Gate()
    try pool.submit(
      try minter.layers(TokenRecipe(index: 0)).token, at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        entered.open()
        gate.wait()
      }, refused: { _ in entered.open() })
    entered.wait()
  }

  /// The keys of RSA_v1 answer when all tokens of EC_v1 are decided. A worker that asks one earlier waits for itself.
  @Test func `of 64 tokens of RSA_v1 before 8 of EC_v1 the worker decides none first`() async throws {
    let (order, isOccupied) = (order, Locked(false))
    let (minter, pool) = try fixture { isOccupied.withLock { !$0 } || order.withLock { $0.count } >= 8 }
    let rsa = try (0..<64).map { try minter.mintRSA(index: $0) }
    let ec = try (0..<8).map { try minter.layers(TokenRecipe(index: $0)) }
    let gate = Gate()
    try occupy(pool, with: minter, until: gate)
    isOccupied.withLock { $0 = true }
    for (name, token) in rsa.enumerated() { try submit(token.bytes, as: name, to: pool) }
    for (name, layers) in ec.enumerated() { try submit(layers.token, as: 100 + name, to: pool) }
    gate.open()
    await pool.shutDown()
    #expect(order.withLock { Array($0.prefix(8)) } == (100..<108).map { $0 })
    for (name, token) in rsa.enumerated() { #expect(answers[name] == [.success(token.plaintext)]) }
    for (name, layers) in ec.enumerated() { #expect(answers[100 + name] == [.success(layers.plaintext)]) }
    #expect(pool.metrics.postponedUnwrapping == 64)
    #expect(pool.metrics.inFlight == 0)
  }

  @Test func `tokens of RSA_v1 are decided while those of EC_v1 never cease`() async throws {
    let (minter, pool) = try fixture()
    let ec = try minter.layers(TokenRecipe(index: 0)).token
    let rsa = try minter.mintRSA(index: 3)
    let gate = Gate()
    try occupy(pool, with: minter, until: gate)
    // Each opened token submits the next request, so that the worker always finds requests.
    let feed = Feed(pool: pool, token: ec)
    for _ in 0..<16 { feed.submit() }
    for name in 0..<8 { try submit(rsa.bytes, as: name, to: pool) }
    gate.open()
    while answers.count < 8 { await Task.yield() }
    feed.isOver.withLock { $0 = true }
    await pool.shutDown()
    for name in 0..<8 { #expect(answers[name] == [.success(rsa.plaintext)]) }
  }

  @Test func `a lone token of RSA_v1 is decided by the worker itself`() async throws {
    let (minter, pool) = try fixture()
    let token = try minter.mintRSA(index: 3)
    try submit(token.bytes, as: 0, to: pool)
    await pool.shutDown()
    #expect(answers[0] == [.success(token.plaintext)])
    #expect(pool.metrics.postponedUnwrapping == 0)
  }

  @Test func `a token of the slow path is asked about once, and a replayed one is refused`() async throws {
    let (minter, pool) = try fixture(.init(storeTimeLimit: .seconds(600)))
    let token = try minter.mintRSA(index: 3)
    let (counting, asynchronous, gate) = (CountingStore(), ManualStore(), Gate())
    let memory = MemoryReplayStore(capacity: 8)
    func policy(_ store: any ReplayStore) -> VerificationPolicy {
      VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    }
    try occupy(pool, with: minter, until: gate)
    try submit(token.bytes, as: 0, to: pool, under: policy(counting))
    for name in 1...2 { try submit(token.bytes, as: name, to: pool, under: policy(memory)) }
    for name in 3...4 { try submit(token.bytes, as: name, to: pool, under: policy(asynchronous)) }
    gate.open()
    await asynchronous.received(2)
    asynchronous.answer(0, .fresh)
    asynchronous.answer(1, .replayed)
    await pool.shutDown()
    #expect(pool.metrics.postponedUnwrapping == 5)
    #expect(counting.count == 1)
    #expect(answers[0] == [.success(token.plaintext)])
    // The slow path and a worker may decide two requests at once: which of them is first is not certain.
    for pair in [[1, 2], [3, 4]] {
      let given = pair.flatMap { answers[$0] }
      #expect(given.count == 2)
      #expect(given.contains(.success(token.plaintext)))
      #expect(given.contains(.failure(.token(TokenFault(.replayedTransaction)))))
    }
  }

  @Test func `a token of the slow path that is cancelled or late is not asked about`() async throws {
    let (minter, pool) = try fixture()
    let token = try minter.mintRSA(index: 3).bytes
    let (store, gate) = (CountingStore(), Gate())
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    // The slow path gets no request until the worker has looked at all of them.
    try occupy(pool, with: minter, until: gate)
    let cancelled = try submit(token, as: 0, to: pool, under: policy)
    try submit(token, as: 1, to: pool, under: policy, deadline: .now)
    cancelled.cancel()
    gate.open()
    await pool.shutDown()
    #expect(answers[0] == [.failure(.cancelled)])
    #expect(answers[1] == [.failure(.deadlineExceeded)])
    #expect(store.count == 0)
    #expect(pool.metrics.inFlight == 0)
  }

  @Test func `a full queue of wrapped keys refuses only tokens of RSA_v1`() async throws {
    let (minter, pool) = try fixture(.init(slowPathCapacity: 2))
    let (rsa, ec) = (try minter.mintRSA(index: 3).bytes, try minter.layers(TokenRecipe(index: 0)).token)
    let gate = Gate()
    try occupy(pool, with: minter, until: gate)
    for name in 0..<60 { try submit(rsa, as: name, to: pool) }
    for name in 60..<64 { try submit(ec, as: name, to: pool) }
    gate.open()
    await pool.shutDown()
    let overloaded = (0..<60).filter { answers[$0] == [.failure(.overloaded)] }
    #expect(!overloaded.isEmpty && overloaded.count < 60)
    for name in 0..<64 where !overloaded.contains(name) { #expect((try? answers[name][0].get()) != nil, "\(name)") }
    #expect(pool.metrics.overloaded == UInt64(overloaded.count))
    #expect(pool.metrics.inFlight == 0)
  }

  @Test func `an unknown chain is verified within its budget before a key is unwrapped`() async throws {
    let (minter, pool) = try fixture()
    var layers = try minter.layers(minter.recipe(index: 3, .rsaV1))
    layers.signer = TokenSigner(minter.foreign, version: .rsaV1)
    try layers.sign()
    let gate = Gate()
    try occupy(pool, with: minter, until: gate)
    for name in 0..<2 { try submit(layers.token, as: name, to: pool) }
    gate.open()
    await pool.shutDown()
    for name in 0..<2 { #expect(answers[name] == [.failure(.token(TokenFault(.untrustedChain)))]) }
    #expect(pool.metrics.sentToSlowPath == 2)
    #expect(pool.metrics.postponedUnwrapping == 0)
  }

  @Test func `faults of RSA_v1 are those that the engine finds alone`() async throws {
    let (minter, pool) = try fixture()
    var broken = try minter.layers(minter.recipe(index: 3, .rsaV1))
    broken.transactionId[0] ^= 1
    let gate = Gate()
    try occupy(pool, with: minter, until: gate)
    for name in 0..<2 { try submit(broken.token, as: name, to: pool) }
    gate.open()
    await pool.shutDown()
    for name in 0..<2 { #expect(answers[name] == [.failure(.token(TokenFault(.signatureMismatch)))]) }
  }

  /// A batch in which one request has a deadline; each request takes a millisecond.
  struct Timely: Sendable {
    var count = 64
    let index: Int
    let milliseconds: Int
    let size: Int
  }

  @Test(arguments: [
    Timely(index: 0, milliseconds: 100, size: 64), Timely(index: 0, milliseconds: 20, size: 16),
    Timely(index: 0, milliseconds: 8, size: 8),
    // Deadlines that are missed in any case, or have passed.
    Timely(index: 0, milliseconds: 7, size: 64), Timely(index: 0, milliseconds: -5, size: 64),
    // The first leaves the request for the next batch; in the second, the whole batch meets the deadline.
    Timely(index: 49, milliseconds: 30, size: 48), Timely(count: 14, index: 12, milliseconds: 40, size: 14),
  ])
  func `a batch ends before the deadlines of its requests`(_ batch: Timely) {
    let now = ContinuousClock.now
    let size = DecryptionPool.Configuration.timelySize(of: batch.count, each: .milliseconds(1), at: now) { index in
      index == batch.index ? now.advanced(by: .milliseconds(batch.milliseconds)) : nil
    }
    #expect(size == batch.size)
  }
}

/// An external key of RSA_v1 that does not answer at once.
private struct WaitingTransport: KeyTransport {
  let key: any KeyTransport
  let mayUnwrap: @Sendable () -> Bool
  /// A worker that waits for itself makes the test fail, not hang.
  let limit = ContinuousClock.now.advanced(by: .seconds(60))

  func unwrapKey(_ wrapped: Span<UInt8>, into key: inout MutableSpan<UInt8>) throws(KeyUnavailable) -> Bool {
    while !mayUnwrap(), ContinuousClock.now < limit { Thread.block(forSeconds: 0.0001) }
    return try self.key.unwrapKey(wrapped, into: &key)
  }

  /// A minter's keys, of which those of RSA_v1 are external ones.
  static func keys(of minter: Minter, mayUnwrap: @escaping @Sendable () -> Bool) throws -> MerchantKeySet {
    let external = TestKey.all(of: minter, .rsaV1).map { key in
      var key = key
      key.holder = .external
      return key
    }
    let keys = try TestSetting(of: minter, keys: external).merchantKeySet()
    let sources = try (0..<keys.count).map { index in
      guard case .rsa(let modulus, _) = keys[index].publicKey, let key = keys.externalTransport(at: index) else {
        throw KeyUnavailable()
      }
      return try ExternalRSAKey(modulus: modulus, transport: WaitingTransport(key: key, mayUnwrap: mayUnwrap))
    }
    return try minter.merchantKeySet(externalRSA: sources)
  }
}

/// Requests each of which submits the next one when its token is opened.
private final class Feed: Sendable {
  let isOver = Locked(false)
  private let pool: DecryptionPool
  private let token: [UInt8]

  init(pool: DecryptionPool, token: [UInt8]) {
    (self.pool, self.token) = (pool, token)
  }

  func submit() {
    guard !isOver.withLock({ $0 }) else { return }
    _ = try? pool.submit(
      token, at: mintingTime, under: VerificationPolicy(), opened: { _ in self.submit() }, refused: { _ in })
  }
}
