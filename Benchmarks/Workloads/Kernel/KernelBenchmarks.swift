import Benchmarking
import CP256
import FastDecryption

/// The operations of each P-256 kernel, for comparison with libcrypto's in `stage/`.
enum KernelBenchmarks {
  /// An operation of a kernel; the raw value is the middle of its benchmark's name.
  private enum Operation: String, CaseIterable {
    case agreement = "ecdh"
    case verification = "ecdsa-verify"
    case oneVerification = "ecdsa-verify-one"
    case table

    func isOffered(by kernel: assay_p256_kernel) -> Bool {
      switch self {
      case .agreement: kernel.agree != nil
      case .verification: kernel.verify != nil
      case .oneVerification: kernel.verify_one != nil
      case .table: kernel.lanes == 1
      }
    }
  }

  /// All kernels except emulated ones. Never changed.
  nonisolated(unsafe) private static let listed: [(name: String, functions: assay_p256_kernel)] =
    (0..<assay_p256_kernel_count()).compactMap { assay_p256_kernel_at($0)?.pointee }
    .filter { !$0.is_emulated }.map { (String(cString: $0.name), $0) }
  /// The listed kernels that this machine supports.
  nonisolated(unsafe) private static let kernels = listed.filter { $0.functions.is_supported() }

  private static func name(_ operation: Operation, by kernel: String) -> String {
    "kernel/\(operation.rawValue)/\(kernel)"
  }

  static let entries = kernels.flatMap { kernel in
    Operation.allCases.filter { $0.isOffered(by: kernel.functions) }.map { operation in
      nonisolated(unsafe) let functions = kernel.functions
      return Entry(name: name(operation, by: kernel.name)) { name, context throws(BenchmarkFailure) in
        try make(operation, name, functions, seed: context.seed)
      }
    }
  }

  /// The benchmarks of the two operations for a token of a batch, by the preferred kernel or else by libcrypto.
  static let parts = [
    part(.agreement, by: P256Kernel.preferred.agreementKernel, or: CryptoBenchmarks.agreement),
    part(.verification, by: P256Kernel.preferred.signatureKernel, or: CryptoBenchmarks.verification),
  ]

  private static func part(_ operation: Operation, by kernel: String, or libcrypto: String) -> String {
    let name = name(operation, by: kernel)
    return entries.contains { $0.name == name } ? name : libcrypto
  }

  /// The ratios of kernels that do not run here are never measured.
  static let ratios = listed.flatMap { kernel in
    [
      ("ECDH", .agreement, CryptoBenchmarks.agreement), ("ECDSA", .verification, CryptoBenchmarks.verification),
      ("one ECDSA", .oneVerification, CryptoBenchmarks.verification),
    ].map { (what: String, operation: Operation, libcrypto: String) in
      RatioDefinition.throughput(
        "\(kernel.name) over libcrypto, \(what)", name(operation, by: kernel.name), over: [libcrypto])
    }
  }

  private static let variety = 64

  /// - Throws: `BenchmarkFailure` when the kernel and libcrypto differ.
  private static func make(
    _ operation: Operation, _ name: String, _ kernel: assay_p256_kernel, seed: UInt64
  ) throws(BenchmarkFailure) -> Benchmark {
    let material = CurveMaterial(seed: seed, operation.rawValue)
    if operation == .agreement {
      let part = try LaneAgreementPart(by: kernel, material.keys(variety))
      return Benchmark(name: name, unit: "operation", multiple: variety, run: part.run)
    }
    let part = try LaneVerificationPart(by: kernel, material.signatures(operation == .table ? 1 : variety))
    switch operation {
    case .agreement, .verification:
      return Benchmark(name: name, unit: "operation", multiple: variety, run: part.run)
    case .oneVerification: return Benchmark(name: name, unit: "operation", run: part.runOneByOne)
    case .table: return Benchmark(name: name, unit: "table", run: part.makeTables)
    }
  }
}
