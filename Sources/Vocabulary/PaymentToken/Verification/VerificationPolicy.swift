/// The caller's requirements beyond a genuine token: its envelope, its age, revoked certificates and the expected
/// order.
public struct VerificationPolicy: Sendable {
  /// The envelope of the request.
  public let envelope: EnvelopeSelection
  /// The verification time, the maximum distance of the signing time, and replay detection.
  public let freshness: Freshness
  /// Certificates that the caller no longer trusts (rule 7.6).
  public let revoked: RevokedCertificates
  /// The expected order, checked at stage 14.
  public let expectations: Expectations

  /// A policy; by default a token that is not in an envelope, signed at most 300 seconds from the verification time.
  public init(
    envelope: EnvelopeSelection = .named(.apple), freshness: Freshness = .window(seconds: 300),
    revoked: RevokedCertificates = RevokedCertificates(), expectations: Expectations = Expectations()
  ) {
    self.envelope = envelope
    self.freshness = freshness
    self.revoked = revoked
    self.expectations = expectations
  }
}

/// The verification time and the maximum age of a token (rule 9.1).
///
/// Replay detection requires a window, so only ``window(seconds:replay:)`` has a replay store.
public enum Freshness: Sendable {
  /// The signing time must be within `seconds` of the caller's time, both ends included. `replay`, if given, detects
  /// replayed tokens (rule 14.4).
  case window(seconds: UInt32, replay: (any ReplayStore)? = nil)
  /// Stage 9 is off. Certificates are checked at the caller's time.
  case windowOff
  /// The token, from an archive, is verified at its own signing time. The caller's time is ignored.
  case signingTime
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
