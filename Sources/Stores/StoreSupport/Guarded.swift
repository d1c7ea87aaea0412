#if Redis || PostgreSQL

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A value that one thread at a time may touch, and whose changes others wait for. The C library's lock and condition
/// in place of `Mutex`, because ThreadSanitizer sees them.
///
/// `@unchecked Sendable`: the value is only touched under the lock.
package final class Guarded<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isChanged = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(isChanged, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(isChanged)
    pthread_mutex_destroy(lock)
    isChanged.deallocate()
    lock.deallocate()
  }

  /// Calls `body` with the value under the lock. Not recursive.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }

  /// Has everyone who waits look at the value again.
  package func wakeAll() {
    pthread_cond_broadcast(isChanged)
  }

  /// Calls `body` under the lock until its result is not nil, after each change; nil if it still is at `end`.
  package func wait<Result>(until end: ContinuousClock.Instant, for body: (inout Value) -> Result?) -> Result? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while true {
      if let result = body(&value) { return result }
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return nil }
      wait(for: min(left, .seconds(60)))
    }
  }

  /// Waits by a clock that nobody sets. May return early.
  private func wait(for time: Duration) {
    let (seconds, attoseconds) = time.components
    #if canImport(Glibc)
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
    end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
    end.tv_nsec = nanoseconds % 1_000_000_000
    pthread_cond_timedwait(isChanged, lock, &end)
    #else
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    pthread_cond_timedwait_relative_np(isChanged, lock, &time)
    #endif
  }
}

/// A value that one thread waits for and another sets, once.
package final class Awaited<Value: Sendable>: Sendable {
  private let value = Guarded<Value?>(nil)

  package init() {}

  /// Sets the value; a second call changes nothing.
  package func set(_ new: Value) {
    value.withLock { if $0 == nil { $0 = new } }
    value.wakeAll()
  }

  /// The value, or nil if nobody has set it by `end`.
  package func wait(until end: ContinuousClock.Instant) -> Value? {
    value.wait(until: end) { $0 }
  }
}

#endif
