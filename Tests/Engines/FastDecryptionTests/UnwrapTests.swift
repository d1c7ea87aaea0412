import COpenSSL
import Minting
import PaymentToken
import Testing

@Suite struct UnwrapTests {
  @Test(arguments: 0..<3) func `a wrapped key is unwrapped unchanged`(_ position: Int) throws {
    let keys = [FixedRSAKeys.merchant2048, FixedRSAKeys.merchant3072, FixedRSAKeys.merchant4096]
    let unwrapping = try Unwrapping(keys[position])
    var random = SeededGenerator(seed: UInt64(position))
    for _ in 0..<20 {
      let message = random.bytes(16)
      let encoded = OAEPPadding().encode(
        message, seed: random.bytes(32), count: unwrapping.pair.modulus.count)
      #expect(unwrapping.result(try unwrapping.pair.encrypt(encoded: encoded)) == message)
    }
  }

  @Test(arguments: WrappingFault.allCases)
  func `a wrapped key with a fault yields another random key each time`(_ fault: WrappingFault) throws {
    let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
    var random = SeededGenerator(seed: 4)
    let wrapped = try fault.make(unwrapping, from: &random)
    let results = (0..<8).map { _ in unwrapping.result(wrapped) }
    #expect(Set(results).count == results.count)
    #expect(results.allSatisfy { $0 != [UInt8](repeating: 0, count: 16) })
  }

  @Test(arguments: WrappingFault.allCases)
  func `every bit of the key that replaces a faulty one is random`(_ fault: WrappingFault) throws {
    let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
    var random = SeededGenerator(seed: 6)
    let wrapped = try fault.make(unwrapping, from: &random)
    var (ever, always) = ([UInt8](repeating: 0, count: 16), [UInt8](repeating: 0xFF, count: 16))
    // One of the 128 bits is the same 48 times in one of 2^40 runs.
    for _ in 0..<48 {
      for (index, byte) in unwrapping.result(wrapped).enumerated() {
        ever[index] |= byte
        always[index] &= byte
      }
    }
    #expect(ever.allSatisfy { $0 == 0xFF } && always.allSatisfy { $0 == 0 })
  }

  @Test func `a key has 16 bytes, and those after it stay`() throws {
    let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
    var random = SeededGenerator(seed: 7)
    // In memory the encoding, whose first byte is 1, follows the random key: a copy that is too long shows.
    for wrapped in [
      try WrappingFault.firstByte.make(unwrapping, from: &random),
      try WrappingFault.sound(unwrapping, from: &random),
    ] {
      unwrapping.unwrap(wrapped)
      #expect(unwrapping.bytesAfterKey == [UInt8](repeating: 0, count: 16))
      unwrapping.wipe()
    }
  }

  /// A wrapped key that cannot be a ciphertext is replaced by a number below every modulus, even below one that begins
  /// with 01 and a byte below 55. So libcrypto performs the private operation on that number.
  @Test(arguments: [FixedRSAKeys.merchant2048.name, FixedRSAKeys.merchant2049.name])
  func `a private operation takes place for every wrapped key`(_ name: String) throws {
    let key = [FixedRSAKeys.merchant2048, FixedRSAKeys.merchant2049].first { $0.name == name }
    let unwrapping = try Unwrapping(try #require(key))
    let modulus = unwrapping.pair.modulus
    #expect(name == "merchant-2048" || (modulus.count == 257 && modulus[0] == 1 && modulus[1] < 0x55))
    var random = SeededGenerator(seed: 8)
    let message = random.bytes(16)
    let encoded = OAEPPadding().encode(message, seed: random.bytes(32), count: modulus.count)
    let sound = try unwrapping.pair.encrypt(encoded: encoded)
    let faulty = [
      sound + [0], [0] + sound, Array(sound.dropLast()), random.bytes(512), random.bytes(256 - modulus.count % 2),
      modulus, [UInt8](repeating: 0xFF, count: modulus.count),
    ]
    ERR_clear_error()
    for wrapped in faulty {
      #expect(unwrapping.result(sound) == message)
      unwrapping.unwrap(wrapped)
      #expect(unwrapping.hasDecrypted && !unwrapping.holds(message))
      unwrapping.wipe()
      #expect(!unwrapping.hasDecrypted)
      #expect(unwrapping.result(wrapped) != unwrapping.result(wrapped))
      #expect(ERR_peek_error() == 0)
    }
  }

  @Test func `a failed unwrapping does not affect the next one`() throws {
    let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
    var random = SeededGenerator(seed: 5)
    for fault in WrappingFault.allCases {
      let message = random.bytes(16)
      let encoded = OAEPPadding().encode(message, seed: random.bytes(32), count: 256)
      let sound = try unwrapping.pair.encrypt(encoded: encoded)
      #expect(unwrapping.result(sound) == message)
      #expect(unwrapping.result(try fault.make(unwrapping, from: &random)) != message)
      #expect(unwrapping.result(sound) == message)
    }
  }
}
