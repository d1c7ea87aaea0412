#if Redis

import PaymentToken
import StoreSupport
import Threads

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Remembers transactions in a Redis or Valkey server, so that a token is accepted once by all processes of all
/// machines that ask it.
///
/// The test-and-set is `SET key 1 NX EX lifetime`. One thread of the store sends the questions of all callers on one
/// connection, without waiting for the replies to earlier ones, and answers them as replies come. If anything fails,
/// the token is refused, because nobody knows whether it was seen: `.full` if a server that answers has no room, or the
/// window is too long, otherwise `.unavailable`. Nothing is asked a second time. While there is no connection,
/// questions are answered `.unavailable` at once.
///
/// Why a token cannot be fresh twice, whatever the callers' clocks do: a token signed at s is only asked about at
/// callers' times n with |s − n| ≤ window, so any two of them are at most twice the window apart. A question is fresh
/// only if its n differs by at most `clockTolerance` from the whole seconds of the server's clock both before and after
/// its key is set. So by the server's clock the keys of two fresh questions are set less than
/// 2 · window + 2 · clockTolerance + 1 seconds apart. A key lives that long, so the first key still exists when the
/// second is set. All processes use the same window and tolerance: a server whose key `memory` differs is refused.
///
/// A server whose memory is younger than a key's lifetime is not asked (`mayHaveForgotten`): it may have been emptied
/// between the two questions. The age of the memory is checked again after each batch, by the server's clock. The
/// allowance `restartWithoutLog` turns both checks off.
///
/// This relies on two things: the server keeps what it acknowledged (Examples/redis-replay/README.md says which
/// settings do that, and what a failover loses), and its clock is not set forward by more than the lifetime of a key
/// and then back.
public final class RedisReplayStore: AsynchronousReplayStore {
  private let configuration: Configuration
  private let questions: Questions
  /// The process with the store's thread. A forked process has no such thread, so it cannot ask anything.
  private let process = getpid()

  /// Starts the store's thread, which connects. Does not wait for the connection: see `waitUntilReady(for:)`.
  ///
  /// - Throws: `ConfigurationError` for unusable files and numbers, or if no thread or file descriptor is left.
  public init(_ configuration: Configuration) throws(ConfigurationError) {
    try configuration.check()
    guard let wakeUp = WakeUp() else { throw ConfigurationError("The system has no file descriptor left.") }
    let questions = Questions(capacity: configuration.capacity, wakeUp: wakeUp)
    // SIGPIPE is blocked as well.
    let thread = SystemThread(blocksSignals: true) {
      var link = Link(configuration, questions)
      link.run()
    }
    guard let thread else { throw ConfigurationError("The system has no thread left.") }
    thread.detach()
    (self.configuration, self.questions) = (configuration, questions)
  }

  /// Ends the thread, which answers `.unavailable` to all remaining questions.
  deinit {
    if getpid() == process { questions.stop() }
  }

  /// Counts since the start, and the present state.
  public var metrics: Metrics { questions.metrics }

  /// Waits until the connection is ready; false if `time` passes first.
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
    guard getpid() == process else {
      for index in questions.indices { answer(index, .unavailable) }
      return
    }
    let isAskable = questions.allSatisfy { $0.window <= configuration.longestWindow }
    guard !isAskable else { return self.questions.add(questions, answer: answer) }
    // One at a time, because windows that are too long are rare.
    for (index, question) in questions.enumerated() {
      if question.window <= configuration.longestWindow {
        self.questions.add([question]) { answer(index, $1) }
      } else {
        self.questions.count(.full, nil)
        answer(index, .full)
      }
    }
  }
}

#endif
