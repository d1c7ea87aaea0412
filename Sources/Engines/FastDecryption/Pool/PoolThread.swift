import CMachine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of a pool. Not a task: it may block, and may be pinned to a CPU.
final class PoolThread: Sendable {
  /// The CPU and the priority of a thread.
  enum Placement: Sendable {
    case anywhere
    case cpu(Int)
    /// With low priority: a seventieth of a CPU that another thread wants as well. Not on these CPUs, if there are
    /// others.
    case background(off: [Int])
  }

  private let placement: Placement
  private let body: @Sendable () -> Void
  private let ending: PoolEnding

  private init(_ placement: Placement, of ending: PoolEnding, _ body: @escaping @Sendable () -> Void) {
    self.placement = placement
    self.ending = ending
    self.body = body
  }

  /// Starts a thread that ends when `body` returns; false if the system refuses one.
  ///
  /// - Parameters:
  ///   - ending: counts the thread's end, after `body` and everything it holds is released.
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
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let argument = Unmanaged.passRetained(PoolThread(placement, of: ending, body))
    let status = pthread_create(
      &thread, nil,
      { raw in
        // glibc's argument is optional, Darwin's is not.
        let pointer: UnsafeMutableRawPointer? = raw
        guard let pointer else { return nil }
        PoolThread.run(Unmanaged<PoolThread>.fromOpaque(pointer)).remove()
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return false
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    return true
  }

  /// Runs the thread's body, releases it, and returns the object that counts the thread's end.
  @inline(never)
  private static func run(_ reference: Unmanaged<PoolThread>) -> PoolEnding {
    let thread = reference.takeRetainedValue()
    switch thread.placement {
    case .anywhere: break
    // The pool has checked that the process may run there.
    case .cpu(let number): _ = assay_pin_thread_to(Int32(number))
    // If the system refuses, the thread keeps its priority and its CPUs.
    case .background(let cpus):
      _ = assay_lower_thread_priority()
      _ = assay_keep_thread_off(cpus.map { Int32(clamping: $0) }, cpus.count)
    }
    thread.body()
    return thread.ending
  }
}

/// Lets one thread sleep until another wakes it. A wake before the sleep is not lost.
///
/// `@unchecked Sendable`: `isAwoken` is only accessed under the lock.
final class Parker: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let awoken = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let schedule: (any PoolSchedule)?
  private var isAwoken = false

  init(_ schedule: (any PoolSchedule)? = nil) {
    self.schedule = schedule
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(awoken, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(awoken)
    pthread_mutex_destroy(lock)
    awoken.deallocate()
    lock.deallocate()
  }

  /// Sleeps until `wake` is called; returns at once if it was called since the last `park`.
  ///
  /// - Parameter end: when to wake without a call; nil for never.
  func park(until end: ContinuousClock.Instant? = nil) {
    if let schedule {
      schedule.wait(for: .wake, until: end) { self.isAwoken }
      isAwoken = false
      return
    }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while !isAwoken {
      guard let end else {
        pthread_cond_wait(awoken, lock)
        continue
      }
      let left = LatencyHistogram.nanoseconds(ContinuousClock.now.duration(to: end))
      if left == 0 { break }
      wait(for: min(left, Self.longestWait))
    }
    isAwoken = false
  }

  /// Beyond a minute the thread looks at the clock again.
  private static var longestWait: UInt64 { 60_000_000_000 }

  /// Waits for a call of `wake`, by a clock that nobody sets. May return early.
  private func wait(for nanoseconds: UInt64) {
    #if canImport(Glibc)
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let sum = UInt64(end.tv_nsec) + nanoseconds
      end.tv_sec += Int(sum / 1_000_000_000)
      end.tv_nsec = Int(sum % 1_000_000_000)
      pthread_cond_timedwait(awoken, lock, &end)
    #else
      var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      pthread_cond_timedwait_relative_np(awoken, lock, &time)
    #endif
  }

  func wake() {
    pthread_mutex_lock(lock)
    isAwoken = true
    pthread_mutex_unlock(lock)
    pthread_cond_signal(awoken)
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

  /// - Parameter threads: the number of threads.
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
