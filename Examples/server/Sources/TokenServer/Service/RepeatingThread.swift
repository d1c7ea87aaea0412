import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs a function again and again, with pauses of 50 milliseconds.
final class RepeatingThread: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let thread = Guarded<pthread_t?>(nil)
  private let action: @Sendable () -> Void

  private static var interval: UInt32 { 50_000 }  // microseconds

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = action
  }

  /// Starts it; false if the system has no thread left.
  func start() -> Bool {
    var thread = pthread_t()
    let runner = Unmanaged.passRetained(self)
    let failure = pthread_create(
      &thread, nil,
      { context in
        #if canImport(Glibc)
          guard let context else { return nil }
        #endif
        let runner = Unmanaged<RepeatingThread>.fromOpaque(context).takeRetainedValue()
        while !runner.isOver.load(ordering: .acquiring) {
          usleep(RepeatingThread.interval)
          runner.action()
        }
        return nil
      }, runner.toOpaque())
    guard failure == 0 else {
      runner.release()
      return false
    }
    let started = thread
    self.thread.withLock { $0 = started }
    return true
  }

  /// Ends it, and waits for its end.
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
