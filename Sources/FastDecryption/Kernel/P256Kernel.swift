import CP256

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The code that computes on P-256 (Docs/decisions/0008-own-curve-arithmetic.md). Verdicts do not depend on it.
public enum P256Kernel: String, Sendable, CaseIterable {
  /// libcrypto's, one operation at a time: runs everywhere.
  case portable
  /// Eight lanes of AVX-512 IFMA, for batches of tokens and for signers with a table; all else is libcrypto's.
  case lanes

  /// Whether this machine runs it.
  public var isAvailable: Bool { self == .portable || assay_p256_has_lanes() }

  /// The fastest of this machine, unless the environment variable `ASSAY_KERNEL` names another when this is first asked:
  /// curve arithmetic of our own can be turned off in a running system without a new build of anything.
  public static let best: P256Kernel = {
    let fastest: P256Kernel = P256Kernel.lanes.isAvailable ? .lanes : .portable
    guard let value = getenv(variable), let named = P256Kernel(rawValue: String(cString: value)) else { return fastest }
    return named.isAvailable ? named : .portable
  }()

  /// The environment variable that `best` heeds.
  public static var variable: String { "ASSAY_KERNEL" }
}
