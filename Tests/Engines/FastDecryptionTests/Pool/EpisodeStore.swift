import FastDecryption
import PaymentToken
import PoolSchedules

/// A replay store whose answers come at once, later, in another order, twice, too late or never.
final class EpisodeStore: AsynchronousReplayStore, @unchecked Sendable {
  private final class PendingQuestion {
    /// Its `now` identifies the request: it is unique in an episode.
    let question: ReplayQuestion
    /// The number of the store call that asked it.
    let call: Int
    /// When the store was asked.
    let asked: ContinuousClock.Instant
    /// The first answer; nil if none was given.
    var verdict: ReplayVerdict?
    /// The time before the callback of the first answer.
    var start: ContinuousClock.Instant?
    /// The time after that callback.
    var end: ContinuousClock.Instant?

    init(_ question: ReplayQuestion, call: Int, at asked: ContinuousClock.Instant) {
      (self.question, self.call, self.asked) = (question, call, asked)
    }
  }

  static let faults: Set<TokenFault.Code> = [.replayedTransaction, .replayStoreUnavailable]

  private let schedule: Interleaving
  private var random: Randomness
  private var seen: Set<Bytes32> = []
  private var calls = 0
  private var questions: [PendingQuestion] = []
  /// Answers that have not been given yet.
  private var pending: [() -> Void] = []
  var isOver: () -> Bool = { false }

  init(_ schedule: Interleaving, _ seed: UInt64) {
    self.schedule = schedule
    random = Randomness(seed ^ 0x5704E)
  }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ asked: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    schedule.yield()
    calls += 1
    let call = calls
    for (index, question) in asked.enumerated() {
      let kept = PendingQuestion(question, call: call, at: schedule.clock)
      questions.append(kept)
      let verdict: ReplayVerdict = seen.insert(question.transactionId).inserted ? .fresh : .replayed
      let give = { [self] in self.give(kept, verdict) { answer(index, $0) } }
      switch random.draw(8) {
      case 0: break
      case 1: give()
      case 2:
        give()
        pending.append { answer(index, .fresh) }
      default: pending.append(give)
      }
    }
  }

  private func give(_ question: PendingQuestion, _ verdict: ReplayVerdict, _ answer: (ReplayVerdict) -> Void) {
    question.verdict = verdict
    question.start = schedule.clock
    answer(verdict)
    question.end = schedule.clock
  }

  /// Gives the pending answers, in random order, until the pool has ended.
  func answerAll() {
    while !isOver() {
      schedule.wait(for: .requests, until: nil) { [self] in !pending.isEmpty || isOver() }
      for _ in 0..<random.draw(30) { schedule.yield() }
      if !pending.isEmpty { pending.remove(at: random.draw(pending.count))() }
    }
    // Breaks the reference cycle: the closures retain this store.
    pending = []
  }

  /// Checks that the store was asked about each request at most once, and always before the request was accepted, and
  /// that the caller got the answer if it came in time.
  func check(_ requests: [PoolEpisode.Request], _ report: (String) -> Void) {
    for request in requests where request.asksStore {
      let asked = questions.filter { $0.question.now == request.now }
      guard let question = asked.first else {
        if case .success = request.answers.first?.answer { report("\(request.now) was accepted unasked") }
        continue
      }
      if asked.count > 1 { report("\(request.now) was asked about twice") }
      if let problem = problem(question, request) { report("\(request.now): \(problem)") }
    }
    checkOrder(requests, report)
  }

  /// Checks that the callers of a merchant get their answers in the order of the questions. Two calls of the store at
  /// the same time have no defined order, so they are not compared.
  private func checkOrder(_ requests: [PoolEpisode.Request], _ report: (String) -> Void) {
    var before: [(PendingQuestion, PoolEpisode.Request, ContinuousClock.Instant)] = []
    for question in questions {
      guard let request = requests.first(where: { $0.now == question.question.now }),
        let (answer, start, _) = request.answers.first, answer != .failure(.token(TokenFault(.replayStoreUnavailable)))
      else { continue }
      for (first, other, end) in before where other.sample.merchant == request.sample.merchant {
        let isOrdered = first.call == question.call || first.asked < request.start
        if isOrdered, start < end { report("\(request.now) was answered before its turn") }
      }
      before.append((question, request, start))
    }
  }

  private func problem(_ question: PendingQuestion, _ request: PoolEpisode.Request) -> String? {
    let deadline = question.question.deadline
    let isInTime = question.end.map { $0 < deadline } ?? false
    let isLate = question.start.map { $0 >= deadline } ?? true
    switch request.answers.first?.answer {
    case .success: return question.verdict == .fresh && !isLate ? nil : "accepted without the store's answer"
    case .failure(.token(let fault)) where fault.code == .replayedTransaction:
      return question.verdict == .replayed && !isLate ? nil : "replayed without the store's answer"
    case .failure(.token(let fault)) where fault.code == .replayStoreUnavailable:
      return isInTime ? "the store's answer was in time" : nil
    default: return "not answered as the store was asked"
    }
  }
}
