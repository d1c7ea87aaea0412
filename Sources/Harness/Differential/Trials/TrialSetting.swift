public import Corpus

/// What an external is told once, in `hello`: keys, roots and the window. Another setting needs another process.
public struct TrialSetting: Hashable, Sendable {
  public let keys: [VectorKey]
  /// The roots to trust, each as PEM; none when empty.
  public let rootsPem: [String]
  /// How far the signing time may be from the verification time, in seconds; nil when it does not matter.
  public let windowSeconds: UInt32?
  /// Whether the keys are known to be worthless. Others are given to no program without the user's word.
  public let hasTestKeys: Bool

  public init(keys: [VectorKey], rootsPem: [String], windowSeconds: UInt32?, hasTestKeys: Bool) {
    self.keys = keys
    self.rootsPem = rootsPem
    self.windowSeconds = windowSeconds
    self.hasTestKeys = hasTestKeys
  }
}

// Interpolation and `dump` would reach private keys by reflection.
extension TrialSetting: CustomStringConvertible, CustomReflectable {
  public var description: String { "TrialSetting(\(keys.count) keys, \(rootsPem.count) roots)" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
