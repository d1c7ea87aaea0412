/// The caller's requirements beyond a genuine token: its envelope, its age, revoked certificates and the expected
/// order.
public struct VerificationPolicy: Sendable {
  /// The envelope of the request.
  public let envelope: EnvelopeSelection
  /// The range in which the signing time must be, in addition to `freshness` (rule 9.1); nil for no such range.
  ///
  /// For a replay store that does not outlive the process: ``MemoryReplayStore`` says which range leaves out the tokens
  /// that an earlier process may have accepted.
  public let signingTimes: Range<UnixTime>?
  /// Certificates that the caller no longer trusts (rule 7.6).
  public let revoked: RevokedCertificates
  /// The expected order, checked at stage 14.
  public let expectations: Expectations
  /// `freshness` without its store.
  package let freshnessRule: Freshness.Rule
  /// The store of `freshness`; without one, a store that is never asked.
  ///
  /// All threads share the store, so retaining it would be a write to memory that they share. It is separate from the
  /// rule and not optional: then neither reading the rule nor calling the store retains it.
  package let replayStore: any ReplayStore

  /// A policy. By default the request is the token itself, the token was signed at most 300 seconds from the
  /// verification time, and replays are not detected: that takes a store (`.window(seconds:replay:)`).
  public init(
    envelope: EnvelopeSelection = .named(.apple), freshness: Freshness = .window(seconds: 300),
    signingTimes: Range<UnixTime>? = nil, revoked: RevokedCertificates = RevokedCertificates(),
    expectations: Expectations = Expectations()
  ) {
    self.envelope = envelope
    self.signingTimes = signingTimes
    freshnessRule = freshness.rule
    replayStore = freshness.store ?? NoReplayStore()
    self.revoked = revoked
    self.expectations = expectations
  }

  /// The verification time, the maximum distance of the signing time, and replay detection.
  public var freshness: Freshness {
    switch freshnessRule {
    case .window(let seconds, let detectsReplays):
      .window(seconds: seconds, replay: detectsReplays ? replayStore : nil)
    case .windowOff: .windowOff
    case .signingTime: .signingTime
    }
  }
}

/// The store of a policy without replay detection. No engine asks it.
private struct NoReplayStore: ReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }
}

/// The verification time and the maximum age of a token (rule 9.1).
///
/// Replay detection requires a window, so only ``window(seconds:replay:)`` has a replay store.
@nonexhaustive
public enum Freshness: Sendable {
  /// The signing time must be within `seconds` of the caller's time, both ends included. `replay`, if given, detects
  /// replayed tokens (rule 14.4).
  case window(seconds: UInt32, replay: (any ReplayStore)? = nil)
  /// There is no window in stage 9. Certificates are checked at the caller's time.
  case windowOff
  /// The token, from an archive, is verified at its own signing time. The caller's time is ignored.
  case signingTime

  /// The same without the store.
  package enum Rule: Sendable, BitwiseCopyable {
    case window(seconds: UInt32, detectsReplays: Bool)
    case windowOff
    case signingTime
  }

  fileprivate var store: (any ReplayStore)? {
    if case .window(_, let replay) = self { replay } else { nil }
  }

  fileprivate var rule: Rule {
    switch self {
    case .window(let seconds, let replay): .window(seconds: seconds, detectsReplays: replay != nil)
    case .windowOff: .windowOff
    case .signingTime: .signingTime
    }
  }
}

/// SHA-256 digests of revoked certificates, or of their SubjectPublicKeyInfo (rule 7.6).
///
/// Prefer digests of the SubjectPublicKeyInfo. Anyone can rewrite an ECDSA signature (r, s) as (r, n-s), which gives a
/// valid certificate with another digest but the same key.
public struct RevokedCertificates: Sendable {
  private let digests: Set<Bytes32>

  /// A list of these digests.
  public init(_ digests: some Sequence<Bytes32> = EmptyCollection()) {
    self.digests = Set(digests)
  }

  /// Whether the list is empty.
  public var isEmpty: Bool { digests.isEmpty }

  /// Whether a digest is on the list.
  public func contains(_ digest: Bytes32) -> Bool { digests.contains(digest) }
}

/// The order that the caller expects the token to pay for (rules 14.1 to 14.3). Nil members are not checked.
public struct Expectations: Hashable, Sendable {
  /// SHA-256 of the payment request's application data, 32 bytes.
  public var applicationData: Bytes32?
  /// The currency, an ISO 4217 numeric code of three digits.
  public var currencyCode: String?
  /// The amount in minor units of the currency.
  public var transactionAmount: Int64?

  /// Expectations; by default none.
  public init(applicationData: Bytes32? = nil, currencyCode: String? = nil, transactionAmount: Int64? = nil) {
    self.applicationData = applicationData
    self.currencyCode = currencyCode
    self.transactionAmount = transactionAmount
  }
}
