import Benchmarking
import Minting

/// libcrypto's operations for a token, the lower bound for the fast engine.
enum CryptoBenchmarks {
  static let agreement = "stage/ecdh/openssl"
  static let verification = "stage/ecdsa-verify/openssl"
  static let names = [agreement, verification]

  private static let variety = 64

  static let entries = [
    Entry(agreement) { name, context throws(BenchmarkFailure) in
      let keys = try CurveMaterial(seed: context.seed, name).keys(1 + variety)
      return Benchmark(name: name, unit: "operation", run: try AgreementPart(keys[0], with: keys.dropFirst()).run)
    },
    Entry(verification) { name, context throws(BenchmarkFailure) in
      let signed = try CurveMaterial(seed: context.seed, name).signatures(variety)
      return Benchmark(name: name, unit: "operation", run: try VerificationPart(signed).run)
    },
  ]
}

/// Keys and signatures of P-256 from a seed, the same at every run.
struct CurveMaterial {
  /// A key, and digests that it has signed.
  typealias Signed = (key: KeyPair, signatures: [(digest: [UInt8], value: ECDSAValue)])

  private var generator: SeededGenerator

  /// - Parameter name: what differs between benchmarks with the same seed.
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
      // Any 32 bytes may be a digest.
      (keys[0], try keys.dropFirst().map { ($0.scalar, try keys[0].sign(digest: $0.scalar)) })
    }
  }
}

extension KeyPair {
  /// The secret that both sides of an agreement have.
  func secret(with other: KeyPair) throws(BenchmarkFailure) -> [UInt8] {
    do throws(MintingError) { return try sharedSecret(with: other.point) } catch { throw .library }
  }
}

extension BenchmarkFailure {
  static let library = BenchmarkFailure("a call of libcrypto failed")

  /// What a closure mints.
  static func minting<Value>(_ what: String, _ mint: () throws -> Value) throws(BenchmarkFailure) -> Value {
    do { return try mint() } catch { throw BenchmarkFailure("\(what) could not be minted: \(error)") }
  }
}
