import CP256
import PaymentToken
import TokenScanning

extension assay_p256_signature {
  /// Reads a DER signature value over a digest; nil if it is malformed or an integer has more than 32 bytes, and so
  /// exceeds n (8.3).
  init?(_ bytes: Span<UInt8>, in range: Range<Int>, digest: Bytes32, by table: UnsafePointer<UInt64>) {
    guard let value = try? ECDSASignatureValue(bytes, in: range), value.r.count <= 32, value.s.count <= 32 else {
      return nil
    }
    self.init()
    self.table = table
    bytes.extracting(value.r).withUnsafeBytes { r in
      bytes.extracting(value.s).withUnsafeBytes { s in
        digest.withUnsafeBytes { digest in
          assay_p256_fill_signature(&self, digest.baseAddress, r.baseAddress, r.count, s.baseAddress, s.count)
        }
      }
    }
  }

  /// Whether a kernel finds the signature genuine; nil if libcrypto must decide.
  func isGenuine(by operations: P256Operations) -> Bool? {
    guard let generator = SignerTable.generatorWords else { return nil }
    return withUnsafePointer(to: self) { Self.verdict(operations.verifyOne(generator, $0)) }
  }

  /// Whether a status means a genuine signature; nil if libcrypto must decide.
  static func verdict(_ status: UInt8) -> Bool? {
    switch Int(status) {
    case ASSAY_P256_DONE: true
    case ASSAY_P256_REFUSED: false
    default: nil
    }
  }
}
