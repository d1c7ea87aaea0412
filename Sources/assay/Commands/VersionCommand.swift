import FastDecryption
import HostIO
import Reports
import StrictJSON

enum VersionCommand: Command {
  static let definition = CommandDefinition(
    path: ["version"], summary: "show version, commit, toolchain and kernels", options: [.json],
    remarks: ["assay --version is the same. assay env also describes the machine and runs a self-test."])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    try output.answer(document, text)
    return .success
  }

  private static var document: JSON {
    [
      "schema": "assay.version/1", "version": MachineDescription.version, "commit": SourceCommit.current,
      "swift": MachineDescription.swift, "openssl": MachineDescription.openSSL,
      "libsodium": MachineDescription.sodium, "architecture": MachineDescription.architecture,
      "kernels": MachineDescription.kernels,
    ]
  }

  private static var text: String {
    Text.pairs([
      ("assay", MachineDescription.version),
      ("commit", SourceCommit.current ?? "unknown"),
      ("Swift", MachineDescription.swift),
      ("OpenSSL", MachineDescription.openSSL),
      ("libsodium", MachineDescription.sodium),
      ("architecture", MachineDescription.architecture),
      ("kernels", "\(P256Kernel.preferred.agreementKernel) for P-256, \(MachineDescription.textKernel) for text"),
    ]).joined(separator: "\n") + "\n"
  }
}
