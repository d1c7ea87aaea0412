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
