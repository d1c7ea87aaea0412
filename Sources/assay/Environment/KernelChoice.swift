import FastDecryption
import HostIO
import Reports
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
      P256Kernel.environmentVariable, isKnown: { P256Kernel(rawValue: $0) != nil },
      supported: P256Kernel.allCases.filter(\.isAvailable).map(\.rawValue))
      ?? refusal(
        TextKernel.environmentVariable, isKnown: { TextKernel(named: $0) != nil },
        supported: TextKernel.supported.map(\.name))
  }

  private static func refusal(
    _ variable: String, isKnown: (String) -> Bool, supported: [String]
  ) -> String? {
    guard let value = Environment.value(variable), !supported.contains(value) else { return nil }
    let reason = isKnown(value) ? "this machine does not run it" : "there is no such kernel"
    return "\(variable)=\(Text.harmless(value)): \(reason). Supported here: \(supported.joined(separator: ", "))."
  }

  /// Has this process and those it starts use a kernel, as the environment would. To be called before one is first used.
  ///
  /// - Parameter name: of a kernel of P-256 or of texts; `portable` is both.
  static func force(_ name: String) throws(UsageError) {
    let isP256 = P256Kernel(rawValue: name)?.isAvailable == true
    let isText = TextKernel(named: name)?.isSupported == true
    guard isP256 || isText else {
      throw UsageError("\(Text.harmless(name)) is no kernel that this machine runs; see assay env.")
    }
    if isP256 { setenv(P256Kernel.environmentVariable, name, 1) }
    if isText { setenv(TextKernel.environmentVariable, name, 1) }
  }
}
