import Benchmarking
import CompilerProbes
import FastDecryption
import HostIO
import MerchantKeys
import Reports
import StrictJSON
import Workloads

enum EnvCommand: Command {
  static let definition = CommandDefinition(
    path: ["env"], summary: "show versions, CPU features and kernels, and run a self-test", options: [.json, .quiet])

  static func run(_ arguments: ParsedArguments, _ output: OutputOptions) throws(CommandError) -> ExitCode {
    let failure = failedSelfTest()
    try output.answer(document(failure), text(failure))
    if !MachineDescription.hasP256Assembly {
      output.remark("this libcrypto has no optimized P-256 code: use a build with nistz256 assembly.")
    }
    return failure == nil ? .success : .finding
  }

  private static func failedSelfTest() -> String? {
    if let failure = Cryptography.failure { return CommandError(failure).message }
    if let probe = miscompiled.first(where: \.isUsed) { return "this build is miscompiled: \(probe.summary)" }
    do {
      // Making the benchmarks checks that both engines return the minted plaintexts and reject altered tokens, and
      // compares the kernel's operations with libcrypto's.
      _ = try Catalogue.make(Catalogue.names(under: ["kernel/"]), tokens: TokenSet.minted(count: 4, seed: 1), seed: 1)
      return nil
    } catch {
      return error.reason
    }
  }

  private static let miscompiled = CompilerProbe.failed

  private static func document(_ failure: String?) -> JSON {
    [
      "schema": "assay.env/1", "version": MachineDescription.version, "swift": MachineDescription.swift,
      "openssl": MachineDescription.openSSL, "openssl_headers": MachineDescription.openSSLHeaders,
      "libsodium": MachineDescription.sodium, "cpu": MachineDescription.cpu, "cores": MachineDescription.cores,
      "os": MachineDescription.operatingSystem, "cpu_features": MachineDescription.cpuFeatures,
      "kernels": MachineDescription.kernels,
      "miscompiled": miscompiled.map(\.name),
      "self_test": JSON(["passed": failure == nil, "failure": failure]),
    ]
  }

  private static func text(_ failure: String?) -> String {
    let kernels = MachineDescription.hasP256Assembly ? "made for the curve" : "generic"
    let names = miscompiled.filter { !$0.isUsed }.map(\.name).joined(separator: ", ")
    return Text.pairs([
      ("assay", MachineDescription.version),
      ("Swift", MachineDescription.swift),
      ("compiler", names.isEmpty ? "no known fault" : "miscompiles \(names): not used here"),
      ("OpenSSL", "\(MachineDescription.openSSL) (built against \(MachineDescription.openSSLHeaders))"),
      ("libsodium", MachineDescription.sodium),
      ("CPU", "\(MachineDescription.cpu), \(MachineDescription.cores) usable"),
      ("features", MachineDescription.cpuFeatures.joined(separator: " ")),
      ("OS", MachineDescription.operatingSystem),
      ("base64", MachineDescription.textKernel),
      ("JSON strings", MachineDescription.textKernel),
      ("key agreement", P256Kernel.preferred.agreementKernel),
      ("signatures", P256Kernel.preferred.signatureKernel),
      ("one signature", P256Kernel.preferred.signatureKernel),
      ("all else", "libcrypto, P-256 \(kernels)"),
      ("self-test", failure.map { "FAILED: \($0)" } ?? "passed: both engines decrypt minted tokens"),
    ]).joined(separator: "\n") + "\n"
  }
}
