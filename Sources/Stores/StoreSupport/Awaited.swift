import Threads

/// A value that one thread waits for and another sets, once.
package final class Awaited<Value: Sendable>: Sendable {
  private let value = Monitor<Value?>(nil)

  package init() {}

  /// Sets the value; a second call changes nothing.
  package func set(_ new: Value) {
    value.withLock { if $0 == nil { $0 = new } }
    value.wakeAll()
  }

  /// The value, or nil if nobody has set it by `end`.
  package func wait(until end: ContinuousClock.Instant) -> Value? {
    value.wait(until: end) { $0 }
  }
}
