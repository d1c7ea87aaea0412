import FastDecryption

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the environment says of the kernel, and was not heeded.
enum KernelChoice {
  /// What was asked for and is no kernel, or does not run here.
  static var ignoredValue: String? {
    guard let value = getenv(P256Kernel.variable).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return P256Kernel(rawValue: value)?.isAvailable == true ? nil : value
  }
}
