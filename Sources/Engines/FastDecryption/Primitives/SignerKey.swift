import COpenSSL
import PaymentToken
import Synchronization
import TokenScanning

/// The public key of a leaf, ready to verify with.
enum SignerKey: Sendable {
  case p256(P256SignerKey)
  case rsa(RSASignerKey)

  /// The key as an unmanaged reference.
  var reference: SignerReference {
    switch self {
    case .p256(let key): .p256(Unmanaged.passUnretained(key))
    case .rsa(let key): .rsa(Unmanaged.passUnretained(key), size: key.size)
    }
  }
}

/// The public key of a leaf as an unmanaged reference, valid as long as its chain lives.
enum SignerReference {
  case p256(Unmanaged<P256SignerKey>)
  /// The size of the modulus, and of a signature, in bytes.
  case rsa(Unmanaged<RSASignerKey>, size: Int)

  /// Whether it may sign tokens of a version (7.4).
  func fits(_ version: TokenVersion) -> Bool {
    switch (self, version.traits.signer) {
    case (.p256, .ecdsa), (.rsa, .rsa): true
    case (.p256, .rsa), (.rsa, .ecdsa): false
    }
  }

  /// The size of its signatures in bytes (5.19); nil for ECDSA, whose DER varies in length.
  var signatureSize: Int? {
    switch self {
    case .p256: nil
    case .rsa(_, let size): size
    }
  }
}

/// A P-256 public key, parsed and checked once.
///
/// `@unchecked Sendable`: after `init` libcrypto reads the EC_KEY and does not change it, and `uses` is atomic.
package final class P256SignerKey: @unchecked Sendable {
  let key: OpaquePointer
  /// x ‖ y, 64 bytes.
  let coordinates: [UInt8]
  /// The number of verifications begun without a table.
  private let uses = Atomic(0)

  /// Nil if `point` is not an uncompressed point on P-256, 65 bytes.
  package init?(point: Span<UInt8>) {
    guard let key = EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    let isPoint = point.withUnsafeBufferPointer {
      // For a token's key 5.16 has checked the form and the curve.
      $0.count == P256KeyAgreement.pointSize && $0[0] == 0x04
        && EC_KEY_oct2key(key, $0.baseAddress, $0.count, nil) == 1
    }
    guard isPoint else {
      EC_KEY_free(key)
      return nil
    }
    self.key = key
    coordinates = point.extracting(1...).withUnsafeBufferPointer { [UInt8]($0) }
  }

  deinit {
    EC_KEY_free(key)
  }

  /// Counts a verification that begins without a table, and returns the count.
  func countUse() -> Int { uses.wrappingAdd(1, ordering: .relaxed).newValue }

  func forgetUses() { uses.store(0, ordering: .relaxed) }
}

/// An RSA public key with the exponent 65537, for RSASSA-PKCS1-v1_5 (RFC 8017 8.2.2).
///
/// `@unchecked Sendable`: at the first use libcrypto caches values in the RSA object under a lock; it changes nothing
/// else.
final class RSASignerKey: @unchecked Sendable {
  /// The size of the modulus, and of a signature, in bytes.
  let size: Int
  private let key: OpaquePointer

  private static var exponent: UInt { 65_537 }

  /// Creates a key from a big-endian modulus without leading zeros; nil if libcrypto is out of memory.
  init?(modulus: Span<UInt8>) {
    let n = modulus.withUnsafeBufferPointer { BN_bin2bn($0.baseAddress, Int32($0.count), nil) }
    let e = BN_new()
    let key = RSA_new()
    guard let n, let e, let key, BN_set_word(e, Self.exponent) == 1, RSA_set0_key(key, n, e, nil) == 1 else {
      RSA_free(key)
      BN_free(e)
      BN_free(n)
      return nil
    }
    self.key = key
    size = modulus.count
  }

  deinit {
    RSA_free(key)
  }

  /// Whether a value is the RSASSA-PKCS1-v1_5 signature of a SHA-256 digest. A value of another length than the modulus
  /// never gets here (5.19), and `RSA_verify` would refuse it.
  func signed(_ digest: Bytes32, with value: Span<UInt8>) -> Bool {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return digest.withUnsafeBytes { digest in
      value.withUnsafeBufferPointer { value in
        RSA_verify(
          NID_sha256, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(digest.count),
          value.baseAddress, UInt32(value.count), key) == 1
      }
    }
  }
}
