import PaymentToken
import Synchronization

/// The requests that wait for the answer of an asynchronous replay store.
///
/// A worker adds the tokens of a batch that meet all rules but 14.4, asks their stores about all of them, and continues
/// with its next batch. Answers may come on any thread and in any order. The requests of one merchant form a line: a
/// request is passed to its caller when it and those before it in the line are answered, and a line is emptied by one
/// worker at a time. So the callers of one merchant get their answers in the order of the questions, and do not wait
/// for those of another.
///
/// Every question has a deadline. A request without an answer by then is rejected: the next call of `take` removes it
/// from its line, even if others are before it. A request that was answered in time keeps its verdict, even if it waits
/// beyond its deadline for those before it. A second answer is ignored. So is one after the deadline: the token is
/// rejected although the store may remember the transaction.
///
/// A request's slot in the table is that of its held token. A line links slots by their indices, and a list has the
/// lines whose first request is answered, so answered requests are found without a search. Each question has its own
/// number, so a late answer is not mistaken for one to the next request in that slot.
///
/// No other lock is taken under this one.
final class StoreWaits: Sendable {
  /// A request whose transaction a store is to be asked about.
  struct Request {
    let submission: Submission
    let token: HeldToken
    /// The SHA-256 digest of the merchant's public key.
    let merchant: Bytes32
    let store: any AsynchronousReplayStore
    let question: ReplayQuestion
  }

  /// A request and what its store said, or `unavailable` if it said nothing in time.
  typealias Answer = (submission: Submission, token: HeldToken, verdict: ReplayVerdict)

  /// Requests of one call of a store: their slots, and the number of the first. The numbers of the others follow.
  struct Call: Sendable {
    fileprivate let first: UInt64
    fileprivate let slots: [UInt32]

    var count: Int { slots.count }
  }

  private struct Wait {
    /// Zero if no request waits in this slot.
    var number: UInt64 = 0
    var submission: Submission?
    var token: HeldToken?
    var deadline: ContinuousClock.Instant?
    var verdict: ReplayVerdict?
    var line = 0
    /// The neighbors in the line.
    var previous: Int?
    var next: Int?
  }

  /// The requests of a merchant, in the order of the questions.
  private struct Line {
    let merchant: Bytes32
    /// Nil if no request waits.
    var first: Int?
    var last: Int?
    /// Whether a worker passes requests of the line to their callers.
    var isBeingEmptied = false
    var isReady = false
    /// The next ready line.
    var nextReady: Int?
  }

  private struct State {
    var waits: [Wait] = []
    var count = 0
    var nextNumber: UInt64 = 1
    var lines: [Line] = []
    var freeLines: [Int] = []
    var linesByMerchant: [Bytes32: Int] = [:]
    /// The ends of the list of ready lines: their first request is answered, and no worker empties them.
    var firstReady: Int?
    var lastReady: Int?
    /// No later than the earliest deadline of a request without an answer; nil only if there is no such request.
    var earliest: ContinuousClock.Instant?
  }

  private let capacity: Int
  private let schedule: (any PoolSchedule)?
  private let state: Locked<State>
  private let origin: ContinuousClock.Instant
  // Copies of the state for readers without the lock, written under it.
  /// `State.earliest` in nanoseconds since `origin`; `Int64.max` for nil.
  private let earliest = Atomic(Int64.max)
  private let hasReadyLine = Atomic(false)
  private let waiting = Atomic(0)

  /// - Parameter capacity: the number of requests that may wait.
  init(capacity: Int, _ schedule: (any PoolSchedule)?) {
    self.capacity = capacity
    self.schedule = schedule
    state = Locked(State(), schedule)
    origin = schedule.now
  }

  /// The number of requests that wait. Without any, workers do not take the lock.
  var count: Int { waiting.load(ordering: .acquiring) }

  /// Whether `take` has answered requests to return.
  var hasAnswers: Bool { hasReadyLine.load(ordering: .acquiring) }

  /// A time no later than the earliest deadline of an unanswered request; nil only if there is no such request.
  var earliestDeadline: ContinuousClock.Instant? {
    let nanoseconds = earliest.load(ordering: .acquiring)
    return nanoseconds == .max ? nil : origin.advanced(by: .nanoseconds(nanoseconds))
  }

  private func publish(_ state: State) {
    let nanoseconds = state.earliest.map { Int64(origin.duration(to: $0).wholeNanoseconds) }
    earliest.store(nanoseconds ?? .max, ordering: .releasing)
    hasReadyLine.store(state.firstReady != nil, ordering: .releasing)
    waiting.store(state.count, ordering: .releasing)
  }
}

// MARK: - Questions and answers

extension StoreWaits {
  /// Adds requests in the order in which their store is asked: the first ones, as many as there is room for.
  func add(_ requests: ArraySlice<Request>) -> Call {
    state.withLock { state in
      let first = state.nextNumber
      let slots = requests.prefix(capacity - state.count).map { Self.append($0, &state) }
      publish(state)
      return Call(first: first, slots: slots)
    }
  }

  /// Takes an answer; true if a worker must be told, because requests can be passed to their callers now.
  func answer(_ call: Call, _ index: Int, _ verdict: ReplayVerdict) -> Bool {
    precondition(call.slots.indices.contains(index), "index of a replay question")
    let slot = Int(call.slots[index])
    let now = schedule.now
    return state.withLock { state in
      // Ignore an answer for an earlier request in this slot, a second answer, and one after the deadline: `take`
      // rejects that request.
      guard state.waits[slot].number == call.first + UInt64(index), state.waits[slot].verdict == nil,
        let deadline = state.waits[slot].deadline, now < deadline
      else { return false }
      state.waits[slot].verdict = verdict
      let isFirst = state.firstReady == nil
      Self.noteIfReady(state.waits[slot].line, &state)
      guard isFirst, state.firstReady != nil else { return false }
      hasReadyLine.store(true, ordering: .releasing)
      return true
    }
  }

  /// Appends the requests that can be passed to their callers to `answers`, those of one merchant in the order of the
  /// questions, and their lines to `lines`. No other worker empties these lines until this worker calls `take` again
  /// with `lines`, after it has passed the requests on. Requests without an answer by their deadline come first; their
  /// lines are not appended.
  ///
  /// - Parameter limit: the maximum number of requests; only those without an answer by their deadline may exceed it.
  func take(_ limit: Int, into answers: inout [Answer], from lines: inout [Int]) {
    state.withLock { state in
      for line in lines { Self.finish(line, &state) }
      lines.removeAll(keepingCapacity: true)
      let now = schedule.now
      if let earliest = state.earliest, earliest <= now { Self.expire(at: now, into: &answers, &state) }
      while answers.count < limit, let line = state.firstReady {
        state.firstReady = state.lines[line].nextReady
        Self.empty(line, until: limit, into: &answers, &state)
        lines.append(line)
      }
      publish(state)
    }
  }
}

// MARK: - The table

extension StoreWaits {
  private static func append(_ request: Request, _ state: inout State) -> UInt32 {
    let slot = request.token.index
    while state.waits.count <= slot { state.waits.append(Wait()) }
    let line = line(of: request.merchant, &state)
    let last = state.lines[line].last
    state.waits[slot] = Wait(
      number: state.nextNumber, submission: request.submission, token: request.token,
      deadline: request.question.deadline, line: line, previous: last)
    if let last { state.waits[last].next = slot } else { state.lines[line].first = slot }
    state.lines[line].last = slot
    state.nextNumber += 1
    state.count += 1
    state.earliest = min(state.earliest ?? request.question.deadline, request.question.deadline)
    return UInt32(slot)
  }

  private static func line(of merchant: Bytes32, _ state: inout State) -> Int {
    if let line = state.linesByMerchant[merchant] { return line }
    let line = state.freeLines.popLast() ?? state.lines.count
    if line == state.lines.count {
      state.lines.append(Line(merchant: merchant))
    } else {
      state.lines[line] = Line(merchant: merchant)
    }
    state.linesByMerchant[merchant] = line
    return line
  }

  /// Takes a request out of its line.
  private static func remove(_ slot: Int, _ verdict: ReplayVerdict, _ state: inout State) -> Answer? {
    let wait = state.waits[slot]
    guard let submission = wait.submission, let token = wait.token else { return nil }
    state.waits[slot] = Wait()
    if let previous = wait.previous {
      state.waits[previous].next = wait.next
    } else {
      state.lines[wait.line].first = wait.next
    }
    if let next = wait.next {
      state.waits[next].previous = wait.previous
    } else {
      state.lines[wait.line].last = wait.previous
    }
    state.count -= 1
    if state.count == 0 { state.earliest = nil }
    return (submission, token, verdict)
  }

  /// Lists a line if its first request is answered and no worker empties it; forgets it if it is empty.
  private static func noteIfReady(_ line: Int, _ state: inout State) {
    guard !state.lines[line].isBeingEmptied, !state.lines[line].isReady else { return }
    guard let first = state.lines[line].first else {
      state.linesByMerchant[state.lines[line].merchant] = nil
      return state.freeLines.append(line)
    }
    guard state.waits[first].verdict != nil else { return }
    if state.firstReady == nil {
      state.firstReady = line
    } else if let last = state.lastReady {
      state.lines[last].nextReady = line
    }
    state.lastReady = line
    state.lines[line].isReady = true
    state.lines[line].nextReady = nil
  }

  private static func finish(_ line: Int, _ state: inout State) {
    state.lines[line].isBeingEmptied = false
    noteIfReady(line, &state)
  }

  /// Takes the answered requests at the beginning of a line.
  private static func empty(_ line: Int, until limit: Int, into answers: inout [Answer], _ state: inout State) {
    state.lines[line].isReady = false
    state.lines[line].isBeingEmptied = true
    while answers.count < limit, let first = state.lines[line].first, let verdict = state.waits[first].verdict,
      let answer = remove(first, verdict, &state)
    {
      answers.append(answer)
    }
  }

  /// Ends the wait of requests without an answer by their deadline. Looks at all slots, but no more often than
  /// deadlines pass.
  private static func expire(at now: ContinuousClock.Instant, into answers: inout [Answer], _ state: inout State) {
    var earliest: ContinuousClock.Instant?
    var late: [(number: UInt64, slot: Int)] = []
    for (slot, wait) in state.waits.enumerated() where wait.verdict == nil {
      guard let deadline = wait.deadline else { continue }
      if deadline <= now {
        late.append((wait.number, slot))
      } else {
        earliest = min(earliest ?? deadline, deadline)
      }
    }
    state.earliest = earliest
    for (_, slot) in late.sorted(by: { $0.number < $1.number }) {
      let line = state.waits[slot].line
      if let answer = remove(slot, .unavailable, &state) { answers.append(answer) }
      noteIfReady(line, &state)
    }
  }
}
