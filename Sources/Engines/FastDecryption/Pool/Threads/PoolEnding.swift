/// Counts the threads of a pool that have not ended, and resumes the tasks that wait for their end.
///
/// Holds no reference to keys: a thread reports its end here after it has released everything else.
final class PoolEnding: Sendable {
  private struct State {
    /// Threads that have not ended.
    var left: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Locked<State>

  init(threads: Int, _ schedule: (any PoolSchedule)?) {
    state = Locked(State(left: threads), schedule)
  }

  /// Counts a thread that has ended.
  func remove() {
    let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.left -= 1
      guard state.left == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when all threads have ended.
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
