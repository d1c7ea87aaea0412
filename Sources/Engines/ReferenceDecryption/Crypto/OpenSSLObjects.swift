import COpenSSL
import CSodium
import PaymentToken

/// Reads OpenSSL's objects out of DER that must be used up to its last octet. The caller frees them.
enum OpenSSLObjects {
  /// Owned by the caller: EVP_PKEY_free.
  static func publicKey(_ subjectPublicKeyInfo: [UInt8]) -> OpaquePointer? {
    read(subjectPublicKeyInfo, with: { d2i_PUBKEY(nil, &$0, $1) }, free: EVP_PKEY_free)
  }

  /// Owned by the caller: X509_free.
  static func certificate(_ der: [UInt8]) -> OpaquePointer? {
    read(der, with: { d2i_X509(nil, &$0, $1) }, free: X509_free)
  }

  /// Owned by the caller: CMS_ContentInfo_free.
  static func contentInfo(_ ber: [UInt8]) -> OpaquePointer? {
    read(ber, with: { d2i_CMS_ContentInfo(nil, &$0, $1) }, free: CMS_ContentInfo_free)
  }

  private static func read(
    _ octets: [UInt8], with reader: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?,
    free: (OpaquePointer?) -> Void
  ) -> OpaquePointer? {
    octets.withUnsafeBufferPointer { octets in
      guard let start = octets.baseAddress else { return nil }
      var position: UnsafePointer<UInt8>? = start
      guard let object = reader(&position, octets.count) else { return nil }
      guard position == start + octets.count else {
        free(object)
        return nil
      }
      return object
    }
  }
}

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
