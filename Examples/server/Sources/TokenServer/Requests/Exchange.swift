import FastDecryption
import PaymentToken

/// A request and its answer.
///
/// The thread that speaks HTTP reads the request and sends the answer. In between the connection is suspended, and the
/// pool answers on a thread of its own.
final class Exchange: Sendable {
  /// What becomes of the request once it is there.
  enum Plan: Sendable {
    case open(Opening)
    /// The body is read and dropped: an answer to a request that was read as a whole leaves the connection usable.
    case answer(Answer)
  }

  /// What is to be done when the library asks.
  enum Step {
    /// Suspend the connection, then hand this to the pool.
    case open(Opening, [UInt8])
    case answer(Answer)
    /// There is nobody to answer.
    case close
  }

  private struct State {
    var plan: Plan
    var body: [UInt8] = []
    var received = 0
    var isAnswered = false
    var submission: Submission?
    /// What the pool said; `.some(nil)` when nobody waits for it.
    var outcome: Answer??
  }

  private let state: Guarded<State>

  /// Bytes of a body that most requests do not exceed.
  private static var likelySize: Int { 8_192 }

  /// Whether the connection ends with the answer.
  let isLast: Bool

  init(_ plan: Plan, isLast: Bool) {
    self.isLast = isLast
    state = Guarded(State(plan: plan))
  }

  /// Takes a part of the body.
  ///
  /// - Returns: false when the client sends so much that it is not worth reading.
  func append(_ part: UnsafeRawBufferPointer, limits: ServerOptions.Limits) -> Bool {
    state.withLock { state in
      state.received += part.count
      if state.received > limits.refusedBody { return false }
      guard case .open = state.plan else { return true }
      if state.received > limits.body {
        state.plan = .answer(.tooLarge)
        state.body = []
      } else {
        if state.body.isEmpty { state.body.reserveCapacity(max(part.count, Self.likelySize)) }
        state.body.append(contentsOf: part)
      }
      return true
    }
  }

  /// Notes that its answer is being sent.
  func noteAnswer() { state.withLock { $0.isAnswered = true } }

  /// Whether its answer was being sent, at least.
  var isAnswered: Bool { state.withLock { $0.isAnswered } }

  /// What to do now that the request is there; asked again once the pool has answered.
  func next() -> Step {
    state.withLock { state in
      if let outcome = state.outcome { return outcome.map { .answer($0) } ?? .close }
      switch state.plan {
      case .answer(let answer): return .answer(answer)
      case .open(let opening):
        let body = state.body
        state.body = []
        return .open(opening, body)
      }
    }
  }

  /// Keeps what can be cancelled.
  func keep(_ submission: Submission) {
    state.withLock { state in
      if state.outcome == nil { state.submission = submission }
    }
  }

  /// Takes the pool's answer, nil when nobody waits for it.
  func settle(_ answer: Answer?) {
    state.withLock { state in
      state.outcome = .some(answer)
      state.submission = nil
    }
  }

  /// Withdraws the request from the pool, if it is still there.
  func cancel() {
    state.withLock { $0.submission }?.cancel()
  }
}
