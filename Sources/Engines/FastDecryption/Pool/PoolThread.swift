import CMachine

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread of a pool. Not a task: it is busy for as long as it runs, and may have a CPU to itself.
final class PoolThread: Sendable {
  /// Where and how it runs.
  enum Placement: Sendable {
    case anywhere
    case cpu(Int)
    /// With a tenth of a CPU that others want as well.
    case background
  }

  private let placement: Placement
  private let body: @Sendable () -> Void
  private let ending: PoolEnding

  private init(_ placement: Placement, of ending: PoolEnding, _ body: @escaping @Sendable () -> Void) {
    self.placement = placement
    self.ending = ending
    self.body = body
  }

  /// Starts a thread that ends when `body` returns; false when the system refuses one.
  ///
  /// - Parameter ending: is told last, when `body` and all that it holds is gone.
  static func start(_ placement: Placement, of ending: PoolEnding, _ body: @escaping @Sendable () -> Void) -> Bool {
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
        PoolThread.live(Unmanaged<PoolThread>.fromOpaque(pointer)).remove()
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

  /// Runs a thread, and lets go of it; what is to be told last is left.
  @inline(never)
  private static func live(_ reference: Unmanaged<PoolThread>) -> PoolEnding {
    let thread = reference.takeRetainedValue()
    switch thread.placement {
    case .anywhere: break
    // That the process may run there was asked before.
    case .cpu(let number): _ = assay_pin_thread_to(Int32(number))
    // Where it is not to be had the slow path is a thread like others.
    case .background: _ = assay_lower_thread_priority()
    }
    thread.body()
    return thread.ending
  }
}
