import COpenSSL
import PaymentToken

/// SHA-256, for tests that name certificates by it.
func digest(of octets: [UInt8]) -> Octets32 {
  var digest = [UInt8](repeating: 0, count: 32)
  SHA256(octets, octets.count, &digest)
  guard let value = Octets32(digest) else { fatalError("SHA-256 has 32 octets") }
  return value
}
