import CSodium
import PaymentToken

/// SHA-256 (FIPS 180-4) by libsodium.
package enum SHA256 {
  /// The digest of public octets.
  package static func digest(_ octets: [UInt8]) -> Octets32 {
    var digest = [UInt8](repeating: 0, count: Octets32.count)
    _ = crypto_hash_sha256(&digest, octets, UInt64(octets.count))
    // The array has 32 bytes.
    guard let digest = Octets32(digest) else { preconditionFailure("SHA-256 is 32 octets") }
    return digest
  }

  /// The digest of secret octets, itself a secret.
  static func digest(_ octets: WipedBytes) -> WipedBytes {
    let digest = WipedBytes(count: Octets32.count)
    digest.withMutableBytes { output in
      octets.withBytes { input in
        guard let start = output.baseAddress else { return }
        _ = crypto_hash_sha256(start, input.baseAddress, UInt64(input.count))
      }
    }
    return digest
  }
}
