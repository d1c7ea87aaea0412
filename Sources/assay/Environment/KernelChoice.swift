import FastDecryption
import HostIO
import Reports
import TokenScanning

/// The choice of kernels by environment variables and by options.
enum KernelChoice {
  /// Why the requested kernel cannot run; nil if it can, or none is requested.
  static var refusal: String? {
    refusal(P256Kernel.environmentVariable, supported: p256) ?? refusal(TextKernel.environmentVariable, supported: text)
  }

  private static let p256 = P256Kernel.allCases.filter(\.isAvailable).map(\.rawValue)
  private static let text = TextKernel.supported.map(\.name)

  private static func refusal(_ variable: String, supported: [String]) -> String? {
    guard let value = Environment.value(variable), !supported.contains(value) else { return nil }
    return "\(variable)=\(Text.harmless(value)) is not a kernel that this machine supports: \(supported.listed("or"))."
  }

  /// Makes this process and its children use a kernel. Call it before any kernel is used.
  ///
  /// - Parameter name: a kernel for P-256 or for text; `portable` is both.
  static func force(_ name: String) throws(CommandError) {
    guard (p256 + text).contains(name) else {
      let ending = Suggestion.ending(for: name, among: p256 + text)
      throw .usage(
        "\(Text.harmless(name)) is not a kernel that this machine supports\(ending)", see: "assay env")
    }
    if p256.contains(name) { setenv(P256Kernel.environmentVariable, name, 1) }
    if text.contains(name) { setenv(TextKernel.environmentVariable, name, 1) }
  }
}
