/// Remembers transactions, so that a token is accepted once.
public protocol ReplayStore: Sendable {
  /// One atomic test-and-set of the decoded transactionId, asked only when every other check has passed.
  ///
  /// - Parameters:
  ///   - transactionId: the decoded 32 octets.
  ///   - now: the caller's time.
  ///   - window: the policy's window in seconds; an entry must live at least twice as long.
  func insert(_ transactionId: Octets32, at now: UnixTime, window: UInt32) -> ReplayVerdict
}

/// A replay store's answer.
@frozen
public enum ReplayVerdict: Hashable, Sendable, BitwiseCopyable {
  /// Not seen before, and remembered from now on.
  case fresh
  /// Seen before.
  case replayed
  /// Not seen before, and no room to remember it: the token must be refused.
  case full
}
