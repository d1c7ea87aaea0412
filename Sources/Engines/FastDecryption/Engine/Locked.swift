#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that only one thread at a time can access.
///
/// Uses a pthread mutex instead of `Mutex` because ThreadSanitizer understands pthread mutexes. With glibc, the mutex
/// spins before it sleeps: it is held briefly, and waking a thread takes tens of microseconds.
///
/// `@unchecked Sendable`: the value is only accessed under the lock.
final class Locked<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let schedule: (any PoolSchedule)?
  private var value: Value

  /// - Parameter schedule: the schedule of the pool to which the value belongs, if any.
  init(_ value: sending Value, _ schedule: (any PoolSchedule)? = nil) {
    self.value = value
    self.schedule = schedule
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    #if canImport(Glibc)
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
    #endif
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// Calls `body` with the value under the lock. Not recursive.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    acquire()
    defer { release() }
    return body(&value)
  }

  @inline(__always)
  private func acquire() {
    guard let schedule else {
      pthread_mutex_lock(lock)
      return
    }
    schedule.wait(for: .lock, until: nil) { [lock] in pthread_mutex_trylock(lock) == 0 }
  }

  @inline(__always)
  private func release() {
    pthread_mutex_unlock(lock)
    if let schedule { schedule.yield() }
  }
}
