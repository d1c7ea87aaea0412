import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that looks after the connections now and then. libmicrohttpd ends those that are silent; it does not see
/// that a client sends a byte a second, nor that one has gone whose request is being decrypted.
final class ConnectionWatch: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let thread = Guarded<pthread_t?>(nil)
  private let look: @Sendable () -> Void

  /// How often it looks.
  private static var interval: UInt32 { 50_000 }  // microseconds

  /// - Parameter look: what it does each time.
  init(_ look: @escaping @Sendable () -> Void) {
    self.look = look
  }

  /// Starts it; false when the system has no thread.
  func start() -> Bool {
    var thread = pthread_t()
    let watch = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        #if canImport(Glibc)
          guard let context else { return nil }
        #endif
        let watch = Unmanaged<ConnectionWatch>.fromOpaque(context).takeRetainedValue()
        while !watch.isOver.load(ordering: .acquiring) {
          usleep(ConnectionWatch.interval)
          watch.look()
        }
        return nil
      }, watch.toOpaque())
    guard failure == 0 else {
      watch.release()
      return false
    }
    let started = thread
    self.thread.withLock { $0 = started }
    return true
  }

  /// Ends it, and waits for that.
  func stop() {
    isOver.store(true, ordering: .releasing)
    let running = thread.withLock { thread in
      let running = thread
      thread = nil
      return running
    }
    if let running { pthread_join(running, nil) }
  }
}
