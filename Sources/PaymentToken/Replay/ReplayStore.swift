/// Remembers transactions, so that a token is accepted once (Docs/Verification.md 14.4).
///
/// ``MemoryReplayStore`` serves one process. Several processes need a store that all of them ask, such as the one in
/// Examples/sqlite-replay: what one process remembers another would accept again.
public protocol ReplayStore: Sendable {
  /// One atomic test-and-set of the decoded transactionId, asked only when every other check has passed.
  ///
  /// Must answer `.fresh` only when the identifier is certain to be remembered: a store that cannot be reached, fails
  /// or gives no answer in time answers `.full`, and the token is refused.
  ///
  /// - Parameters:
  ///   - transactionId: the decoded 32 octets.
  ///   - now: the caller's time. It may be earlier than at the call before: callers are threads, and clocks are set.
  ///   - window: the policy's window in seconds; an entry must live at least twice as long, both ends included.
  func insert(_ transactionId: Octets32, at now: UnixTime, window: UInt32) -> ReplayVerdict
}

/// A replay store's answer.
@frozen
public enum ReplayVerdict: Hashable, Sendable, BitwiseCopyable {
  /// Not seen before, and remembered from now on.
  case fresh
  /// Seen before.
  case replayed
  /// Not known to be seen before, and cannot be remembered: the token must be refused.
  case full
}
