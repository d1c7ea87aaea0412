import COpenSSL
import PaymentToken

/// SHA-256, for tests that identify certificates by their digest.
func digest(of bytes: [UInt8]) -> Bytes32 {
  var digest = [UInt8](repeating: 0, count: 32)
  SHA256(bytes, bytes.count, &digest)
  guard let value = Bytes32(digest) else { fatalError("SHA-256 has 32 bytes") }
  return value
}
