import CP256
import Minting
import Testing

/// Tables hold what they are said to hold.
@Suite struct TableTests {
  private let curve = Curve()

  @Test(arguments: Kernel.all) func `every entry of a table is the multiple it stands for`(_ kernel: Kernel) throws {
    let scalar = curve.scalar(SeededGenerator.octets(Hunt.seed, "table"))
    let signer = Signer(curve, scalar: scalar)
    let table = try #require(Kernel.Table(signer.point, by: kernel))
    // 2^260 modulo p, by which coordinates are multiplied in the table.
    for position in 0..<32 {
      for multiple in [1, 2, 3, 31, 32, 33, 64, 65, 96, 97, 127, 128] {
        let factor = curve.product(curve.power(8 * position), curve.scalar(multiple))
        let point = try #require(curve.multiply(factor, signer.point))
        let start = 8 * (128 * position + multiple - 1)
        let words = (0..<8).map { table.words[start + $0] }
        #expect(Montgomery.leave(Array(words[0..<4])) == Array(point.prefix(32)))
        #expect(Montgomery.leave(Array(words[4..<8])) == Array(point.suffix(32)))
      }
    }
  }

  @Test(arguments: Kernel.all) func `there is no table of what is no point`(_ kernel: Kernel) throws {
    let point = curve.multiply(curve.scalar(9))!
    var offCurve = point
    offCurve[63] ^= 1
    let ones = [UInt8](repeating: 0xFF, count: 32)
    for bad in [offCurve, ones + ones, Array(point.prefix(32)) + ones, [UInt8](repeating: 0, count: 64)] {
      #expect(Kernel.Table(bad, by: kernel) == nil)
    }
  }

  @Test func `the generator is libcrypto's`() throws {
    var point = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&point)
    #expect(point == curve.multiply(curve.scalar(1)))
  }
}

extension SeededGenerator {
  static func octets(_ seed: UInt64, _ name: String) -> [UInt8] {
    var generator = SeededGenerator(seed: seed).stream(name)
    return generator.bytes(32)
  }
}
