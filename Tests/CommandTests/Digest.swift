import CSodium

/// SHA-256, lower-case hexadecimal.
func digest(of bytes: [UInt8]) -> String {
  var digest = [UInt8](repeating: 0, count: crypto_hash_sha256_bytes())
  crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
  return digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
