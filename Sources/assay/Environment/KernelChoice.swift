import FastDecryption

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the fast engine computes on P-256 with: the best of this machine, or what `ASSAY_KERNEL` says.
///
/// `ASSAY_KERNEL=portable` turns this program's own curve arithmetic off.
enum KernelChoice {
  /// The environment variable.
  static let variable = "ASSAY_KERNEL"

  static let kernel: P256Kernel = {
    guard let value = getenv(variable), let kernel = P256Kernel(rawValue: String(cString: value)) else { return .best }
    return kernel.isAvailable ? kernel : .portable
  }()

  /// What was asked for and is no kernel, or does not run here.
  static var ignoredValue: String? {
    guard let value = getenv(variable).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return P256Kernel(rawValue: value)?.isAvailable == true ? nil : value
  }
}
