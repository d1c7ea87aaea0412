import COpenSSL
import PaymentToken

/// SHA-256 (FIPS 180-4) of what needs no wiping.
enum Digest {
  static func sha256(_ octets: [UInt8]) -> Octets32 {
    var output = [UInt8](repeating: 0, count: Octets32.count)
    // The array has 32 bytes, and SHA256 fails only where libcrypto is broken: there is no digest to go on with.
    guard SHA256(octets, octets.count, &output) != nil, let digest = Octets32(output) else {
      preconditionFailure("SHA-256 always gives 32 octets")
    }
    return digest
  }
}
