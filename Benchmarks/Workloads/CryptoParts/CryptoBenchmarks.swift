import Benchmarking
import Minting

/// libcrypto's two curve operations for a token of EC_v1, with everything else prepared: the lower bound for decryptors
/// that use libcrypto. The fast engine's own kernels can be faster.
enum CryptoBenchmarks {
  static let agreement = "stage/ecdh/openssl"
  static let verification = "stage/ecdsa-verify/openssl"
  static let names = [agreement, verification]

  /// The number of different points or signatures, which are used in rotation.
  private static let inputCount = 64

  static let entries = [
    Entry(name: agreement) { name, context throws(BenchmarkFailure) in
      let keys = try CurveMaterial(seed: context.seed, name).keys(1 + inputCount)
      return Benchmark(name: name, unit: "operation", run: try AgreementPart(keys[0], with: keys.dropFirst()).run)
    },
    Entry(name: verification) { name, context throws(BenchmarkFailure) in
      let signed = try CurveMaterial(seed: context.seed, name).signatures(inputCount)
      return Benchmark(name: name, unit: "operation", run: try VerificationPart(signed).run)
    },
  ]
}

/// P-256 keys and signatures that are derived from a seed, so that every run has the same.
struct CurveMaterial {
  /// A key, and digests with its signatures.
  typealias Signed = (key: KeyPair, signatures: [(digest: [UInt8], value: ECDSAValue)])

  private var generator: SeededGenerator

  /// - Parameter name: the benchmark's name, so that benchmarks with the same seed have different keys.
  init(seed: UInt64, _ name: String) { generator = SeededGenerator(seed: seed).stream(name) }

  func keys(_ count: Int) throws(BenchmarkFailure) -> [KeyPair] {
    var generator = generator
    return try BenchmarkFailure.minting("the keys to measure with") {
      try (0..<count).map { _ in try KeyPair(.p256, from: &generator) }
    }
  }

  func signatures(_ count: Int) throws(BenchmarkFailure) -> Signed {
    let keys = try keys(1 + count)
    return try BenchmarkFailure.minting("the signatures to measure with") {
      // Any 32 bytes may be a digest: take the scalar of another key.
      (keys[0], try keys.dropFirst().map { ($0.scalar, try keys[0].sign(digest: $0.scalar)) })
    }
  }
}

extension KeyPair {
  /// The ECDH shared secret with another key, 32 bytes.
  func secret(with other: KeyPair) throws(BenchmarkFailure) -> [UInt8] {
    do throws(MintingError) { return try sharedSecret(with: other.point) } catch { throw .library }
  }
}

extension BenchmarkFailure {
  static let library = BenchmarkFailure("a call of libcrypto failed")

  /// Returns what a closure mints, and throws its error as a `BenchmarkFailure` that says what could not be minted.
  static func minting<Value>(_ what: String, _ mint: () throws -> Value) throws(BenchmarkFailure) -> Value {
    do { return try mint() } catch { throw BenchmarkFailure("\(what) could not be minted: \(error)") }
  }
}
