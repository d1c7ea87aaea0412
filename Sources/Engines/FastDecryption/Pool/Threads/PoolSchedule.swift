import PaymentToken

/// Runs a pool's threads in an order that a test chooses, one thread at a time, by a clock that the test sets.
///
/// If requests come by `submit`, everything that can differ between two runs of a pool goes through the schedule: locks
/// (`Locked`), sleep (`Parker`), spinning, threads (`PoolThread`), the clock, and `Submission.move`. Only tests have a
/// schedule. Without one, a pool uses pthreads and the system's clock.
package protocol PoolSchedule: AnyObject, Sendable {
  /// The clock. Other threads may run before it is read.
  var now: ContinuousClock.Instant { get }

  /// Lets other threads run. Called before `Submission.move` changes a request's place, after a lock is released, and
  /// after a thread is woken.
  func yield()

  /// Blocks the thread until `isMet` returns true, or until `end`. Other threads may run in any case.
  ///
  /// - Parameter isMet: called at any time, on any thread; the thread continues if it returns true.
  func wait(for kind: PoolWait, until end: ContinuousClock.Instant?, _ isMet: @escaping () -> Bool)

  /// Starts a thread.
  func start(_ body: @escaping @Sendable () -> Void)

  /// Decides requests in place of an engine; nil if the engine decides them.
  var decider: PoolDecider? { get }
}

/// What a thread of a pool waits for.
package enum PoolWait: Sendable {
  /// To get a lock.
  case lock
  /// To be woken.
  case wake
  /// Spinning, for requests.
  case requests
}

extension Optional where Wrapped == any PoolSchedule {
  /// The schedule's clock, or the system's.
  var now: ContinuousClock.Instant {
    if let self { self.now } else { .now }
  }
}
