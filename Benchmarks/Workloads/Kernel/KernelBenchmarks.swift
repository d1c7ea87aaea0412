import Benchmarking
import FastDecryption
import Minting

/// The kernel's operations on their own, to be held against libcrypto's in `stage/`.
enum KernelBenchmarks {
  static let agreement = "kernel/ecdh/lanes"
  static let verification = "kernel/ecdsa-verify/lanes"
  static let oneVerification = "kernel/ecdsa-verify/one"
  static let table = "kernel/table"

  /// None where the lanes do not run, or are turned off.
  static let names = P256Kernel.best == .lanes ? [agreement, verification, oneVerification, table] : []
  /// What a token of a batch takes of the kernel.
  static let parts = [agreement, verification]

  /// Comparisons of the same rounds.
  static let ratios = [
    ratio("kernel over libcrypto, ECDH", agreement, CryptoBenchmarks.agreement),
    ratio("kernel over libcrypto, ECDSA", verification, CryptoBenchmarks.verification),
    ratio("kernel over libcrypto, one ECDSA", oneVerification, CryptoBenchmarks.verification),
  ]

  private static func ratio(_ name: String, _ numerator: String, _ denominator: String) -> RatioDefinition {
    RatioDefinition(name: name, measure: .throughput, numerator: numerator, denominator: [denominator])
  }

  private static let variety = 64

  /// Nil for a name that is none of these.
  ///
  /// - Throws: `BenchmarkFailure` when the kernel and libcrypto differ.
  static func make(_ name: String, seed: UInt64) throws(BenchmarkFailure) -> Benchmark? {
    guard names.contains(name) else { return nil }
    var generator = SeededGenerator(seed: seed).stream(name)
    let random = { generator.bytes(32) }
    switch name {
    case agreement:
      let part = try LaneAgreementPart(points: variety, random: random)
      return Benchmark(name: name, unit: "operation", multiple: variety) { count in part.run(count) }
    case verification, oneVerification:
      let part = try LaneVerificationPart(signatures: variety, random: random)
      if name == oneVerification {
        return Benchmark(name: name, unit: "operation") { count throws(BenchmarkFailure) in
          try part.runOneByOne(count)
        }
      }
      return Benchmark(name: name, unit: "operation", multiple: variety) { count throws(BenchmarkFailure) in
        try part.run(count)
      }
    default:
      let part = try LaneVerificationPart(signatures: 1, random: random)
      return Benchmark(name: name, unit: "table") { count throws(BenchmarkFailure) in try part.makeTables(count) }
    }
  }
}
