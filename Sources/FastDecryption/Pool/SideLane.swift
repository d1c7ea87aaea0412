
/// Where requests wait whose certificates have not been seen yet, so that those of known signers need not.
///
/// Verifying certificates takes as long as dozens of tokens, and anybody can send new ones. So they have a thread of
/// their own that gives way to the workers, and a queue of their own that is bounded.
final class SideLane: Sendable {
  private struct State {
    var queue: SubmissionQueue
    var isAsleep = false
    var isClosing = false
  }

  let seat: Seat
  private let state: Guarded<State>
  private let parker = Parker()

  init(seat: Seat, capacity: Int, octetCapacity: Int) {
    self.seat = seat
    state = Guarded(State(queue: SubmissionQueue(capacity: capacity, octetCapacity: octetCapacity)))
  }

  /// How many requests wait.
  var depth: Int { state.withLock { $0.queue.count } }

  /// Takes a request that a worker has begun, or answers it when there is no room.
  func take(_ submission: Submission, from tally: Tally) {
    guard submission.putBack() else {
      tally.count(.cancelled)
      submission.refuse(.cancelled)
      return
    }
    let (isTaken, wakes) = state.withLock { state in
      guard state.queue.hasRoom(for: submission.octets.count) else { return (false, false) }
      state.queue.append(submission)
      defer { state.isAsleep = false }
      return (true, state.isAsleep)
    }
    if wakes { parker.wake() }
    if isTaken {
      tally.count(.cold)
    } else if submission.begin() {
      tally.count(.overloaded)
      submission.refuse(.overloaded)
    }
  }

  /// Answers requests until the lane is closed and empty.
  func run(by engine: () -> FastDecryptor) {
    while takeNext() { seat.decide(by: engine(), leave: nil) }
  }

  /// Has `run` end once all is answered.
  func close() {
    state.withLock { $0.isClosing = true }
    parker.wake()
  }

  private func takeNext() -> Bool {
    while true {
      let isWorking: Bool? = state.withLock { state in
        state.queue.move(DecryptionPool.Configuration.sideBatch, to: &seat.taken)
        if !seat.taken.isEmpty { return true }
        if state.isClosing { return false }
        state.isAsleep = true
        return nil
      }
      if let isWorking { return isWorking }
      parker.park()
    }
  }
}
