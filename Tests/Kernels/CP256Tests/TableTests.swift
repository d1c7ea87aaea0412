import CP256
import Minting
import Testing

/// Tables hold the multiples of their point.
@Suite struct TableTests {
  private let curve = Curve()

  @Test func `every entry of a table is the expected multiple`() throws {
    let scalar = curve.scalar(SeededGenerator.bytes(Hunt.seed, "table"))
    let signer = Signer(curve, scalar: scalar)
    let table = try #require(Kernel.Table(signer.point))
    // Coordinates in the table are in Montgomery form, multiplied by 2^260 modulo p.
    for position in 0..<32 {
      for multiple in 1...128 {
        let factor = curve.product(curve.power(8 * position), curve.scalar(multiple))
        let point = try #require(curve.multiply(factor, signer.point))
        let start = 8 * (128 * position + multiple - 1)
        let words = (0..<8).map { table.words[start + $0] }
        #expect(Montgomery.fromMontgomery(Array(words[0..<4])) == Array(point.prefix(32)))
        #expect(Montgomery.fromMontgomery(Array(words[4..<8])) == Array(point.suffix(32)))
      }
    }
  }

  @Test func `there is no table of a point that is not on the curve`() throws {
    let point = curve.multiply(curve.scalar(9))!
    let (x, y) = (Array(point.prefix(32)), Array(point.suffix(32)))
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    for bad in [x + Bytes.flipped(y), ones + ones, x + ones, ones + y, zeros + zeros, x + zeros, y + x] {
      #expect(Kernel.Table(bad) == nil)
    }
  }

  /// The table's odd positions repeat the even ones before them, so two terms can be equal or opposite points, unlike
  /// in a valid table. Lanes may leave such a sum to libcrypto, but no kernel may accept a wrong signature.
  @Test(arguments: Kernel.all) func `pairs of equal or opposite terms are added correctly`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("pairs")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Kernel.Table(signer.point))
    for position in stride(from: 0, to: 32, by: 2) { table.copyPosition(position, to: position + 1) }
    var decided = 0
    for count in [64, 33, 16, 8, 4, 2, 1] {
      let genuine = try (0..<count).map { _ in try pairs(signer, table, &generator) }
      for (status, alone) in zip(kernel.verify(genuine), genuine.map { kernel.verifyOne($0) }) {
        #expect(status != .refused && alone != .refused)
        decided += status == .done ? 1 : 0
      }
      for signature in genuine {
        let digest = curve.product(signature.digest, curve.scalar(-1))
        let altered = Kernel.Signature(digest: digest, r: signature.r, s: signature.s, table: table)
        #expect(kernel.verify([altered])[0] != .done && kernel.verifyOne(altered) != .done)
      }
    }
    #expect(kernel.lanes > 1 || decided == 128)
  }

  /// A signature that is genuine by the table with repeated positions.
  private func pairs(
    _ signer: Signer, _ table: Kernel.Table, _ generator: inout SeededGenerator
  ) throws -> Kernel.Signature {
    while true {
      // u2 is made from its digits; `factor` is what this table multiplies by instead.
      var (u2, factor) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
      for position in stride(from: 0, to: 32, by: 2) {
        let digit = Int.random(in: 0...100, using: &generator)
        let second = [digit, -digit, 0, 7].randomElement(using: &generator)!
        for (place, digit) in [(position, digit), (position + 1, second)] where digit != 0 {
          u2 = curve.sum(u2, curve.product(curve.scalar(digit), curve.power(8 * place)))
          factor = curve.sum(factor, curve.product(curve.scalar(digit), curve.power(8 * position)))
        }
      }
      // u2 must be below n/2, so that these are its digits.
      guard u2[0] < 0x7F, u2.contains(where: { $0 != 0 }) else { continue }
      let u1 = curve.scalar(Int.random(in: 1...1_000_000, using: &generator))
      let nonce = curve.sum(u1, curve.product(factor, signer.scalar))
      let r = curve.scalar(Array(try #require(curve.multiply(nonce)).prefix(32)))
      let s = curve.product(r, curve.inverse(u2))
      return Kernel.Signature(digest: curve.product(u1, s), r: r, s: s, table: table)
    }
  }

  @Test func `the generator is libcrypto's`() throws {
    var point = [UInt8](repeating: 0, count: 64)
    assay_p256_generator(&point)
    #expect(point == curve.multiply(curve.scalar(1)))
  }
}

extension SeededGenerator {
  static func bytes(_ seed: UInt64, _ name: String) -> [UInt8] {
    var generator = SeededGenerator(seed: seed).stream(name)
    return generator.bytes(32)
  }
}
