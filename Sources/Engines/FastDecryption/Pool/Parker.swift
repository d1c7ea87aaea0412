#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where one thread sleeps until another wakes it; a wake that comes first is kept.
///
/// `@unchecked Sendable`: `isAwoken` is only touched under the lock.
final class Parker: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let awoken = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isAwoken = false

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(awoken, nil)
  }

  deinit {
    pthread_cond_destroy(awoken)
    pthread_mutex_destroy(lock)
    awoken.deallocate()
    lock.deallocate()
  }

  /// Sleeps until `wake` is called, or not at all if it was called since the last time.
  func park() {
    pthread_mutex_lock(lock)
    while !isAwoken { pthread_cond_wait(awoken, lock) }
    isAwoken = false
    pthread_mutex_unlock(lock)
  }

  func wake() {
    pthread_mutex_lock(lock)
    isAwoken = true
    pthread_mutex_unlock(lock)
    pthread_cond_signal(awoken)
  }
}
