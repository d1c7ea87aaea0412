import COpenSSL
import CSodium
import PaymentToken

/// Reads OpenSSL's objects out of DER that must be used up to its last byte. The caller frees them.
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
    _ bytes: [UInt8], with reader: (inout UnsafePointer<UInt8>?, Int) -> OpaquePointer?,
    free: (OpaquePointer?) -> Void
  ) -> OpaquePointer? {
    bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      var position: UnsafePointer<UInt8>? = start
      guard let object = reader(&position, bytes.count) else { return nil }
      guard position == start + bytes.count else {
        free(object)
        return nil
      }
      return object
    }
  }
}

/// SHA-256 (FIPS 180-4) by libsodium.
package enum SHA256 {
  /// The digest of public bytes.
  package static func digest(_ bytes: [UInt8]) -> Bytes32 {
    var digest = [UInt8](repeating: 0, count: Bytes32.count)
    _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
    // The array has 32 bytes.
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
