import PaymentToken

extension DecryptionPool {
  /// Why a request was not answered with a payment.
  public enum Refusal: Error, Hashable, Sendable {
    /// The engine's verdict.
    case token(TokenFault)
    /// As many requests wait as may wait. The same token may pass later.
    case overloaded
    /// The caller took the request back before it was decided: no replay store was asked about the token.
    case cancelled
    /// The deadline, or the policy's window, passed before the request was begun: likewise.
    case deadlineExceeded
    /// The pool takes no more requests.
    case shutDown
  }
}

extension DecryptionPool.Refusal: CustomStringConvertible {
  /// A stable word; of a verdict its code, stage and member.
  public var description: String {
    switch self {
    case .token(let fault): fault.description
    case .overloaded: "overloaded"
    case .cancelled: "cancelled"
    case .deadlineExceeded: "deadlineExceeded"
    case .shutDown: "shutDown"
    }
  }
}

/// What is left to end of a pool, and who waits for it. Knows nothing that holds keys, so that a thread can tell it that it has
/// ended once it has let go of all else.
final class PoolEnding: Sendable {
  private struct State {
    /// Threads that run.
    var left: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  /// - Parameter threads: how many will end.
  init(threads: Int) {
    state = Guarded(State(left: threads))
  }

  /// Counts one that has ended.
  func remove() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.left -= 1
      guard state.left == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when all have ended.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.left > 0 { state.waiters.append(continuation) }
        return state.left == 0
      }
      if isOver { continuation.resume() }
    }
  }
}
