#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that one thread at a time can access, and whose changes others wait for: a monitor (Hoare 1974).
///
/// Uses the C library's lock and condition instead of `Mutex` because ThreadSanitizer understands them.
///
/// `@unchecked Sendable`: the value is only accessed under the lock.
package final class Monitor<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  /// Calls `body` with the value under the lock. Not recursive.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }

  /// Lets one thread that waits look at the value again.
  package func wakeOne() { pthread_cond_signal(changed) }

  /// Lets all threads that wait look at the value again.
  package func wakeAll() { pthread_cond_broadcast(changed) }

  /// Calls `body` under the lock, again whenever this thread is woken, until its result is not nil.
  ///
  /// - Parameter end: when to give up; nil for never.
  /// - Returns: nil if the result still is at `end`.
  package func wait<Result>(
    until end: ContinuousClock.Instant? = nil, for body: (inout Value) -> Result?
  ) -> Result? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let result = body(&value) { return result }
      guard let end else {
        pthread_cond_wait(changed, lock)
        continue
      }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return nil }
      // Wait at most a minute at a time, because the C library's times end sooner than a `Duration`.
      wait(for: min(left, .seconds(60)))
    }
  }

  /// Waits by a monotonic clock. May return early.
  private func wait(for time: Duration) {
    let (seconds, attoseconds) = time.components
    #if canImport(Glibc)
      var end = timespec()
      clock_gettime(CLOCK_MONOTONIC, &end)
      let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
      end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
      end.tv_nsec = nanoseconds % 1_000_000_000
      pthread_cond_timedwait(changed, lock, &end)
    #else
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      pthread_cond_timedwait_relative_np(changed, lock, &time)
    #endif
  }
}
