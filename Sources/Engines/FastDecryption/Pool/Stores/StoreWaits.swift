import PaymentToken
import Synchronization

/// The requests that wait for the answer of a replay store on another machine.
///
/// A worker adds the accepted tokens of a batch, asks their stores about all of them, and continues with its next batch.
/// Answers may come on any thread and in any order. The requests of one merchant form a line: a request is passed to
/// its caller when it and those before it in the line are answered, and a line is emptied by one worker at a time. So
/// the callers of one merchant get their answers in the order of the questions, and do not wait for those of another.
///
/// Every question has a deadline, at which it counts as unanswered. The request then leaves the line at once, also from
/// behind others. Answers that come later, and second ones, are ignored: the transaction may have been remembered, but
/// the token is rejected.
///
/// No other lock is taken under this one.
final class StoreWaits: Sendable {
  /// A request whose transaction a store is to be asked about.
  struct Request {
    let submission: Submission
    let token: HeldToken
    let store: any AsynchronousReplayStore
    let question: ReplayQuestion
  }

  /// A request and what its store said, or `unavailable` if it said nothing in time.
  typealias Answer = (submission: Submission, token: HeldToken, verdict: ReplayVerdict)

  /// Requests of one merchant that one worker passes to their callers, in this order. `finish` must follow.
  struct Run {
    let merchant: Bytes32
    fileprivate(set) var answers: [Answer] = []
  }

  private struct Waiting {
    let submission: Submission
    let token: HeldToken
    let deadline: ContinuousClock.Instant
    var verdict: ReplayVerdict?
    /// The neighbors in the line.
    var previous: UInt64?
    var next: UInt64?

    var merchant: Bytes32 { token.facts.publicKeyHash }
  }

  /// The requests of a merchant, in the order of the questions.
  private struct Line {
    /// Nil if no request waits.
    var first: UInt64?
    var last: UInt64?
    /// Whether a worker has a run of the line.
    var isBeingEmptied = false
  }

  private struct State {
    var waiting: [UInt64: Waiting] = [:]
    var lines: [Bytes32: Line] = [:]
    var nextNumber: UInt64 = 0
    /// No later than the earliest deadline of a request without an answer; nil if none waits.
    var earliest: ContinuousClock.Instant?
  }

  private let state = Guarded(State())
  /// Whether a store was ever asked. Pools without one take no lock.
  private let isUsed = Atomic(false)

  /// Requests that wait.
  var count: Int { isUsed.load(ordering: .acquiring) ? state.withLock { $0.waiting.count } : 0 }

  /// Whether no request waits and no worker has a run.
  var isEmpty: Bool { !isUsed.load(ordering: .acquiring) || state.withLock { $0.lines.isEmpty } }

  /// When `expire` has something to do, or earlier; nil if no request waits.
  var earliestDeadline: ContinuousClock.Instant? {
    isUsed.load(ordering: .acquiring) ? state.withLock { $0.earliest } : nil
  }

  /// Adds requests in the order in which their store is asked, and returns the number of the first. The numbers of the
  /// others follow.
  func add(_ requests: [Request]) -> UInt64 {
    isUsed.store(true, ordering: .releasing)
    return state.withLock { state in
      let first = state.nextNumber
      for request in requests {
        let (number, deadline) = (state.nextNumber, request.question.deadline)
        state.nextNumber += 1
        state.waiting[number] = Waiting(submission: request.submission, token: request.token, deadline: deadline)
        Self.append(number, &state)
        state.earliest = min(state.earliest ?? deadline, deadline)
      }
      return first
    }
  }

  /// Takes an answer, and returns the requests that can be passed to their callers now.
  func answer(_ number: UInt64, _ verdict: ReplayVerdict, at now: ContinuousClock.Instant) -> Run? {
    state.withLock { state in
      guard let waiting = state.waiting[number], waiting.verdict == nil else { return nil }
      state.waiting[number]?.verdict = now < waiting.deadline ? verdict : .unavailable
      return Self.run(of: waiting.merchant, &state)
    }
  }

  /// Ends the wait of requests whose deadline has passed, and returns them, with the requests behind them that can be
  /// passed to their callers now.
  func expire(at now: ContinuousClock.Instant) -> (expired: [Answer], runs: [Run]) {
    guard isUsed.load(ordering: .acquiring) else { return ([], []) }
    return state.withLock { state in
      guard let earliest = state.earliest, earliest <= now else { return ([], []) }
      let late = state.waiting.filter { $0.value.verdict == nil && $0.value.deadline <= now }
      for number in late.keys { Self.remove(number, &state) }
      state.earliest = state.waiting.values.lazy.filter { $0.verdict == nil }.map(\.deadline).min()
      let runs = Set(late.values.map(\.merchant)).compactMap { Self.run(of: $0, &state) }
      return (late.sorted { $0.key < $1.key }.map { ($0.value.submission, $0.value.token, .unavailable) }, runs)
    }
  }

  /// Ends a run, and returns the merchant's next one if it is answered by now.
  func finish(_ run: consuming Run) -> Run? {
    let merchant = run.merchant
    return state.withLock { state in
      state.lines[merchant]?.isBeingEmptied = false
      return Self.run(of: merchant, &state)
    }
  }

  private static func append(_ number: UInt64, _ state: inout State) {
    guard let merchant = state.waiting[number]?.merchant else { return }
    var line = state.lines[merchant] ?? Line()
    if let last = line.last { state.waiting[last]?.next = number } else { line.first = number }
    state.waiting[number]?.previous = line.last
    line.last = number
    state.lines[merchant] = line
  }

  private static func remove(_ number: UInt64, _ state: inout State) {
    guard let waiting = state.waiting.removeValue(forKey: number) else { return }
    if let previous = waiting.previous {
      state.waiting[previous]?.next = waiting.next
    } else {
      state.lines[waiting.merchant]?.first = waiting.next
    }
    if let next = waiting.next {
      state.waiting[next]?.previous = waiting.previous
    } else {
      state.lines[waiting.merchant]?.last = waiting.previous
    }
  }

  /// Takes the answered requests at the beginning of a line; nil if there are none, or a worker has others of the line.
  private static func run(of merchant: Bytes32, _ state: inout State) -> Run? {
    guard state.lines[merchant]?.isBeingEmptied == false else { return nil }
    var run = Run(merchant: merchant)
    while let number = state.lines[merchant]?.first, let waiting = state.waiting[number],
      let verdict = waiting.verdict
    {
      run.answers.append((waiting.submission, waiting.token, verdict))
      remove(number, &state)
    }
    if state.waiting.isEmpty { state.earliest = nil }
    guard !run.answers.isEmpty else {
      if state.lines[merchant]?.first == nil { state.lines[merchant] = nil }
      return nil
    }
    state.lines[merchant]?.isBeingEmptied = true
    return run
  }
}
