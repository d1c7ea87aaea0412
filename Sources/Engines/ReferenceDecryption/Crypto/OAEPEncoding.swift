/// EME-OAEP with SHA-256, MGF1 with SHA-256 and an empty label (RFC 8017 section 7.1.2 step 3).
enum OAEPEncoding {
  private static let digestSize = 32

  /// Decodes a message of a known size. The size leaves one valid form of the encoding:
  /// 00 ‖ masked seed ‖ masked (label's digest ‖ zeros ‖ 01 ‖ message).
  ///
  /// No branch and no address may depend on the bytes, or timing would reveal which of them is wrong (section 7.1.2).
  ///
  /// - Parameters:
  ///   - encoded: as long as the modulus.
  ///   - messageSize: in bytes; at least 66 less than the modulus.
  /// - Returns: the bytes at the message's place, which the caller wipes, and FF if the rest is valid, else 00.
  static func open(_ encoded: WipedBytes, messageSize: Int) -> (message: WipedBytes, validity: UInt8) {
    let (maskedSeed, maskedBlock) = (encoded[1..<1 + digestSize], encoded[1 + digestSize..<encoded.count])
    let seed = unmasked(maskedSeed, by: maskedBlock)
    defer { seed.wipe() }
    let block = unmasked(maskedBlock, by: seed.all)
    defer { block.wipe() }

    let messageStart = block.count - messageSize
    var difference = encoded[0]
    let labelDigest = SHA256.digest([UInt8]()).bytes
    for index in 0..<digestSize { difference |= block[index] ^ labelDigest[index] }
    for index in digestSize..<messageStart - 1 { difference |= block[index] }
    difference |= block[messageStart - 1] ^ 0x01

    let message = WipedBytes(count: messageSize)
    for index in 0..<messageSize { message[index] = block[messageStart + index] }
    // Only a difference of zero gives a negative number, whose high bits are all set.
    let validity = UInt8(truncatingIfNeeded: (Int(difference) &- 1) >> 8)
    return (message, validity)
  }

  /// Bytes XOR MGF1 of a seed (RFC 8017 appendix B.2.1).
  private static func unmasked(_ bytes: WipedSlice, by seed: WipedSlice) -> WipedBytes {
    let result = WipedBytes(count: bytes.count)
    let input = WipedBytes(count: seed.count + 4)
    defer { input.wipe() }
    for (index, byte) in seed.enumerated() { input[index] = byte }
    for start in stride(from: 0, to: bytes.count, by: digestSize) {
      // No modulus is so long that the counter reaches 256.
      input[input.count - 1] = UInt8(start / digestSize)
      let mask = SHA256.digest(input)
      defer { mask.wipe() }
      for index in start..<min(start + digestSize, bytes.count) {
        result[index] = bytes[bytes.startIndex + index] ^ mask[index - start]
      }
    }
    return result
  }
}
