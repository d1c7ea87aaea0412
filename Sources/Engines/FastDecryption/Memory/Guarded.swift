#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value that only one thread at a time can access.
///
/// Uses a pthread mutex instead of `Mutex` because ThreadSanitizer understands it. With glibc, the mutex spins before
/// it sleeps: it is held for less than a microsecond, and waking a thread takes tens of microseconds.
///
/// `@unchecked Sendable`: the value is only accessed under the lock.
final class Guarded<Value>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
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
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}
