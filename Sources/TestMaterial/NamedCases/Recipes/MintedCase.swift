import Minting
import PaymentToken
import Synchronization

/// What a decryptor must say.
package enum MintedVerdict: Hashable, Sendable {
  /// Accept, with exactly this plaintext.
  case accept(plaintext: [UInt8])
  /// Accept, with exactly this plaintext, as a token that nobody signed.
  case acceptUnsigned(plaintext: [UInt8])
  case reject(TokenFault)

  /// What an engine decided, in these words.
  package init(_ verdict: Result<TokenUnderUnsignedPolicy, TokenFault>) {
    switch verdict {
    case .success(.signed(let token)): self = .accept(plaintext: token.plaintext)
    case .success(.unsigned(let token)): self = .acceptUnsigned(plaintext: token.plaintext)
    case .failure(let fault): self = .reject(fault)
    }
  }
}

/// A token, the context it is decided in, and the one right answer.
package struct MintedCase: Hashable, Sendable {
  /// Unique, in kebab case: what is wrong with the token, or unusual about it.
  package let name: String
  /// The rule of Docs/Verification.md that decides.
  package let clause: String
  /// Why the case is there, where the name does not say it.
  package let note: String
  /// The version it was minted as, whatever the token says of itself.
  package let version: TokenVersion
  /// The token's bytes, or those of the request around it.
  package let token: [UInt8]
  /// The token as it was before a request was put around it.
  package let bareToken: [UInt8]
  /// The verification time.
  package let now: UnixTime
  /// The policy it is decided under.
  package let policy: PolicyRecipe
  /// Tokens decrypted before, in this order, under the same policy, store and time; their verdicts do not matter.
  package let prelude: [[UInt8]]
  /// The roots to trust.
  package let anchors: [[UInt8]]
  /// What a decryptor must say.
  package let expected: MintedVerdict
  /// Whether the token alone tells the story: default policy, the minter's time and root, no prelude.
  package let isSingleToken: Bool

  /// The roots to trust, as engines take them.
  package var trustAnchors: TrustAnchors { TrustAnchors(certificates: anchors) }
}

/// A caller's policy as a value: compared, written down, and turned into a fresh `VerificationPolicy` for every run.
package struct PolicyRecipe: Hashable, Sendable {
  /// Which time counts (`PaymentToken.Freshness`), with the replay store's capacity in place of the store.
  package enum Freshness: Hashable, Sendable {
    case window(seconds: UInt32, replayCapacity: Int?)
    case windowOff
    case signingTime
  }

  /// What the token comes in.
  package var envelope = EnvelopeSelection.named(.apple)
  /// Whether the unsigned policy is asked for: `TokenDecryptor.decryptUnsigned`.
  package var isUnsigned = false
  /// Which time counts.
  package var freshness = Freshness.window(seconds: 300, replayCapacity: nil)
  /// SHA-256 of certificates or of their public keys.
  package var revoked: [Octets32] = []
  /// What the order says.
  package var expectations = Expectations()

  /// The token itself, signed, a window of 300 seconds, nothing revoked, nothing expected, no replay detection.
  package init() {}

  /// The policy, with a replay store that has seen nothing yet.
  package func policy() -> VerificationPolicy {
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
package final class MintedReplayStore: ReplayStore {
  private let capacity: Int
  private let seen = Mutex<Set<Octets32>>([])

  /// A store that remembers up to `capacity` transactions.
  package init(capacity: Int) {
    self.capacity = capacity
  }

  /// `.full` for a transaction not seen before when there is no room, `.replayed` for one that was.
  package func insert(_ transactionId: Octets32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    seen.withLock { seen in
      guard !seen.contains(transactionId) else { return .replayed }
      guard seen.count < capacity else { return .full }
      seen.insert(transactionId)
      return .fresh
    }
  }
}
