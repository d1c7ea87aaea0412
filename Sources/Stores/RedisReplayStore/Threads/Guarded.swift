#if Redis

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A value that one thread at a time may touch. The C library's lock in place of `Mutex`, because ThreadSanitizer sees
/// it.
///
/// `@unchecked Sendable`: the value is only touched under the lock.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with the value under the lock. Not recursive.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}

/// A value that one thread waits for and another sets, once.
///
/// `@unchecked Sendable`: the value is only touched under the lock.
final class Awaited<Value: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let isSet = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value?

  init() {
    pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    #if canImport(Glibc)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(isSet, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(isSet)
    pthread_mutex_destroy(lock)
    isSet.deallocate()
    lock.deallocate()
  }

  /// Sets the value; a second call changes nothing.
  func set(_ new: Value) {
    pthread_mutex_lock(lock)
    if value == nil { value = new }
    pthread_mutex_unlock(lock)
    pthread_cond_signal(isSet)
  }

  /// The value, or nil if nobody has set it by `end`.
  func wait(until end: ContinuousClock.Instant) -> Value? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while value == nil {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { return nil }
      wait(for: min(left, .seconds(60)))
    }
    return value
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
    pthread_cond_timedwait(isSet, lock, &end)
    #else
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    pthread_cond_timedwait_relative_np(isSet, lock, &time)
    #endif
  }
}

#endif
