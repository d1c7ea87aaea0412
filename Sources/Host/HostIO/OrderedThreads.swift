import Synchronization
import Threads

/// One thread's share of a task whose results have an order.
package protocol OrderedWorker: AnyObject {
  /// Takes the next unit of work; false if there is none. Only one worker at a time takes a unit.
  func take() -> Bool
  /// Works on the unit, beside the other workers.
  func work()
  /// Delivers the result; false if nothing more can be delivered. Called in the order in which units were taken.
  func deliver() -> Bool
}

/// Threads that take units of work from one input, and deliver their results in the order of the input.
///
/// A thread takes a unit, works on it, and waits until those taken before are delivered. So each thread has at most one
/// unit in memory, however long the input is.
package final class OrderedThreads: Sendable {
  /// The number of units taken.
  private let input = Monitor(0)
  /// The number of units delivered.
  private let output = Monitor(0)
  private let stop: StopSignal
  private let isOver = Atomic(false)

  /// What the main thread needs at least (`ProcessSetup`). The system's default may take eight times as much address
  /// space.
  private static var stackSize: Int { 1 << 20 }

  private init(_ stop: StopSignal) { self.stop = stop }

  /// Runs the task on the calling thread and on others, fewer than `count` in all if the system refuses some. Returns
  /// when all have ended.
  ///
  /// - Parameters:
  ///   - stop: raised when a worker cannot deliver, for those that wait for input.
  ///   - makeWorker: makes a thread's worker; nil if there is no memory for one.
  /// - Returns: false if there was no memory for the first worker.
  package static func run(
    _ count: Int, stop: StopSignal, _ makeWorker: @escaping @Sendable () -> (any OrderedWorker)?
  ) -> Bool {
    guard let first = makeWorker() else { return false }
    let shared = OrderedThreads(stop)
    let threads = (1..<max(1, count)).compactMap { _ in
      SystemThread(stackSize: stackSize) {
        if let worker = makeWorker() { shared.run(worker) }
      }
    }
    shared.run(first)
    for thread in threads { thread.join() }
    return true
  }

  private func run(_ worker: any OrderedWorker) {
    while let turn = take(worker) {
      worker.work()
      deliver(worker, at: turn)
    }
  }

  private func take(_ worker: any OrderedWorker) -> Int? {
    input.withLock { taken in
      guard !isOver.load(ordering: .relaxed), worker.take() else { return nil }
      taken += 1
      return taken - 1
    }
  }

  private func deliver(_ worker: any OrderedWorker, at turn: Int) {
    _ = output.wait { delivered -> Void? in
      guard delivered == turn else { return nil }
      if !isOver.load(ordering: .relaxed), !worker.deliver() {
        isOver.store(true, ordering: .relaxed)
        stop.raise()
      }
      delivered += 1
      return ()
    }
    output.wakeAll()
  }
}
