import Minting
import PaymentToken
import Testing

@Suite struct UnwrapTests {
  @Test(arguments: 0..<3) func `a wrapped key comes out as it went in`(_ position: Int) throws {
    let minter = try Minter(seed: 3, at: mintingTime)
    let unwrapping = try Unwrapping(minter, key: position)
    var random = minter.generator.stream("unwrap", UInt64(position))
    for _ in 0..<20 {
      let message = random.bytes(16)
      let encoded = OAEPPadding().encode(
        message, seed: random.bytes(32), count: unwrapping.key.pair.modulus.count)
      #expect(unwrapping.result(try unwrapping.key.pair.encrypt(encoded: encoded)) == message)
    }
  }

  @Test(arguments: WrappingFault.allCases)
  func `a wrapped key with a fault gives another key each time`(_ fault: WrappingFault) throws {
    let minter = try Minter(seed: 4, at: mintingTime)
    let unwrapping = try Unwrapping(minter)
    var random = minter.generator.stream("faults")
    let wrapped = try fault.make(unwrapping, from: &random)
    let results = (0..<8).map { _ in unwrapping.result(wrapped) }
    #expect(Set(results).count == results.count)
    #expect(results.allSatisfy { $0 != [UInt8](repeating: 0, count: 16) })
  }

  @Test func `a refused unwrapping leaves nothing for the next one`() throws {
    let minter = try Minter(seed: 5, at: mintingTime)
    let unwrapping = try Unwrapping(minter)
    var random = minter.generator.stream("order")
    for fault in WrappingFault.allCases {
      let message = random.bytes(16)
      let encoded = OAEPPadding().encode(message, seed: random.bytes(32), count: 256)
      let sound = try unwrapping.key.pair.encrypt(encoded: encoded)
      #expect(unwrapping.result(sound) == message)
      #expect(unwrapping.result(try fault.make(unwrapping, from: &random)) != message)
      #expect(unwrapping.result(sound) == message)
    }
  }
}
