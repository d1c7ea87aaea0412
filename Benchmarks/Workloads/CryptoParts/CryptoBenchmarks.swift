import Benchmarking
import Minting

/// libcrypto's operations for a token, the lower bound for the fast engine.
enum CryptoBenchmarks {
  static let agreement = "stage/ecdh/openssl"
  static let verification = "stage/ecdsa-verify/openssl"
  static let names = [agreement, verification]

  private static let variety = 64

  /// - Throws: `BenchmarkFailure` when libcrypto fails or answers wrongly.
  static func make(_ name: String, seed: UInt64) throws(BenchmarkFailure) -> Benchmark? {
    var generator = SeededGenerator(seed: seed).stream(name)
    let random = { generator.bytes(32) }
    switch name {
    case agreement:
      let part = try AgreementPart(points: variety, random: random)
      return Benchmark(name: name, unit: "operation") { count throws(BenchmarkFailure) in try part.run(count) }
    case verification:
      let part = try VerificationPart(signatures: variety, random: random)
      return Benchmark(name: name, unit: "operation") { count throws(BenchmarkFailure) in try part.run(count) }
    default:
      return nil
    }
  }
}
