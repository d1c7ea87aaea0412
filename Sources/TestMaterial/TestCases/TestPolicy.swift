import Gateways
public import PaymentToken

/// A caller's policy as a value that can be compared and written; every run gets a fresh `VerificationPolicy` from it.
public struct TestPolicy: Hashable, Sendable {
  /// `PaymentToken.Freshness` with a description of the replay store in place of the store.
  public enum Freshness: Hashable, Sendable {
    case window(seconds: UInt32, replay: Store?)
    case windowOff
    case signingTime
  }

  /// A replay store.
  public enum Store: Hashable, Sendable {
    /// In memory, with room for this many transactions.
    case capacity(Int)
    /// Never answers (rule 14.4).
    case silent
  }

  /// The envelope around the token.
  public var envelope: EnvelopeSelection
  /// Whether unsigned tokens are allowed: `TokenDecryptor.decryptAllowingUnsigned`.
  public var isUnsigned: Bool
  /// The window of signing times, and replay detection.
  public var freshness: Freshness
  /// SHA-256 of revoked certificates or of their public keys.
  public var revoked: [Bytes32]
  /// The order's values, which the payment must match.
  public var expectations: Expectations

  /// A policy; by default a bare signed token, a window of 300 seconds, nothing revoked, nothing expected, no replay
  /// detection.
  public init(
    envelope: EnvelopeSelection = .named(.apple), isUnsigned: Bool = false,
    freshness: Freshness = .window(seconds: 300, replay: nil), revoked: [Bytes32] = [],
    expectations: Expectations = Expectations()
  ) {
    self.envelope = envelope
    self.isUnsigned = isUnsigned
    self.freshness = freshness
    self.revoked = revoked
    self.expectations = expectations
  }

  /// How far the signing time may be from the verification time, in seconds; nil without a window.
  public var windowSeconds: UInt32? {
    if case .window(let seconds, _) = freshness { seconds } else { nil }
  }

  /// The replay store; nil without replay detection.
  public var replay: Store? {
    if case .window(_, let store) = freshness { store } else { nil }
  }

  /// The policy for an engine, with a new replay store.
  public func verificationPolicy() -> VerificationPolicy {
    let freshness: PaymentToken.Freshness =
      switch freshness {
      case .window(let seconds, nil): .window(seconds: seconds, replay: nil)
      case .window(let seconds, .capacity(let capacity)):
        .window(seconds: seconds, replay: MemoryReplayStore(capacity: capacity, longestWindow: seconds))
      case .window(let seconds, .silent): .window(seconds: seconds, replay: SilentReplayStore())
      case .windowOff: .windowOff
      case .signingTime: .signingTime
      }
    return VerificationPolicy(
      envelope: envelope, freshness: freshness, revoked: RevokedCertificates(revoked), expectations: expectations)
  }
}

/// Stands for a store on another machine that cannot be reached.
private final class SilentReplayStore: ReplayStore {
  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict { .unavailable }
}

extension EnvelopeSelection {
  /// The selection by its name; nil for an unknown name.
  ///
  /// - Parameters:
  ///   - name: an envelope's name, or `auto` for detection by shape.
  ///   - others: envelopes beside those of gateways; vectors may name those of `Envelope.ofCallers`, the line protocol
  ///     and the command line none.
  public init?(name: String, or others: [Envelope] = []) {
    if name == Self.automaticName {
      self = .automatic
    } else if let envelope = Envelope.named(name) ?? others.first(where: { $0.name == name }) {
      self = .named(envelope)
    } else {
      return nil
    }
  }

  /// An envelope's name, or `auto`; nil for a caller's own envelope, and for a choice among some envelopes.
  public var name: String? {
    switch self {
    case .named(let envelope): Envelope.named(envelope.name) == envelope ? envelope.name : nil
    case .automatic(let list): list == Envelope.all ? Self.automaticName : nil
    }
  }

  /// The name in vectors; nil for other envelopes of a caller, and for a choice among some envelopes.
  public var vectorName: String? {
    if case .named(let envelope) = self, Envelope.ofCallers.contains(envelope) { envelope.name } else { name }
  }

  private static let automaticName = "auto"
}

extension TestContext {
  /// The options under which `assay decrypt` verifies in this context, but for those that name files. Nil if it has
  /// none: for replays, and for a caller's own envelopes.
  package var decryptOptions: [String]? {
    guard prelude.isEmpty, policy.replay == nil, let envelope = policy.envelope.name else { return nil }
    var options = ["--envelope", envelope]
    // The option is only for envelopes in parts; for others the policy changes nothing.
    if policy.isUnsigned, Envelope.named(envelope)?.isInParts != false { options.append("--unsigned") }
    options += ["--at", policy.freshness == .signingTime ? "signing-time" : now.rfc3339]
    switch policy.freshness {
    case .windowOff: options += ["--window", "off"]
    case .window(let seconds, _) where seconds != 300: options += ["--window", String(seconds)]
    case .window, .signingTime: break
    }
    let expected = policy.expectations
    if let currency = expected.currencyCode { options += ["--expect-currency", currency] }
    if let amount = expected.transactionAmount { options += ["--expect-amount", String(amount)] }
    if let data = expected.applicationData { options += ["--expect-application-data", data.hex] }
    return options
  }
}
