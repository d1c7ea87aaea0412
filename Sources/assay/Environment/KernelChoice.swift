import FastDecryption
import HostIO
import Reports
import TokenScanning

/// The choice of kernels by environment variables and by options.
enum KernelChoice {
  /// Why the requested kernel cannot run: it does not exist, or this machine does not support it.
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
    let reason = isKnown(value) ? "this machine does not support it" : "there is no such kernel"
    return "\(variable)=\(Text.harmless(value)): \(reason). Supported here: \(supported.joined(separator: ", "))."
  }

  /// Makes this process and its children use a kernel. Call it before any kernel is used.
  ///
  /// - Parameter name: a kernel for P-256 or for text; `portable` is both.
  static func force(_ name: String) throws(CommandError) {
    let isP256 = P256Kernel(rawValue: name)?.isAvailable == true
    let isText = TextKernel(named: name)?.isSupported == true
    guard isP256 || isText else {
      let supported = P256Kernel.allCases.filter(\.isAvailable).map(\.rawValue) + TextKernel.supported.map(\.name)
      let ending = Suggestion.ending(for: name, among: supported)
      throw .usage(
        "\(Text.harmless(name)) is not a kernel that this machine supports\(ending)", see: "assay env")
    }
    if isP256 { setenv(P256Kernel.environmentVariable, name, 1) }
    if isText { setenv(TextKernel.environmentVariable, name, 1) }
  }
}
