import PaymentToken

/// Tests that share keys, roots, time, window and policy: what one `hello` of the line protocol and one policy say.
public struct VectorGroup: Hashable, Sendable {
  /// The merchants' keys, as the line protocol has them.
  public var keys: [VectorKey]
  /// The roots to trust, each as PEM; none means that nothing is trusted.
  public var rootsPem: [String]
  /// The verification time.
  public var at: UnixTime
  /// How far the signing time may be from `at`, in seconds; nil when stage 9 is switched off.
  public var windowSeconds: UInt32?
  /// What is demanded beyond genuineness.
  public var policy: VectorPolicy
  /// At least one.
  public var tests: [VectorTest]

  public init(
    keys: [VectorKey], rootsPem: [String], at: UnixTime, windowSeconds: UInt32?,
    policy: VectorPolicy = VectorPolicy(), tests: [VectorTest]
  ) {
    self.keys = keys
    self.rootsPem = rootsPem
    self.at = at
    self.windowSeconds = windowSeconds
    self.policy = policy
    self.tests = tests
  }
}

/// A merchant's key: worthless, everybody has it.
public struct VectorKey: Hashable, Sendable {
  /// PKCS #8.
  public var privateKeyPem: String
  /// The payment processing certificate, which names the merchant; nil where `merchantId` does.
  public var certificatePem: String?
  /// The merchant identifier, where there is no certificate.
  public var merchantId: String?

  public init(privateKeyPem: String, certificatePem: String?, merchantId: String? = nil) {
    self.privateKeyPem = privateKeyPem
    self.certificatePem = certificatePem
    self.merchantId = merchantId
  }
}

/// The policy of the line protocol; the default demands nothing.
public struct VectorPolicy: Hashable, Sendable {
  /// An envelope's name, or `auto`.
  public var envelope: String
  /// Whether tokens in parts may come without a signature.
  public var unsigned: Bool
  /// What the order says.
  public var expect: Expectations
  /// Whether a test's token is refused when its prelude held the same transaction.
  public var replay: Bool
  /// SHA-256 of certificates, or of their public keys, that are no longer trusted.
  public var revoked: [Octets32]

  public init(
    envelope: String = "apple", unsigned: Bool = false, expect: Expectations = Expectations(), replay: Bool = false,
    revoked: [Octets32] = []
  ) {
    self.envelope = envelope
    self.unsigned = unsigned
    self.expect = expect
    self.replay = replay
    self.revoked = revoked
  }
}
