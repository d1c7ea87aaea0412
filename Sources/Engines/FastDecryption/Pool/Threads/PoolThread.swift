import CMachine
import Threads

enum PoolThread {
  /// The CPU and the priority of a thread.
  enum Placement: Sendable {
    case anywhere
    case cpu(Int)
    /// The lowest priority: about a seventieth of a CPU that another thread also uses. The thread stays off these CPUs
    /// if the process may use others.
    case background(off: [Int])
  }

  /// Starts a thread that ends when `body` returns; false if the system refuses one.
  ///
  /// - Parameters:
  ///   - ending: counts the thread's end: without a schedule, after `body` and everything it holds is released.
  ///   - schedule: runs the thread, if there is one.
  static func start(
    _ placement: Placement, of ending: PoolEnding, by schedule: (any PoolSchedule)?,
    _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    if let schedule {
      schedule.start {
        body()
        ending.remove()
      }
      return true
    }
    let thread = SystemThread(ended: ending.remove) {
      apply(placement)
      body()
    }
    thread?.detach()
    return thread != nil
  }

  private static func apply(_ placement: Placement) {
    switch placement {
    case .anywhere: break
    // The pool has checked that the process may run there.
    case .cpu(let number): _ = assay_pin_thread_to(Int32(number))
    // If the system refuses, the thread keeps its priority and its CPUs.
    case .background(let cpus):
      _ = assay_lower_thread_priority()
      _ = assay_keep_thread_off(cpus.map { Int32(clamping: $0) }, cpus.count)
    }
  }
}
