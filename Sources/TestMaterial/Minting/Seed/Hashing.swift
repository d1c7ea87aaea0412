import COpenSSL
import CSodium

/// The digests that minting needs.
package enum Hashing {
  /// FIPS 180-4, 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    digest(32) { _ = crypto_hash_sha256(&$0, bytes, UInt64(bytes.count)) }
  }

  /// FIPS 180-4, 64 bytes.
  package static func sha512(_ bytes: [UInt8]) -> [UInt8] {
    digest(64) { _ = crypto_hash_sha512(&$0, bytes, UInt64(bytes.count)) }
  }

  /// FIPS 180-4, 48 bytes.
  package static func sha384(_ bytes: [UInt8]) -> [UInt8] { digest(48) { _ = SHA384(bytes, bytes.count, &$0) } }

  /// FIPS 180-4, 20 bytes: for certificates that must be refused, and for key identifiers.
  package static func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(20) { _ = SHA1(bytes, bytes.count, &$0) } }

  private static func digest(_ count: Int, _ compute: (inout [UInt8]) -> Void) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: count)
    compute(&digest)
    return digest
  }
}

/// A digest that a certificate's signature is made over.
package enum SignatureDigest: Hashable, Sendable {
  case sha1, sha256, sha384, sha512

  package func hash(_ message: [UInt8]) -> [UInt8] {
    switch self {
    case .sha1: Hashing.sha1(message)
    case .sha256: Hashing.sha256(message)
    case .sha384: Hashing.sha384(message)
    case .sha512: Hashing.sha512(message)
    }
  }
}
