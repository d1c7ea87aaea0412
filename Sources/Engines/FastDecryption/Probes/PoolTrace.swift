import CMachine
import Synchronization

/// When a lone request of a pool passed each stage on its way to a worker, to measure what waking one takes.
///
/// Written by the caller's thread and the worker's; read when the request is answered.
package final class PoolTrace: Sendable {
  /// An event, in order.
  package enum Stage: Int, CaseIterable, Sendable {
    /// The request is in the queue.
    case queued
    /// The system call that wakes the worker has returned.
    case woken
    /// The worker runs. Not passed by a worker that was spinning.
    case running
    /// The worker has taken the request.
    case taken
    /// The token is decrypted, and the caller is about to be called back.
    case decided
  }

  private let queued = Atomic<UInt64>(0)
  private let woken = Atomic<UInt64>(0)
  private let running = Atomic<UInt64>(0)
  private let taken = Atomic<UInt64>(0)
  private let decided = Atomic<UInt64>(0)

  /// Creates a trace without times.
  package init() {}

  /// The monotonic clock when a stage was passed last, in nanoseconds; zero if it was not.
  package subscript(_ stage: Stage) -> UInt64 {
    switch stage {
    case .queued: queued.load(ordering: .acquiring)
    case .woken: woken.load(ordering: .acquiring)
    case .running: running.load(ordering: .acquiring)
    case .taken: taken.load(ordering: .acquiring)
    case .decided: decided.load(ordering: .acquiring)
    }
  }

  func mark(_ stage: Stage) { set(stage, to: assay_monotonic_nanoseconds()) }

  /// Forgets all times.
  package func clear() {
    for stage in Stage.allCases { set(stage, to: 0) }
  }

  private func set(_ stage: Stage, to time: UInt64) {
    switch stage {
    case .queued: queued.store(time, ordering: .releasing)
    case .woken: woken.store(time, ordering: .releasing)
    case .running: running.store(time, ordering: .releasing)
    case .taken: taken.store(time, ordering: .releasing)
    case .decided: decided.store(time, ordering: .releasing)
    }
  }
}
