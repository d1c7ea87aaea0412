import FastDecryption
import PaymentToken

/// A request and its answer.
///
/// The thread that speaks HTTP reads the request and sends the answer. While the pool has the request, the connection
/// is suspended. The pool answers on any thread.
final class Exchange: Sendable {
  /// What to do with the request once it has been read.
  enum Plan: Sendable {
    case open(Opening)
    /// Tokens, each opened as soon as its line was read.
    case openLines(TokenLines)
    /// The body is read and dropped: an answer to a request that was read as a whole leaves the connection usable.
    case answer(Answer)
  }

  /// What to do when the library calls back.
  enum Step {
    /// Suspend the connection, then hand this to the pool.
    case open(Opening, [UInt8])
    /// Answer them when all of them are opened.
    case answerLines(TokenLines)
    case answer(Answer)
    /// There is nobody to answer.
    case close
  }

  private struct State {
    var plan: Plan
    var body: [UInt8] = []
    var received = 0
    var answered: (status: Answer.Status, code: String?, size: Int)?
    var submission: Submission?
    /// The pool's answer; `.some(nil)` if nobody waits for it.
    var outcome: Answer??
    /// Whether its client was gone before it was answered.
    var isAbandoned = false
  }

  private let state: Guarded<State>

  /// Bytes of a body that most requests do not exceed.
  private static var likelySize: Int { 8_192 }

  /// The lines of its body, if it has a token on each.
  let lines: TokenLines?
  /// Bytes of the body that are read; beyond, the connection is closed.
  private let bodyLimit: Int
  /// Whether the connection ends with the answer.
  let isLast: Bool
  let trace: RequestTrace
  /// The first part of the path; nil if it is not served.
  private let path: String?
  private let begin: (wall: UnixMilliseconds, elapsed: ContinuousClock.Instant)

  init(_ plan: Plan, of head: RequestHead, isLast: Bool, limits: ServerOptions.Limits) {
    self.isLast = isLast
    if case .openLines(let lines) = plan { self.lines = lines } else { lines = nil }
    bodyLimit = limits.readBody(inLines: lines != nil)
    trace = head.trace
    path = Route.firstPart(of: head.path)
    begin = (.now, .now)
    state = Guarded(State(plan: plan))
  }

  /// Takes a part of the body.
  ///
  /// - Returns: false if the body exceeds `bodyLimit`.
  func append(_ part: UnsafeRawBufferPointer, limits: ServerOptions.Limits) -> Bool {
    state.withLock { state in
      state.received += part.count
      if state.received > bodyLimit { return false }
      guard case .open = state.plan else { return true }
      if state.received > limits.body {
        state.plan = .answer(.tooLarge)
        state.body = []
      } else {
        if state.body.isEmpty { state.body.reserveCapacity(max(part.count, Self.likelySize)) }
        state.body.append(contentsOf: part)
      }
      return true
    }
  }

  /// Counts bytes whose lines are taken.
  ///
  /// - Returns: false if the body exceeds `bodyLimit`.
  func count(_ bytes: Int) -> Bool {
    state.withLock { state in
      state.received += bytes
      return state.received <= bodyLimit
    }
  }

  /// Notes that its answer is being sent.
  func note(_ answer: Answer) {
    state.withLock { $0.answered = (answer.status, answer.code, answer.body.bytes.count) }
  }

  /// Whether something of it is decided, or may be.
  var mayHaveAnswer: Bool {
    lines.map(\.mayHaveAnswers) == true || state.withLock { $0.answered != nil || ($0.outcome ?? nil) != nil }
  }

  /// Whether its client was gone before it was answered.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Its line in the access log. Of what the client wrote it has only `path` and `trace`.
  func logLine(isDelivered: Bool) -> String {
    let (answered, received) = state.withLock { ($0.answered, $0.received) }
    func text(_ value: String?) -> String { value.map { "\"\($0)\"" } ?? "null" }
    return """
      {"time":"\(begin.wall.rfc3339)","id":"\(trace.id)","traceparent":\(text(trace.traceparent)),\
      "path":\(text(path)),"status":\(answered.map { String($0.status.rawValue) } ?? "null"),\
      "code":\(text(answered?.code)),"microseconds":\((ContinuousClock.now - begin.elapsed).microseconds),\
      "received":\(received),"sent":\(answered?.size ?? 0),"delivered":\(answered != nil && isDelivered)\
      \(lines?.logMembers ?? "")}

      """
  }

  /// The next step after the request has been read, and again after the pool has answered.
  func next() -> Step {
    state.withLock { state in
      if let outcome = state.outcome { return outcome.map { .answer($0) } ?? .close }
      switch state.plan {
      case .answer(let answer): return .answer(answer)
      case .openLines(let lines): return .answerLines(lines)
      case .open(let opening):
        let body = state.body
        state.body = []
        return .open(opening, body)
      }
    }
  }

  /// Keeps the submission for `cancel`, unless the pool has answered already.
  func keep(_ submission: Submission) {
    state.withLock { state in
      if state.outcome == nil { state.submission = submission }
    }
  }

  /// Takes the pool's answer; nil if nobody waits for it.
  func settle(_ answer: Answer?) {
    state.withLock { state in
      state.outcome = .some(answer)
      state.submission = nil
    }
  }

  /// Withdraws what the pool still has of the request, since its client is gone.
  func abandon() {
    state.withLock { $0.isAbandoned = true }
    cancel()
  }

  /// Withdraws what the pool still has of the request.
  func cancel() {
    lines?.cancel()
    state.withLock { $0.submission }?.cancel()
  }
}
