import FastDecryption
import Synchronization

/// The types of a body that has a token on each line.
enum LineType: String, Sendable {
  case ndjson = "application/x-ndjson"
  case jsonLines = "application/jsonl"

  /// Nil for another type. Ignores parameters.
  init?(field: String) {
    let type = field.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
    self.init(rawValue: type.lowercased())
  }
}

/// The requests in lines that are under way.
///
/// All their lines together are at most an eighth of the pool's queue, or one, so that single requests have the rest
/// and wait behind few lines.
final class LineRequests: Sendable {
  /// The maximum number of these requests.
  let most: Int
  /// The maximum number of lines of one request in the pool: at most 8, the lanes of its widest kernel. More lines
  /// would only delay single tokens.
  let window: Int
  private let count = Atomic<Int>(0)

  init(queue: Int) {
    let share = max(1, queue / 8)
    window = min(8, share)
    most = share / window
  }

  fileprivate func begin() -> Bool {
    if count.add(1, ordering: .relaxed).newValue <= most { return true }
    end()
    return false
  }

  fileprivate func end() { count.subtract(1, ordering: .relaxed) }
}

/// The lines of a request with a token on each, and their answers in order.
///
/// libmicrohttpd sends nothing before it has read the whole body. So lines are opened as they arrive, and their answers
/// kept. In memory are the line that is being read, the lines that the pool has, and the answers, all bounded. While
/// the pool has `window` lines, no other line is read.
///
/// The thread that speaks HTTP calls `read`; any thread calls `settle`.
final class TokenLines: Sendable {
  /// A line that is to be opened.
  struct Line {
    let index: Int
    let body: [UInt8]
  }

  private struct Entry {
    let number: Int
    var submission: Submission?
    var answer: AnswerBody?
  }

  private struct State {
    init(_ callers: Callers) { admission = (callers, nil) }

    /// The line that is being read, and its number; empty if it is too long.
    var line: [UInt8] = []
    var number = 1
    var isTooLong = false
    /// Whether no further line is taken.
    var isFull = false
    var entries: [Entry] = []
    /// The number of lines that have or will have an answer.
    var count = 0
    /// The number of these lines that have no answer yet.
    var outstanding = 0
    var answerBytes = 0
    var accepted = 0
    var rejected = 0
    var isAbandoned = false
    /// The last decision about its caller, and the rules by which it was made.
    var admission: (callers: Callers, refusal: Answer?)
    var wait: (count: Int, isOver: @Sendable () -> Void)?
  }

  /// The most lines of a request, without blank ones.
  static var mostLines: Int { 1_000 }
  /// The number of bytes of answers at which no further line is opened. The pool may still have lines then.
  static var mostAnswerBytes: Int { 4 << 20 }
  /// Bytes of a line that most do not exceed.
  private static var likelySize: Int { 8_192 }

  let opening: Opening
  /// The bearer token that its caller shows.
  let bearer: BearerDigest?
  let window: Int
  private let type: LineType
  private let lineLimit: Int
  private let requests: LineRequests
  private let state: Guarded<State>

  /// Nil if `requests` has no place for another one.
  ///
  /// - Parameters:
  ///   - bearer: the bearer token that its caller shows.
  ///   - callers: the rules by which its caller was admitted.
  init?(
    _ opening: Opening, _ type: LineType, showing bearer: BearerDigest?, to callers: Callers, lineLimit: Int,
    among requests: LineRequests
  ) {
    guard requests.begin() else { return nil }
    state = Guarded(State(callers))
    self.opening = opening
    self.bearer = bearer
    self.type = type
    self.lineLimit = lineLimit
    self.requests = requests
    window = requests.window
  }

  deinit { requests.end() }

  // MARK: Reading

  /// Whether another line may be opened now.
  var hasRoom: Bool { state.withLock { $0.outstanding < window } }

  /// Reads up to the end of the first line that is to be opened; without such a line, all of `part`.
  ///
  /// - Returns: the number of bytes read, and the line.
  func read(_ part: UnsafeRawBufferPointer) -> (count: Int, line: Line?) {
    state.withLock { state in
      var rest = part[...]
      while !state.isFull, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        append(UnsafeRawBufferPointer(rebasing: rest[..<end]), to: &state)
        rest = rest[(end + 1)...]
        if let line = endLine(of: &state) { return (rest.startIndex, line) }
        let next = rest.firstIndex { $0 != UInt8(ascii: "\n") } ?? rest.endIndex
        state.number += next - rest.startIndex
        rest = rest[next...]
      }
      append(UnsafeRawBufferPointer(rebasing: rest), to: &state)
      return (part.count, nil)
    }
  }

  private func append(_ text: UnsafeRawBufferPointer, to state: inout State) {
    guard !state.isFull, !state.isTooLong else { return }
    // One more byte, because the line may end with a CR, which `endLine` removes.
    guard state.line.count + text.count <= lineLimit + 1 else {
      state.isTooLong = true
      state.line = []
      return
    }
    if state.line.isEmpty { state.line.reserveCapacity(max(text.count, Self.likelySize)) }
    state.line.append(contentsOf: text)
  }

  private func endLine(of state: inout State) -> Line? {
    defer {
      state.isTooLong = false
      state.number += 1
    }
    if state.line.last == UInt8(ascii: "\r") { state.line.removeLast() }
    if state.line.count > lineLimit { state.isTooLong = true }
    let isBlank = !state.isTooLong && state.line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    guard !state.isFull, !isBlank else {
      state.line.removeAll(keepingCapacity: true)
      return nil
    }
    defer { state.line = [] }
    state.isFull = state.entries.count >= Self.mostLines || state.answerBytes >= Self.mostAnswerBytes
    let refusal: Answer? = state.isFull ? .tooManyLines : state.isTooLong ? .tooLarge : nil
    state.entries.append(Entry(number: state.number, answer: refusal?.body))
    state.count += 1
    guard refusal == nil else { return nil }
    state.outstanding += 1
    return Line(index: state.entries.count - 1, body: state.line)
  }

  /// Why no further line of the caller may be opened; nil if it may. Decides again when `callers` is a new object, and
  /// when a certificate may have expired.
  func refusal(of caller: Caller, by callers: Callers) -> Answer? {
    state.withLock { state in
      if state.admission.callers !== callers || state.admission.refusal == nil && caller.mayHaveExpired {
        state.admission = (callers, callers.refusal(of: caller))
      }
      return state.admission.refusal
    }
  }

  // MARK: Answers

  /// Keeps the submission for `cancel`.
  func keep(_ submission: Submission, of index: Int) {
    let isAbandoned = state.withLock { state in
      if state.entries[index].answer == nil { state.entries[index].submission = submission }
      return state.isAbandoned
    }
    if isAbandoned { submission.cancel() }
  }

  /// Takes the answer to a line; nil if nobody waits for it.
  func settle(_ index: Int, _ answer: Answer?) {
    let isOver = state.withLock { state in
      state.entries[index].submission = nil
      state.entries[index].answer = answer?.body
      state.answerBytes += answer?.body.bytes.count ?? 0
      if answer?.status == .ok { state.accepted += 1 }
      if answer?.status == .unprocessableContent { state.rejected += 1 }
      state.outstanding -= 1
      return Self.endOfWait(&state)
    }
    isOver?()
  }

  /// Calls `isOver` once, when at most `count` lines wait for their answers: now, or later on any thread.
  func wait(until count: Int, isOver: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      state.wait = (count, isOver)
      return Self.endOfWait(&state)
    }
    isOver?()
  }

  private static func endOfWait(_ state: inout State) -> (@Sendable () -> Void)? {
    guard let wait = state.wait, state.outstanding <= wait.count else { return nil }
    state.wait = nil
    return wait.isOver
  }

  /// The answers of all lines, in their order; nil while some are missing. Only one call gets them.
  func answer() -> Answer? {
    let answered = state.withLock { state -> (entries: [Entry], size: Int)? in
      guard state.outstanding == 0 else { return nil }
      // Payments are in memory twice only during this call.
      defer { state.entries = [] }
      return (state.entries, state.answerBytes)
    }
    guard let (entries, size) = answered else { return nil }
    var writer = AnswerWriter(capacity: size + 256 + 16 * entries.count)
    for entry in entries { if let answer = entry.answer { writer.write(answer, line: entry.number) } }
    var answer = Answer(.ok, writer.body())
    answer.type = type.rawValue
    return answer
  }

  // MARK: Clients that are gone

  /// Whether the pool has decided a line, or may yet.
  var mayHaveAnswers: Bool { state.withLock { $0.accepted + $0.rejected + $0.outstanding > 0 } }

  /// Whether the client is gone.
  var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

  /// Withdraws the lines that the pool has not begun. It decides those that it has begun.
  func cancel() {
    let submissions = state.withLock { state in
      state.isAbandoned = true
      return state.entries.compactMap(\.submission)
    }
    for submission in submissions { submission.cancel() }
  }

  // MARK: The access log

  /// Members for the access log: how many lines were answered, and how.
  var logMembers: String {
    state.withLock {
      ",\"lines\":\($0.count),\"accepted\":\($0.accepted),\"rejected\":\($0.rejected)"
    }
  }
}
