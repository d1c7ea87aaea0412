import FastDecryption
import TokenScanning

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the environment says of kernels and cannot be followed.
enum KernelChoice {
  /// Why no command runs: a text kernel was asked for that does not exist, or that this machine does not run.
  static var refusal: String? {
    guard let value = getenv(TextKernel.variable).map({ String(cString: $0) }), !value.isEmpty,
      TextKernel(named: value)?.isSupported != true
    else { return nil }
    let names = TextKernel.supported.map(\.name).joined(separator: ", ")
    let reason = TextKernel(named: value) == nil ? "there is no such text kernel" : "this machine does not run it"
    return "\(TextKernel.variable)=\(Text.harmless(value)): \(reason). Supported here: \(names)."
  }

  /// What was asked for and is no kernel, or does not run here.
  static var ignoredValue: String? {
    guard let value = getenv(P256Kernel.variable).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return P256Kernel(rawValue: value)?.isAvailable == true ? nil : value
  }
}
