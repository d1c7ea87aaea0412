import COpenSSL

/// Structures that libcrypto decodes and encodes whole.
package enum LibcryptoCoding {
  /// The structure that one of libcrypto's decoders reads, which must take up all of `der`; nil otherwise. The caller
  /// frees it.
  ///
  /// - Parameter free: frees a structure that other bytes follow.
  package static func decoded(
    _ der: [UInt8],
    _ decode: (
      UnsafeMutablePointer<OpaquePointer?>?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Int
    ) -> OpaquePointer?,
    free: (OpaquePointer?) -> Void
  ) -> OpaquePointer? {
    der.withUnsafeBufferPointer { bytes in
      var next = bytes.baseAddress
      guard let structure = decode(nil, &next, bytes.count) else { return nil }
      guard next == bytes.baseAddress.map({ $0 + bytes.count }) else {
        free(structure)
        return nil
      }
      return structure
    }
  }

  /// The bytes that one of libcrypto's encoders writes; nil when it fails.
  static func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = encode(&bytes)
    guard count > 0, let bytes else { return nil }
    defer { assay_OPENSSL_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
