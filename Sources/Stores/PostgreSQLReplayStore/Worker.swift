#if PostgreSQL

import PaymentToken
import StoreSupport

/// The work of one of the store's threads: connects, sends the waiting questions in a few statements, waits for the
/// answers, and connects again after a failure.
struct Worker {
  typealias Failure = PostgreSQLReplayStore.Failure

  private let configuration: PostgreSQLReplayStore.Configuration
  private let questions: Questions

  init(_ configuration: PostgreSQLReplayStore.Configuration, _ questions: Questions) {
    (self.configuration, self.questions) = (configuration, questions)
  }

  /// Returns when the store is released.
  func run() {
    var backoff = Backoff(initial: configuration.initialBackoff, maximum: configuration.maximumBackoff)
    while !questions.isStopped {
      do throws(Failure) {
        let connection = try Connection(configuration)
        try connection.prepare(Claim.statement(configuration))
        questions.open()
        var isReady = true
        defer { questions.close(wasReady: isReady) }
        try serve(connection, &isReady, &backoff)
      } catch {
        questions.fail(error)
        questions.sleep(for: backoff.next())
      }
    }
  }

  private func serve(
    _ connection: Connection, _ isReady: inout Bool, _ backoff: inout Backoff
  ) throws(Failure) {
    while true {
      let taken = questions.take(configuration.largestBatch)
      if taken.isEmpty { return }
      // A server that was restarted meanwhile is noticed before anything is sent to it.
      if !connection.isAlive {
        questions.reopen()
        isReady = false
        do throws(Failure) {
          try connection.restart()
          try connection.prepare(Claim.statement(configuration))
        } catch {
          questions.refuse(taken, .notConnected)
          throw error
        }
        questions.open(again: true)
        isReady = true
      }
      try ask(taken, on: connection)
      backoff.reset()
    }
  }

  /// Sends a statement for each range of days, so that a day without a partition fails only the questions of its range.
  private func ask(_ taken: [Asked], on connection: Connection) throws(Failure) {
    let now = ContinuousClock.now
    var claims: [ClosedRange<Int32>: Claim] = [:]
    for asked in taken {
      if asked.question.deadline <= now {
        questions.refuse(CollectionOfOne(asked), .expired)
      } else if let days = Claim.days(of: asked.question) {
        claims[days, default: Claim(days)].add(asked)
      } else {
        questions.refuse(CollectionOfOne(asked), .timeOutOfRange)
      }
    }
    var lost: Failure?
    for claim in claims.values {
      do throws(Failure) {
        if lost != nil { throw .notConnected }
        let inserted = try connection.run(claim, until: .now.advanced(by: configuration.replyTimeLimit))
        answer(claim, inserted)
      } catch {
        questions.refuse(claim.asked, error)
        if !connection.isIdle { lost = lost ?? error }
      }
    }
    if let lost { throw lost }
  }

  private func answer(_ claim: Claim, _ inserted: Set<Claim.Row>) {
    let isFresh = claim.decide(inserted)
    let fresh = isFresh.count { $0 }
    questions.count(fresh: fresh, replayed: isFresh.count - fresh)
    for (asked, isFresh) in zip(claim.asked, isFresh) { asked.answer(asked.index, isFresh ? .fresh : .replayed) }
  }
}

#endif
