import COpenSSL

/// Decodes and encodes DER by libcrypto's functions `d2i_…` and `i2d_…`.
package enum LibcryptoCoding {
  /// Decodes a structure.
  ///
  /// - Parameters:
  ///   - decode: libcrypto's decoder, such as `d2i_X509`.
  ///   - free: libcrypto's function that frees the structure; called if other bytes follow the structure in `der`.
  /// - Returns: the structure, which the caller must free; nil if `der` is malformed or has bytes after the structure.
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

  /// Encodes a structure as DER; nil if libcrypto fails.
  ///
  /// - Parameter encode: calls libcrypto's encoder, such as `i2d_X509`, with the pointer at which it returns the bytes.
  static func encoded(_ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = encode(&bytes)
    guard count > 0, let bytes else { return nil }
    defer { assay_OPENSSL_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }
}
