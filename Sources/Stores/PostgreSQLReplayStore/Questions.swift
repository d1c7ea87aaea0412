#if PostgreSQL

import PaymentToken
import StoreSupport
import Threads

/// A question and where its answer goes.
struct Asked: Sendable {
  let question: ReplayQuestion
  let index: Int
  let answer: @Sendable (Int, ReplayVerdict) -> Void
}

/// What the callers' threads and the workers share: the questions that are not sent yet, and the counts.
final class Questions: Sendable {
  typealias Failure = PostgreSQLReplayStore.Failure

  private struct State {
    var metrics = PostgreSQLReplayStore.Metrics()
    /// Connections that questions wait for: those that are ready, and those that are being made again.
    var open = 0
    var waiting = Queue<Asked>()
    var isStopped = false
  }

  private let state = Monitor(State())
  private let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var isStopped: Bool { state.withLock { $0.isStopped } }

  var metrics: PostgreSQLReplayStore.Metrics {
    state.withLock { state in
      var metrics = state.metrics
      metrics.waiting = state.waiting.count
      return metrics
    }
  }

  /// Counts verdicts. Called before they are given, so that a caller with a verdict finds it counted.
  func count(fresh: Int = 0, replayed: Int = 0, full: Int = 0) {
    state.withLock { state in
      state.metrics.fresh += UInt64(fresh)
      state.metrics.replayed += UInt64(replayed)
      state.metrics.full += UInt64(full)
    }
  }

  /// Answers `.unavailable`.
  func refuse(_ asked: some Collection<Asked>, _ reason: Failure) {
    if asked.isEmpty { return }
    state.withLock { $0.metrics.unavailable[reason, default: 0] += UInt64(asked.count) }
    for each in asked { each.answer(each.index, .unavailable) }
  }

  /// Takes questions for the workers. Those without room, and all while no connection is open, are answered at once.
  func add(_ asked: [Asked]) {
    let (accepted, isOpen) = state.withLock { state in
      let isOpen = state.open > 0 && !state.isStopped
      let accepted = isOpen ? min(asked.count, max(0, capacity - state.waiting.count)) : 0
      for question in asked.prefix(accepted) { state.waiting.append(question) }
      return (accepted, isOpen)
    }
    if accepted > 0 { state.wakeAll() }
    refuse(asked.dropFirst(accepted), isOpen ? .overloaded : .notConnected)
  }

  /// Waits for questions, and takes up to `limit` of them; none if the store was released.
  func take(_ limit: Int) -> [Asked] {
    let taken = state.wait { state -> [Asked]? in
      if state.isStopped { return [] }
      return state.waiting.count == 0 ? nil : state.waiting.take(limit)
    }
    return taken ?? []
  }

  /// Waits for a while, or until the store is released.
  func sleep(for time: Duration) {
    _ = state.wait(until: .now.advanced(by: time)) { $0.isStopped ? () : nil }
  }

  func waitUntilReady(_ end: ContinuousClock.Instant) -> Bool {
    state.wait(until: end) { $0.metrics.ready > 0 ? () : nil } != nil
  }

  /// A connection became ready, for the first time or again.
  func open(again: Bool = false) {
    state.withLock { state in
      state.open += again ? 0 : 1
      state.metrics.ready += 1
      state.metrics.connections += 1
    }
    state.wakeAll()
  }

  /// A ready connection is being made again. Questions wait for it meanwhile.
  func reopen() { state.withLock { $0.metrics.ready -= 1 } }

  /// A connection that was open has ended. After the last one, waiting questions are refused.
  func close(wasReady: Bool) {
    let left = state.withLock { state -> [Asked] in
      state.metrics.ready -= wasReady ? 1 : 0
      state.open -= 1
      guard state.open == 0 else { return [] }
      return state.waiting.take(.max)
    }
    refuse(left, .notConnected)
  }

  func fail(_ failure: Failure) {
    state.withLock { state in
      state.metrics.failures += 1
      state.metrics.lastFailure = failure
    }
  }

  /// Ends the workers.
  func stop() {
    state.withLock { $0.isStopped = true }
    state.wakeAll()
  }
}

#endif
