import PaymentToken

/// Answers each call a millisecond later, as a replay store on another machine. Remembers nothing: a benchmark decrypts
/// the same tokens again and again.
final class DistantStore: AsynchronousReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }

  func insert(_ questions: [ReplayQuestion], answer: @escaping @Sendable (Int, ReplayVerdict) -> Void) {
    Task.detached {
      try? await Task.sleep(for: .milliseconds(1))
      for index in questions.indices { answer(index, .fresh) }
    }
  }
}

/// A replay store that all threads share and that remembers nothing: it measures what the engine does to ask. A
/// benchmark decrypts the same tokens again and again.
final class ForgetfulStore: ReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .fresh }
}
