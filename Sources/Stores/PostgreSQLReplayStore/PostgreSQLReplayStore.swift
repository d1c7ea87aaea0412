#if PostgreSQL

import PaymentToken
import StoreSupport
import Threads

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Remembers transactions in a PostgreSQL database, so that a token is accepted once by all processes of all machines
/// that ask it.
///
/// The test-and-set is one `INSERT … ON CONFLICT DO NOTHING RETURNING` for many transactions. A fixed number of threads
/// send such statements, each on a connection of its own. If anything fails, the answer is `.unavailable`: the token is
/// refused, because nobody knows whether it was seen. Nothing is sent a second time. If no connection is open,
/// questions are answered `.unavailable` at once; if the server has just ended one, they wait until it is made again.
///
/// Why a token cannot be fresh twice, whatever the callers' clocks do: the table is partitioned by day, so its primary
/// key must contain a day, and the day must be a function of the token, or the same token could get one row in each of
/// two partitions. That function is the day of its signing time s, which is signed. The store is not told s, but it is
/// asked only at callers' times n with |s − n| ≤ window. So a question inserts a row for each day that n − window …
/// n + window touches (one, or two near midnight UTC; at most three), the day of s among them, and is fresh only if it
/// inserted all of them. Two questions about one token have the row of that day in common, and the primary key gives it
/// to one of them. A day without a partition is an error, hence `.unavailable`: either it is too far ahead, or it was
/// dropped, and ``maintain(at:daysAhead:)`` never creates a day that may have been dropped. The argument depends on no
/// clock of the server, and on no setting that processes must share.
///
/// This relies on two things: the server keeps what it committed, and the table stays the same. The store trusts an
/// empty, older or other table. Examples/postgresql-replay/README.md says which settings keep commits, what a failover
/// loses, and what to do after a restore.
public final class PostgreSQLReplayStore: AsynchronousReplayStore {
  let configuration: Configuration
  private let questions: Questions
  /// The process with the store's threads. A forked process has no such threads, so it cannot ask anything.
  private let process = getpid()

  /// Starts the store's threads, which connect. Does not wait for a connection: see `waitUntilReady(for:)`.
  ///
  /// - Throws: `ConfigurationError` for an unusable configuration, or if the system has no thread left.
  public init(_ configuration: Configuration) throws(ConfigurationError) {
    try configuration.check()
    let questions = Questions(capacity: configuration.capacity)
    for _ in 0..<configuration.connections {
      // SIGPIPE is blocked as well.
      let thread = SystemThread(blocksSignals: true) { Worker(configuration, questions).run() }
      guard let thread else {
        questions.stop()
        throw ConfigurationError("The system has no thread left.")
      }
      thread.detach()
    }
    (self.configuration, self.questions) = (configuration, questions)
  }

  /// Ends the threads. Remaining questions are answered `.unavailable`.
  deinit {
    if getpid() == process { questions.stop() }
  }

  /// Counts since the start, and the present state.
  public var metrics: Metrics { questions.metrics }

  /// Waits until a connection is ready; false if `time` passes first.
  public func waitUntilReady(for time: Duration) -> Bool {
    questions.waitUntilReady(.now.advanced(by: time))
  }

  /// Asks and waits for the answer, for `timeLimit` at most.
  public func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    let deadline = ContinuousClock.now.advanced(by: configuration.timeLimit)
    let awaited = Awaited<ReplayVerdict>()
    insert([ReplayQuestion(transactionId, at: now, window: window, deadline: deadline)]) { awaited.set($1) }
    return awaited.wait(until: deadline) ?? .unavailable
  }

  public func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    var asked: [Asked] = []
    for (index, question) in questions.enumerated() {
      if getpid() != process {
        answer(index, .unavailable)
      } else if question.window > configuration.longestWindow {
        self.questions.count(full: 1)
        answer(index, .full)
      } else {
        asked.append(Asked(question: question, index: index, answer: answer))
      }
    }
    self.questions.add(asked)
  }
}

#endif
