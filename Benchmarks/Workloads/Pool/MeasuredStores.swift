import PaymentToken

// Neither store remembers anything: a benchmark decrypts the same tokens again and again.

/// Answers each asynchronous call a millisecond later, as a store on another machine does. Only for pools: a
/// synchronous call gets `unavailable`.
final class DistantStore: AsynchronousReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    Task.detached {
      try? await Task.sleep(for: .milliseconds(1))
      for index in questions.indices { answer(index, .fresh) }
    }
  }
}

/// Answers at once, so that a benchmark measures only the engine's part of a question.
final class ForgetfulStore: ReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .fresh }
}
