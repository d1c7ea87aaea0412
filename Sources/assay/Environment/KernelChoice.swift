import FastDecryption
import TokenScanning

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the environment says of kernels and cannot be followed.
enum KernelChoice {
  /// Why no command runs: a kernel was asked for that does not exist, or that this machine does not run.
  static var refusal: String? {
    refusal(
      P256Kernel.variable, isKnown: { P256Kernel(rawValue: $0) != nil },
      supported: P256Kernel.allCases.filter(\.isAvailable).map(\.rawValue))
      ?? refusal(
        TextKernel.variable, isKnown: { TextKernel(named: $0) != nil }, supported: TextKernel.supported.map(\.name))
  }

  private static func refusal(
    _ variable: String, isKnown: (String) -> Bool, supported: [String]
  ) -> String? {
    guard let value = getenv(variable).map({ String(cString: $0) }), !value.isEmpty, !supported.contains(value) else {
      return nil
    }
    let reason = isKnown(value) ? "this machine does not run it" : "there is no such kernel"
    return "\(variable)=\(Text.harmless(value)): \(reason). Supported here: \(supported.joined(separator: ", "))."
  }

  /// Has this process use kernels by name, as the environment would; before one is first used.
  static func force(p256: String?, text: String?) {
    if let p256 { setenv(P256Kernel.variable, p256, 1) }
    if let text { setenv(TextKernel.variable, text, 1) }
  }
}
