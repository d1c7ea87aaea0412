import CP256

/// The code that computes on P-256 (Docs/decisions/0007-own-curve-arithmetic.md). Verdicts do not depend on it.
public enum P256Kernel: String, Sendable, CaseIterable {
  /// libcrypto's, one operation at a time: runs everywhere.
  case portable
  /// Eight lanes of AVX-512 IFMA, for batches of tokens and for signers with a table; all else is libcrypto's.
  case lanes

  /// Whether this machine runs it.
  public var isAvailable: Bool { self == .portable || assay_p256_has_lanes() }

  /// The fastest of this machine.
  public static let best: P256Kernel = P256Kernel.lanes.isAvailable ? .lanes : .portable
}
