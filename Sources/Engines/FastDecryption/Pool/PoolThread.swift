import CMachine
import Threads

enum PoolThread {
  /// The CPU and the priority of a thread.
  enum Placement: Sendable {
    case anywhere
    case cpu(Int)
    /// The lowest priority: about a seventieth of a CPU that another thread also uses. The thread stays off these CPUs
    /// if the process may use others.
    case background(off: [Int])
  }

  /// Starts a thread that ends when `body` returns; false if the system refuses one.
  ///
  /// - Parameters:
  ///   - ending: counts the thread's end: without a schedule, after `body` and everything it holds is released.
  ///   - schedule: runs the thread, if there is one.
  static func start(
    _ placement: Placement, of ending: PoolEnding, by schedule: (any PoolSchedule)?,
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    if let schedule {
      schedule.start {
        body()
        ending.remove()
      }
      return true
    }
    let thread = SystemThread(ended: ending.remove) {
      place(placement)
      body()
    }
    thread?.detach()
    return thread != nil
  }

  private static func place(_ placement: Placement) {
    switch placement {
    case .anywhere: break
    // The pool has checked that the process may run there.
    case .cpu(let number): _ = assay_pin_thread_to(Int32(number))
    // If the system refuses, the thread keeps its priority and its CPUs.
    case .background(let cpus):
      _ = assay_lower_thread_priority()
      _ = assay_keep_thread_off(cpus.map { Int32(clamping: $0) }, cpus.count)
    }
  }
}

/// Lets one thread sleep until another wakes it. A wake before the sleep is not lost.
final class Parker: Sendable {
  private let isAwoken = Monitor(false)
  private let schedule: (any PoolSchedule)?

  init(_ schedule: (any PoolSchedule)? = nil) { self.schedule = schedule }

  /// Sleeps until `wake` is called; returns at once if it was called since the last `park`.
  ///
  /// - Parameter end: when to wake without a call; nil for never.
  func park(until end: ContinuousClock.Instant? = nil) {
    if let schedule {
      schedule.wait(for: .wake, until: end) { self.isAwoken.withLock { $0 } }
      return isAwoken.withLock { $0 = false }
    }
    _ = isAwoken.wait(until: end) { isAwoken -> Void? in
      defer { isAwoken = false }
      return isAwoken ? () : nil
    }
  }

  func wake() {
    isAwoken.withLock { $0 = true }
    isAwoken.wakeOne()
    if let schedule { schedule.yield() }
  }
}

/// Counts the threads of a pool that have not ended, and resumes the tasks that wait for their end.
///
/// Holds no reference to keys: a thread reports its end here after it has released everything else.
final class PoolEnding: Sendable {
  private struct State {
    /// Threads that have not ended.
    var left: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Guarded<State>

  init(threads: Int, _ schedule: (any PoolSchedule)?) {
    state = Guarded(State(left: threads), schedule)
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
