/// What the caller demands of a token beyond its being genuine: freshness, certificates not revoked, an expected order.
public struct VerificationPolicy: Sendable {
  /// What the token comes in.
  public let envelope: EnvelopeSelection
  /// Which time counts, and how far the signing time may be from it.
  public let freshness: Freshness
  /// Certificates the caller no longer trusts.
  public let revoked: RevokedCertificates
  /// What the order says; checked at stage 14.
  public let expectations: Expectations

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

/// Replay detection needs a window, and archival verification excludes both: the cases leave no other combination.
public enum Freshness: Sendable {
  /// The signing time lies within `seconds` of the caller's time, both ends included; `replay` is asked last.
  case window(seconds: UInt32, replay: (any ReplayStore)? = nil)
  /// Stage 9 is switched off; the certificates are checked at the caller's time.
  case windowOff
  /// An archived token, verified as of its own signing time; the caller's time is not used.
  case signingTime
}

/// SHA-256 digests of certificates, or of their SubjectPublicKeyInfo, that the caller has revoked.
///
/// Prefer the digest of the SubjectPublicKeyInfo: an ECDSA signature (r, s) can be rewritten as (r, n-s) by anyone, which leaves
/// a certificate valid under another digest, while its key stays what it is.
public struct RevokedCertificates: Sendable {
  private let digests: Set<Bytes32>

  public init(_ digests: some Sequence<Bytes32> = EmptyCollection()) {
    self.digests = Set(digests)
  }

  /// Whether the list is empty, so that nothing need be hashed.
  public var isEmpty: Bool { digests.isEmpty }

  /// Whether the digest of a certificate (or of its SubjectPublicKeyInfo) is listed.
  public func contains(_ digest: Bytes32) -> Bool { digests.contains(digest) }
}

/// What the caller knows of the order the token pays for; a member that is nil is not asked for.
public struct Expectations: Hashable, Sendable {
  /// SHA-256 of the application data of the payment request, as the token's header carries it.
  public var applicationData: Bytes32?
  /// ISO 4217 numeric, three digits.
  public var currencyCode: String?
  /// Minor units.
  public var transactionAmount: Int64?

  public init(applicationData: Bytes32? = nil, currencyCode: String? = nil, transactionAmount: Int64? = nil) {
    self.applicationData = applicationData
    self.currencyCode = currencyCode
    self.transactionAmount = transactionAmount
  }
}
