enum Bytes {
  /// The sum of a big-endian number and a small one.
  static func sum(_ bytes: [UInt8], _ number: Int) -> [UInt8] {
    var bytes = bytes
    var carry = number
    for index in stride(from: bytes.count - 1, through: 0, by: -1) where carry > 0 {
      carry += Int(bytes[index])
      bytes[index] = UInt8(truncatingIfNeeded: carry)
      carry >>= 8
    }
    return bytes
  }

  /// The same number with its lowest bit changed.
  static func flipped(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - 1] ^= 1
    return bytes
  }
}
