import COpenSSL

extension [UInt8] {
  /// Overwrites the octets in a way no optimiser removes. An array that shares its storage is copied first: wipe the
  /// owner.
  mutating func wipe() {
    withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) }
  }
}
