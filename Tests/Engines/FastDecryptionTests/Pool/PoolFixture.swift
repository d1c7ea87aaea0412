import FastDecryption
import Foundation
import Minting
import PaymentToken
import TestSupport
import Testing

/// A pool with the test PKI's keys, and helpers for tests.
struct PoolFixture {
  let fixture: Fixture
  let engine: FastDecryptor
  let pool: DecryptionPool

  init(_ configuration: DecryptionPool.Configuration = .init(), seed: UInt64 = 41) throws {
    fixture = try Fixture(seed: seed)
    engine = try fixture.engine()
    pool = try DecryptionPool(engine, configuration: configuration)
  }

  func token(_ index: UInt64 = 0) throws -> [UInt8] { try fixture.minter.layers(TokenRecipe(index: index)).token }

  /// Puts the signer's chain into the engine's cache.
  func warm() throws {
    let token = try token()
    _ = try engine.decrypt(token.span, at: mintingTime, under: VerificationPolicy())
  }

  /// Occupies a worker until the gate is opened; returns once it is occupied.
  func occupyWorker(_ gate: Gate, answers: Answers) throws {
    let entered = Gate()
    try pool.submit(
      try token(), at: mintingTime, under: VerificationPolicy(),
      opened: { _ in
        entered.open()
        gate.wait()
        answers.add(.success([]), for: -1)
      },
      refused: { refusal in
        entered.open()
        answers.add(.failure(refusal), for: -1)
      })
    entered.wait()
  }

  /// Submits a token, whose answer goes to `answers`.
  @discardableResult
  func submit(
    _ token: [UInt8], as name: Int, to answers: Answers, under policy: VerificationPolicy = VerificationPolicy(),
    deadline: ContinuousClock.Instant? = nil
  ) throws(DecryptionPool.Refusal) -> Submission {
    try pool.submit(
      token, at: mintingTime, under: policy, deadline: deadline,
      opened: { opened throws(TokenFault) in answers.add(.success(try opened.copy().plaintext), for: name) },
      refused: { answers.add(.failure($0), for: name) })
  }
}

/// Every answer that was given, by the request's name.
final class Answers: Sendable {
  typealias Answer = Result<[UInt8], DecryptionPool.Refusal>
  private let given = Locked<[Int: [Answer]]>([:])

  func add(_ answer: Answer, for name: Int) { given.withLock { $0[name, default: []].append(answer) } }

  subscript(name: Int) -> [Answer] { given.withLock { $0[name] ?? [] } }

  var count: Int { given.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Returns when there are `count` answers. It sleeps meanwhile: a test that yields in a loop slows the workers down.
  func reached(_ count: Int) async {
    while self.count < count { try? await Task.sleep(for: .milliseconds(1)) }
  }
}

/// A value under a lock that ThreadSanitizer sees.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}

/// Shows whether an engine is still held.
final class WeakEngine {
  weak var engine: FastDecryptor?
}
