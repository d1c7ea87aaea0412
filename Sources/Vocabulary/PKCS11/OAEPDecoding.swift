import CSodium

/// EME-OAEP with SHA-256, MGF1 with SHA-256 and an empty label (RFC 8017 section 7.1.2 step 3), for messages of 16 bytes.
///
/// No branch and no address depends on the bytes, so that timing does not reveal which of them is wrong (section 7.1.2,
/// note; Manger 2001).
package enum OAEPDecoding {
  private static let digestSize = 32

  /// Decodes 00 ‖ masked seed ‖ masked (label's digest ‖ zeros ‖ 01 ‖ message), the only form with 16 bytes.
  ///
  /// - Parameters:
  ///   - encoded: as long as the modulus, at least 256 bytes. The masks are removed in place; the caller wipes it.
  ///   - message: 16 bytes, filled in any case.
  /// - Returns: whether the encoding is valid.
  package static func decode(
    _ encoded: UnsafeMutableBufferPointer<UInt8>, into message: inout MutableSpan<UInt8>
  ) -> Bool {
    let seed = 1..<1 + digestSize
    let block = seed.upperBound..<encoded.count
    unmask(encoded, seed, by: block)
    unmask(encoded, block, by: seed)
    let start = encoded.count - message.count
    var difference = encoded[0]
    for (index, byte) in emptyDigest.enumerated() { difference |= encoded[block.lowerBound + index] ^ byte }
    for index in block.lowerBound + digestSize..<start - 1 { difference |= encoded[index] }
    difference |= encoded[start - 1] ^ 0x01
    for index in 0..<message.count { message[index] = encoded[start + index] }
    return difference == 0
  }

  /// XORs bytes with MGF1 of others (RFC 8017 appendix B.2.1).
  private static func unmask(
    _ bytes: UnsafeMutableBufferPointer<UInt8>, _ range: Range<Int>, by seed: Range<Int>
  ) {
    var mask = [UInt8](repeating: 0, count: digestSize)
    var state = crypto_hash_sha256_state()
    defer {
      sodium_memzero(&mask, mask.count)
      sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }
    guard let start = bytes.baseAddress else { return }
    for (counter, offset) in stride(from: range.lowerBound, to: range.upperBound, by: digestSize).enumerated() {
      // No modulus is so long that the counter reaches 256.
      let suffix: [UInt8] = [0, 0, 0, UInt8(counter)]
      _ = crypto_hash_sha256_init(&state)
      _ = crypto_hash_sha256_update(&state, start + seed.lowerBound, UInt64(seed.count))
      _ = crypto_hash_sha256_update(&state, suffix, UInt64(suffix.count))
      _ = crypto_hash_sha256_final(&state, &mask)
      for index in offset..<min(offset + digestSize, range.upperBound) { bytes[index] ^= mask[index - offset] }
    }
  }

  /// SHA-256 of nothing, the empty label.
  private static let emptyDigest: [UInt8] = [
    0xE3, 0xB0, 0xC4, 0x42, 0x98, 0xFC, 0x1C, 0x14, 0x9A, 0xFB, 0xF4, 0xC8, 0x99, 0x6F, 0xB9, 0x24,
    0x27, 0xAE, 0x41, 0xE4, 0x64, 0x9B, 0x93, 0x4C, 0xA4, 0x95, 0x99, 0x1B, 0x78, 0x52, 0xB8, 0x55,
  ]
}
