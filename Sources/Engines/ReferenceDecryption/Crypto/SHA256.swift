import CSodium
import PaymentToken

/// SHA-256 (FIPS 180-4) by libsodium.
package enum SHA256 {
  /// The digest of public bytes.
  package static func digest(_ bytes: [UInt8]) -> Bytes32 {
    var digest = [UInt8](repeating: 0, count: Bytes32.count)
    _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    guard let digest = Bytes32(digest) else { preconditionFailure("SHA-256 is 32 bytes") }
    return digest
  }

  /// The digest of secret bytes, itself a secret.
  static func digest(_ bytes: WipedBytes) -> WipedBytes {
    let digest = WipedBytes(count: Bytes32.count)
    digest.withMutableBytes { output in
      bytes.withBytes { input in
        guard let start = output.baseAddress else { return }
        _ = crypto_hash_sha256(start, input.baseAddress, UInt64(input.count))
      }
    }
    return digest
  }
}
