#if Redis

import PaymentToken
import StoreSupport
import Threads

/// What the callers' threads and the store's thread share: the questions that are not sent yet, and the state.
final class Questions: Sendable {
  private struct State {
    var metrics = RedisReplayStore.Metrics()
    var waiting: [Asked] = []
    /// Questions that the thread has taken and whose reply is owed.
    var taken = 0
    /// Whether the thread sleeps, or is about to.
    var isAsleep = false
    var isStopped = false
    var readiness: [Awaited<Bool>] = []
  }

  private let state = Monitor(State())
  private let capacity: Int
  let wakeUp: WakeUp

  init(capacity: Int, wakeUp: WakeUp) {
    self.capacity = capacity
    self.wakeUp = wakeUp
  }
}

// MARK: - For callers

extension Questions {
  var metrics: RedisReplayStore.Metrics {
    state.withLock { state in
      var metrics = state.metrics
      metrics.outstanding = state.waiting.count + state.taken
      return metrics
    }
  }

  /// Takes questions for the thread. Those without room, and all while no connection is ready, are answered at once.
  func add(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    let (accepted, wakes) = state.withLock { state -> (Int, Bool) in
      let isReady = state.metrics.status == .ready && !state.isStopped
      let room = isReady ? max(0, capacity - state.waiting.count - state.taken) : 0
      let accepted = min(room, questions.count)
      for index in 0..<accepted {
        state.waiting.append(Asked(question: questions[index], index: index, answer: answer))
      }
      let refused = UInt64(questions.count - accepted)
      if refused > 0 { state.metrics.unavailable[isReady ? .overloaded : .notConnected, default: 0] += refused }
      let wakes = accepted > 0 && state.isAsleep
      if wakes { state.isAsleep = false }
      return (accepted, wakes)
    }
    if wakes { wakeUp.wake() }
    for index in accepted..<questions.count { answer(index, .unavailable) }
  }

  /// Counts a verdict. Called before it is given, so that a caller with a verdict finds it counted.
  func count(_ verdict: ReplayVerdict, _ cause: RedisReplayStore.Cause?) {
    state.withLock { $0.metrics.count(verdict, cause) }
  }

  /// Waits for a connection that is ready; false if there is none by `end`.
  func waitUntilReady(_ end: ContinuousClock.Instant) -> Bool {
    let awaited = state.withLock { state -> Awaited<Bool> in
      let awaited = Awaited<Bool>()
      if state.metrics.status == .ready { awaited.set(true) } else { state.readiness.append(awaited) }
      return awaited
    }
    if let isReady = awaited.wait(until: end) { return isReady }
    state.withLock { $0.readiness.removeAll { $0 === awaited } }
    return false
  }

  /// Ends the thread.
  func stop() {
    state.withLock { $0.isStopped = true }
    wakeUp.wake()
  }
}

// MARK: - For the thread

extension Questions {
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Takes questions from now on.
  func open() {
    let waiters = state.withLock { state -> [Awaited<Bool>] in
      state.metrics.status = .ready
      state.metrics.connections += 1
      defer { state.readiness = [] }
      return state.readiness
    }
    for waiter in waiters { waiter.set(true) }
  }

  /// Takes no more questions, and answers those that were not sent.
  func close(_ failure: RedisReplayStore.Failure?) {
    let unsent = state.withLock { state -> [Asked] in
      if let failure {
        state.metrics.status = .failed(failure)
        state.metrics.failures += 1
      }
      state.taken = 0
      defer { state.waiting = [] }
      for _ in state.waiting { state.metrics.count(.unavailable, .connectionLost) }
      return state.waiting
    }
    for asked in unsent { asked.answer(asked.index, .unavailable) }
  }

  /// Takes the waiting questions. From then on a new one wakes the thread.
  ///
  /// - Parameter owed: the questions that were taken before and whose reply is owed.
  func take(owed: Int) -> [Asked] {
    state.withLock { state in
      state.taken = owed + state.waiting.count
      state.isAsleep = true
      defer { state.waiting.removeAll(keepingCapacity: false) }
      return state.waiting
    }
  }
}

#endif
