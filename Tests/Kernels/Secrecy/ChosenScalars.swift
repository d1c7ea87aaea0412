import MerchantKeys
import Minting

/// Scalars that could affect the time: with leading zeros, with few and with many bits, at the ends of the range.
enum ChosenScalars {
  static func keys() throws -> [KeyPair] {
    // The key made of a wide number w is that of 1 + (w mod n - 1).
    try [1, 2, 7, 8, 9, 15, 16, 24, 31].map { zeros in
      try pair([UInt8](repeating: 0, count: zeros) + (zeros..<32).map { UInt8(truncatingIfNeeded: 7 * $0 + 0x51) })
    } + [
      try pair([UInt8](repeating: 0, count: 32)),
      try pair([0x80] + [UInt8](repeating: 0, count: 31)),
      try pair([0x7F] + [UInt8](repeating: 0xFF, count: 31)),
      try pair(orderLessTwo),
    ]
  }

  private static func pair(_ wide: [UInt8]) throws -> KeyPair { try KeyPair(.p256, wideScalar: wide) }

  /// n - 2 of P-256 (SEC 2, 2.4.2).
  private static let orderLessTwo: [UInt8] =
    [0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00] + [UInt8](repeating: 0xFF, count: 8) + [
      0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x4F,
    ]
}

extension KeyPair {
  func privateKey() throws -> PrivateKey {
    try scalar.withUnsafeBytes { bytes in try PrivateKey(scalar: bytes) }
  }
}
