import COpenSSL
import CSodium

/// The digest that minting needs most.
package enum Hashing {
  /// FIPS 180-4, 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    return digest
  }
}

/// A digest of FIPS 180-4 that a signature is made over. SHA-1 is for certificates that must be refused, and for key
/// identifiers.
package enum SignatureDigest: Hashable, Sendable {
  case sha1, sha256, sha384, sha512

  /// The digest of a message: 20, 32, 48 or 64 bytes.
  package func hash(_ message: [UInt8]) -> [UInt8] {
    let (size, compute) =
      switch self {
      case .sha1: (20, SHA1)
      case .sha256: (32, SHA256)
      case .sha384: (48, SHA384)
      case .sha512: (64, SHA512)
      }
    var digest = [UInt8](repeating: 0, count: size)
    _ = compute(message, message.count, &digest)
    return digest
  }
}
