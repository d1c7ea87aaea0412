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
