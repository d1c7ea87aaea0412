import Threads

/// Lets one thread sleep until another wakes it. A wake before the sleep is not lost.
final class Parker: Sendable {
  private let isAwoken = Monitor(false)
  private let schedule: (any PoolSchedule)?

  init(_ schedule: (any PoolSchedule)? = nil) { self.schedule = schedule }

  /// Sleeps until `wake` is called; returns at once if it was called since the last `park`.
  ///
  /// - Parameter end: when to wake without a call; nil for never.
  func park(until end: ContinuousClock.Instant? = nil) {
    if let schedule {
      schedule.wait(for: .wake, until: end) { self.isAwoken.withLock { $0 } }
      return isAwoken.withLock { $0 = false }
    }
    _ = isAwoken.wait(until: end) { isAwoken -> Void? in
      defer { isAwoken = false }
      return isAwoken ? () : nil
    }
  }

  func wake() {
    isAwoken.withLock { $0 = true }
    isAwoken.wakeOne()
    if let schedule { schedule.yield() }
  }
}
