import PaymentToken
import Synchronization

/// A caller's policy as a value: compared, written down, and turned into a fresh `VerificationPolicy` for every run.
public struct PolicyRecipe: Hashable, Sendable {
  /// Which time counts (`PaymentToken.Freshness`), with the replay store's capacity in place of the store.
  public enum Freshness: Hashable, Sendable {
    case window(seconds: UInt32, replayCapacity: Int?)
    case windowOff
    case signingTime
  }

  /// What the token comes in.
  public var envelope = EnvelopeSelection.named(.apple)
  /// Whether the unsigned policy is asked for: `TokenDecryptor.decryptUnsigned`.
  public var isUnsigned = false
  /// Which time counts.
  public var freshness = Freshness.window(seconds: 300, replayCapacity: nil)
  /// SHA-256 of certificates or of their public keys.
  public var revoked: [Octets32] = []
  /// What the order says.
  public var expectations = Expectations()

  /// The token itself, signed, a window of 300 seconds, nothing revoked, nothing expected, no replay detection.
  public init() {}

  /// The policy, with a replay store that has seen nothing yet.
  public func policy() -> VerificationPolicy {
    let freshness: PaymentToken.Freshness =
      switch freshness {
      case .window(let seconds, let capacity):
        .window(seconds: seconds, replay: capacity.map { MintedReplayStore(capacity: $0) })
      case .windowOff: .windowOff
      case .signingTime: .signingTime
      }
    return VerificationPolicy(
      envelope: envelope, freshness: freshness, revoked: RevokedCertificates(revoked), expectations: expectations)
  }
}

/// A replay store for tests: remembers up to a number of transactions for as long as it lives.
public final class MintedReplayStore: ReplayStore {
  private let capacity: Int
  private let seen = Mutex<Set<Octets32>>([])

  /// A store that remembers up to `capacity` transactions.
  public init(capacity: Int) {
    self.capacity = capacity
  }

  /// `.full` for a transaction not seen before when there is no room, `.replayed` for one that was.
  public func insert(_ transactionId: Octets32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    seen.withLock { seen in
      guard !seen.contains(transactionId) else { return .replayed }
      guard seen.count < capacity else { return .full }
      seen.insert(transactionId)
      return .fresh
    }
  }
}
