import Benchmarking
import COpenSSL
import Minting

/// The second operation that every decryptor needs for a token of EC_v1: one ECDSA verification on P-256. The key and
/// the signature are parsed before.
final class VerificationPart {
  private let key: OpaquePointer
  private var signed: [(digest: [UInt8], signature: OpaquePointer)] = []
  private var next = 0

  init(_ signed: CurveMaterial.Signed) throws(BenchmarkFailure) {
    guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { throw .library }
    self.key = key
    guard EC_KEY_oct2key(key, signed.key.point, 65, nil) == 1 else { throw .library }
    for (digest, value) in signed.signatures {
      let bytes = value.node.encoded
      let parsed = bytes.withUnsafeBufferPointer { buffer in
        var start = buffer.baseAddress
        return d2i_ECDSA_SIG(nil, &start, buffer.count)
      }
      guard let parsed else { throw .library }
      self.signed.append((digest, parsed))
    }
    // A function that accepts everything would look fast, so check that it rejects one altered digest.
    var altered = self.signed[0].digest
    altered[31] ^= 1
    guard ECDSA_do_verify(altered, 32, self.signed[0].signature, key) == 0 else {
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
        throw BenchmarkFailure("a valid signature was rejected")
      }
      next = next + 1 == signed.count ? 0 : next + 1
    }
  }
}
