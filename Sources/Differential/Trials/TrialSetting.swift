import PaymentToken

/// What an external is told once, in `hello`: keys, roots and the window. Another setting needs another process.
public struct TrialSetting: Hashable, Sendable {
  /// A merchant's private key, as the line protocol carries it.
  public struct Key: Hashable, Sendable {
    /// PEM.
    public let privateKeyPEM: String
    /// PEM; nil when there is none.
    public let certificatePEM: String?
    /// The merchant identifier, for keys whose certificate does not tell it.
    public let merchantID: String?

    public init(privateKeyPEM: String, certificatePEM: String? = nil, merchantID: String? = nil) {
      self.privateKeyPEM = privateKeyPEM
      self.certificatePEM = certificatePEM
      self.merchantID = merchantID
    }
  }

  public let keys: [Key]
  /// The roots to trust, each as PEM; none when empty.
  public let rootsPEM: [String]
  /// How far the signing time may be from the verification time, in seconds; nil when it does not matter.
  public let windowSeconds: UInt32?
  /// Whether the keys are known to be worthless. Others are given to no program without the user's word.
  public let hasTestKeys: Bool

  public init(keys: [Key], rootsPEM: [String], windowSeconds: UInt32?, hasTestKeys: Bool) {
    self.keys = keys
    self.rootsPEM = rootsPEM
    self.windowSeconds = windowSeconds
    self.hasTestKeys = hasTestKeys
  }
}

// Interpolation and `dump` would reach private keys by reflection.
extension TrialSetting: CustomStringConvertible, CustomReflectable {
  public var description: String { "TrialSetting(\(keys.count) keys, \(rootsPEM.count) roots)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension TrialSetting.Key: CustomStringConvertible, CustomReflectable {
  public var description: String { "TrialSetting.Key" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
