import FastDecryption
import PaymentToken
import TestSupport

/// One pool and how often each of its requests was answered.
final class PoolLife: Sendable {
  struct Request: Sendable {
    let number: Int
    /// The number of replacements that were complete when it was submitted.
    let epoch: Int
    let now: UnixTime
  }

  private struct Acceptance: Hashable {
    let sample: Int
    let now: UnixTime
  }

  let pool: DecryptionPool
  /// The number of requests that the pool gets.
  private let size: Int
  private struct State {
    var answers: [UInt8] = []
    var begun = 0
    var replaced = 0
    /// Tasks to be resumed when `count` requests were begun.
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())
  private let accepted = Locked<Set<Acceptance>>([])
  let store: StormStore?

  init(
    _ engine: FastDecryptor, _ configuration: DecryptionPool.Configuration, store: StormStore?, size: Int
  ) throws {
    self.store = store
    pool = try DecryptionPool(engine, configuration: configuration)
    self.size = size
  }

  var submitted: Int { state.withLock { $0.answers.count } }
  var epoch: Int { state.withLock { $0.replaced } }

  /// Whether every request of this life was begun.
  var isOver: Bool { submitted == size }

  var policy: VerificationPolicy {
    store.map { VerificationPolicy(freshness: .window(seconds: 300, replay: $0)) } ?? VerificationPolicy()
  }

  /// Remembers an accepted transaction; false if it was accepted before.
  func accept(_ sample: Int, at now: UnixTime) -> Bool {
    accepted.withLock { $0.insert(Acceptance(sample: sample, now: now)).inserted }
  }

  func begin(at now: UnixTime) -> Request {
    let (request, reached) = state.withLock { state in
      state.answers.append(0)
      let begun = state.answers.count
      let end = state.waiting.partition { $0.count <= begun }
      defer { state.waiting.removeSubrange(end...) }
      return (Request(number: begun - 1, epoch: state.replaced, now: now), state.waiting[end...].map(\.continuation))
    }
    for continuation in reached { continuation.resume() }
    return request
  }

  /// Returns when `count` requests were begun.
  func submitted(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReached = state.withLock { state in
        let isReached = state.answers.count >= count
        if !isReached { state.waiting.append((count, continuation)) }
        return isReached
      }
      if isReached { continuation.resume() }
    }
  }

  /// Counts an answer, and returns the numbers of the engines that may have decided the request.
  func answer(_ request: Request) -> ClosedRange<Int> {
    state.withLock { state in
      state.answers[request.number] += 1
      return request.epoch...max(request.epoch, state.begun)
    }
  }

  func replaceEngine(with engine: FastDecryptor) {
    state.withLock { $0.begun += 1 }
    pool.replaceEngine(with: engine)
    state.withLock { $0.replaced += 1 }
  }

  func checkAnswers(_ report: (String) -> Void) {
    for (number, count) in state.withLock({ $0.answers }).enumerated() where count != 1 {
      report("request \(number) was answered \(count) times")
    }
  }
}
