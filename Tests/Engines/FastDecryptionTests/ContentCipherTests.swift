import FastDecryption
import Minting
import Testing

/// AES-GCM by the functions of libcrypto's provider, and by EVP where a provider's cannot be called.
struct ContentCipherTests {
  private static func opened(
    _ sealed: [UInt8], _ key: [UInt8], by cipher: inout ContentCipher, keepsKey: Bool = false
  ) -> [UInt8]? {
    let count = sealed.count - ContentCipher.tagSize
    var output = [UInt8](repeating: 0xAA, count: count)
    let isGenuine = sealed.withUnsafeBufferPointer { sealed in
      key.withUnsafeBufferPointer { key in
        output.withUnsafeMutableBufferPointer { output in
          guard let data = sealed.baseAddress, let key = key.baseAddress, let room = output.baseAddress else {
            return false
          }
          return cipher.open(data, count: count, key: key, into: room, keepsKey: keepsKey)
        }
      }
    }
    if !isGenuine { #expect(output == [UInt8](repeating: 0, count: count)) }
    return isGenuine ? output : nil
  }

  @Test(arguments: [ContentCipher.Algorithm.aes256, .aes128], [false, true])
  func `a message opens with its key and its tag alone`(algorithm: ContentCipher.Algorithm, usesEVP: Bool) throws {
    guard var cipher = ContentCipher(algorithm, usesEVP: usesEVP) else {
      Issue.record("no cipher")
      return
    }
    for count in [1, 15, 16, 17, 255, 934, 1_024, 4_096] {
      let key = (0..<algorithm.keySize).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let sealed = try TokenEncryption.seal(plaintext, key: key)
      #expect(Self.opened(sealed, key, by: &cipher) == plaintext)
      #expect(Self.opened(sealed, key, by: &cipher, keepsKey: true) == plaintext)
      cipher.forgetKey()
      for index in [0, count - 1, count, sealed.count - 1] {
        var altered = sealed
        altered[index] ^= 1
        #expect(Self.opened(altered, key, by: &cipher) == nil)
      }
      var other = key
      other[other.count - 1] ^= 1
      #expect(Self.opened(sealed, other, by: &cipher) == nil)
      #expect(Self.opened(sealed, key, by: &cipher) == plaintext)
    }
  }
}
