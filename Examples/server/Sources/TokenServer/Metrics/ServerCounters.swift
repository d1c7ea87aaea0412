import Synchronization

/// What the server counts in addition to the pool's metrics.
final class ServerCounters: Sendable {
  /// Connections that are open.
  let connections = Atomic<Int>(0)
  /// Requests whose head was read and that are not yet answered.
  let underWay = Atomic<Int>(0)
  /// Connections ended because a client took too long.
  let slow = Atomic<UInt64>(0)
  /// Requests withdrawn because their client had gone.
  let abandoned = Atomic<UInt64>(0)
  /// Answers that could not be sent as a whole.
  let undelivered = Atomic<UInt64>(0)
  let keyLoads = Atomic<UInt64>(0)
  let failedKeyLoads = Atomic<UInt64>(0)
  private let answers = Guarded<[Answer.Status: UInt64]>([:])

  func countAnswer(_ status: Answer.Status) {
    answers.withLock { $0[status, default: 0] += 1 }
  }

  func answers(_ status: Answer.Status) -> UInt64 {
    answers.withLock { $0[status, default: 0] }
  }
}
