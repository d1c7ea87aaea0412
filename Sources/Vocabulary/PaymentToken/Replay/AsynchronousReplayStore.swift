/// A replay store that takes many questions at once and answers them later, such as one on another machine.
///
/// A pool decides a batch of tokens, asks the store about all of them in one call, and continues with the next batch.
/// When the answer about a token comes, the pool passes the token to its caller. Everything else calls
/// ``ReplayStore/insert(_:at:window:)``, which waits for the answer.
public protocol AsynchronousReplayStore: AnyObject, ReplayStore {
  /// Tests and sets each transactionId in one atomic step, in the order of the questions, and returns without waiting
  /// for the store.
  ///
  /// Call `answer` once for each question, in any order, on any thread, before or after this function returns. `answer`
  /// neither blocks nor calls back, so it may be called under a lock. The first answer to a question counts. A question
  /// without an answer at its deadline counts as `.unavailable`, and a later answer is ignored.
  ///
  /// - Parameters:
  ///   - questions: at least one.
  ///   - answer: takes the index of a question, and its verdict: `.fresh` only if the identifier is certain to be
  ///     remembered.
  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void)
}

extension AsynchronousReplayStore {
  /// This store.
  public var asynchronous: (any AsynchronousReplayStore)? { self }
}

/// A transaction that an asynchronous store is asked about.
public struct ReplayQuestion: Hashable, Sendable {
  /// The decoded 32 bytes.
  public let transactionId: Bytes32
  /// The caller's time. It may be earlier than in the previous question.
  public let now: UnixTime
  /// The policy's window in seconds. An entry must live at least twice as long, both ends included.
  public let window: UInt32
  /// The time at which the token is rejected if there is no answer. The store need not try for longer.
  public let deadline: ContinuousClock.Instant

  /// A question about a transaction.
  public init(_ transactionId: Bytes32, at now: UnixTime, window: UInt32, deadline: ContinuousClock.Instant) {
    self.transactionId = transactionId
    self.now = now
    self.window = window
    self.deadline = deadline
  }
}
