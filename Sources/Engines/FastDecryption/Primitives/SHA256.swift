import COpenSSL
import PaymentToken

/// SHA-256 (FIPS 180-4) by libcrypto's low-level functions, which need no provider lookup for each digest.
struct SHA256: ~Copyable {
  private var context = SHA256_CTX()

  init() {
    SHA256_Init(&context)
  }

  mutating func update(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { buffer in
      _ = SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// Writes the digest, 32 bytes, to `output` and wipes the state.
  consuming func finish(into output: UnsafeMutablePointer<UInt8>) {
    SHA256_Final(output, &context)
    OPENSSL_cleanse(&context, MemoryLayout<SHA256_CTX>.size)
  }

  /// Returns the digest. Does not wipe the state: not for secrets.
  consuming func finish() -> Bytes32 {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var span = digest.mutableSpan
    span.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      SHA256_Final(base, &context)
    }
    guard let bytes = Bytes32(digest.span) else { fatalError("a digest has 32 bytes") }
    return bytes
  }

  static func digest(of bytes: Span<UInt8>) -> Bytes32 {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }
}
