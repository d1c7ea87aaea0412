import Benchmarking
import COpenSSL

/// The other part that no verifier gets around: one ECDSA verification on P-256 with the key and the signature parsed
/// before.
final class VerificationPart {
  private let key: OpaquePointer
  private var signed: [(digest: [UInt8], signature: OpaquePointer)] = []
  private var next = 0

  /// - Parameter random: draws 32 bytes.
  init(signatures count: Int, random: () -> [UInt8]) throws(BenchmarkFailure) {
    let curve = try Curve()
    key = try curve.signingKey(random()).key
    for _ in 0..<count {
      let digest = random()
      signed.append((digest, try VerificationPart.sign(digest, with: key, nonce: random(), on: curve)))
    }
    // A verification that accepts everything would be fast.
    guard let first = signed.first else { throw BenchmarkFailure("no signatures to verify") }
    var altered = first.digest
    altered[31] ^= 1
    guard ECDSA_do_verify(altered, 32, first.signature, key) == 0 else {
      throw BenchmarkFailure("an altered digest was accepted")
    }
    ERR_clear_error()
  }

  deinit {
    for entry in signed { ECDSA_SIG_free(entry.signature) }
    EC_KEY_free(key)
  }

  func run(_ count: Int) throws(BenchmarkFailure) {
    for _ in 0..<count {
      guard ECDSA_do_verify(signed[next].digest, 32, signed[next].signature, key) == 1 else {
        throw BenchmarkFailure("a valid signature was refused")
      }
      next = next + 1 == signed.count ? 0 : next + 1
    }
  }

  /// Signs with a nonce from the seed, so that every run verifies the same signatures (SEC 1, 4.1.3).
  static func sign(
    _ digest: [UInt8], with key: OpaquePointer, nonce: [UInt8], on curve: Curve
  ) throws(BenchmarkFailure) -> OpaquePointer {
    let k = try curve.scalar(nonce)
    defer { BN_free(k) }
    let x = try curve.publicPoint(of: k)[1...32]
    guard let r = BN_bin2bn(Array(x), 32, nil) else { throw .library }
    defer { BN_free(r) }
    guard BN_nnmod(r, r, curve.order, curve.scratch) == 1,
      let inverse = BN_mod_inverse(nil, k, curve.order, curve.scratch)
    else { throw .library }
    defer { BN_free(inverse) }
    guard let signature = ECDSA_do_sign_ex(digest, 32, inverse, r, key) else { throw .library }
    return signature
  }
}
