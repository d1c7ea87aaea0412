import Gateways
public import PaymentToken

/// A caller's policy as a value: compared, written down, and turned into a fresh `VerificationPolicy` for every run.
public struct TestPolicy: Hashable, Sendable {
  /// Which time counts (`PaymentToken.Freshness`), with the replay store's capacity in place of the store.
  public enum Freshness: Hashable, Sendable {
    case window(seconds: UInt32, replayCapacity: Int?)
    case windowOff
    case signingTime
  }

  /// What the token comes in.
  public var envelope: EnvelopeSelection
  /// Whether the unsigned policy is asked for: `TokenDecryptor.decryptUnsigned`.
  public var isUnsigned: Bool
  /// Which time counts.
  public var freshness: Freshness
  /// SHA-256 of certificates or of their public keys that are no longer trusted.
  public var revoked: [Bytes32]
  /// What the order says.
  public var expectations: Expectations

  /// Unless said otherwise: the token itself, signed, a window of 300 seconds, nothing revoked, nothing expected, no
  /// replay detection.
  public init(
    envelope: EnvelopeSelection = .named(.apple), isUnsigned: Bool = false,
    freshness: Freshness = .window(seconds: 300, replayCapacity: nil), revoked: [Bytes32] = [],
    expectations: Expectations = Expectations()
  ) {
    self.envelope = envelope
    self.isUnsigned = isUnsigned
    self.freshness = freshness
    self.revoked = revoked
    self.expectations = expectations
  }

  /// How far the signing time may be from the verification time, in seconds; nil where it does not matter.
  public var windowSeconds: UInt32? {
    if case .window(let seconds, _) = freshness { seconds } else { nil }
  }

  /// How many transactions the replay store has room for; nil where replays are not detected.
  public var replayCapacity: Int? {
    if case .window(_, let capacity) = freshness { capacity } else { nil }
  }

  /// The policy as engines understand it, with a replay store that has seen nothing yet.
  public func verificationPolicy() -> VerificationPolicy {
    let freshness: PaymentToken.Freshness =
      switch freshness {
      case .window(let seconds, let capacity):
        .window(
          seconds: seconds, replay: capacity.map { MemoryReplayStore(capacity: $0, longestWindow: seconds) })
      case .windowOff: .windowOff
      case .signingTime: .signingTime
      }
    return VerificationPolicy(
      envelope: envelope, freshness: freshness, revoked: RevokedCertificates(revoked), expectations: expectations)
  }
}

extension EnvelopeSelection {
  /// The selection of that name in files, in the line protocol and on the command line; nil for a name that is none.
  ///
  /// - Parameter name: an envelope's name, or `auto` for any of them by its shape.
  public init?(name: String) {
    if name == Self.automaticName {
      self = .automatic
    } else if let envelope = Envelope.named(name) {
      self = .named(envelope)
    } else {
      return nil
    }
  }

  /// An envelope's name, or `auto`; nil for an envelope of the caller's own, and for a choice among some envelopes only.
  public var name: String? {
    switch self {
    case .named(let envelope): Envelope.named(envelope.name) == envelope ? envelope.name : nil
    case .automatic(let list): list == Envelope.all ? Self.automaticName : nil
    }
  }

  private static let automaticName = "auto"
}
