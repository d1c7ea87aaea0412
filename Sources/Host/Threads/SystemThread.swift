#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of the system. Not a task: it may block, and may be pinned to a CPU. Exactly one of `join` and `detach`
/// must be called.
package struct SystemThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    let ended: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void, _ ended: @escaping @Sendable () -> Void) {
      (self.run, self.ended) = (run, ended)
    }
  }

  private let thread: pthread_t

  /// Starts a thread; nil if the system refuses one.
  ///
  /// - Parameters:
  ///   - stackSize: in bytes; the system's default if nil.
  ///   - blocksSignals: whether the thread has all signals blocked.
  ///   - ended: called when `body` has returned, and it and everything it holds are released.
  package init?(
    stackSize: Int? = nil, blocksSignals: Bool = false, ended: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable () -> Void
  ) {
    #if canImport(Glibc)
      var started = pthread_t()
    #else
      var started: pthread_t?
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    // A thread inherits its creator's mask.
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    if blocksSignals { pthread_sigmask(SIG_SETMASK, &all, &before) }
    defer { if blocksSignals { pthread_sigmask(SIG_SETMASK, &before, nil) } }
    let argument = Unmanaged.passRetained(Body(body, ended))
    let status = pthread_create(
      &started, &attributes,
      { raw in
        // glibc's argument is optional, Darwin's is not.
        let pointer: UnsafeMutableRawPointer? = raw
        if let pointer { SystemThread.run(Unmanaged<Body>.fromOpaque(pointer))() }
        return nil
      }, argument.toOpaque())
    guard status == 0 else {
      argument.release()
      return nil
    }
    #if canImport(Glibc)
      thread = started
    #else
      guard let started else { return nil }
      thread = started
    #endif
  }

  /// Runs a body, releases it, and returns what is to be called then.
  @inline(never)
  private static func run(_ reference: Unmanaged<Body>) -> @Sendable () -> Void {
    let body = reference.takeRetainedValue()
    body.run()
    return body.ended
  }

  /// Returns when the thread has ended.
  package func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(thread) }
}
