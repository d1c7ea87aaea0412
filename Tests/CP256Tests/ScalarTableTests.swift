import CP256
import Minting
import Testing

/// Tables that the scalar kernel makes, and what it makes of damaged ones.
@Suite struct ScalarTableTests {
  private let curve = Curve()
  private let done = UInt8(ASSAY_P256_DONE), refused = UInt8(ASSAY_P256_REFUSED), unsure = UInt8(ASSAY_P256_UNSURE)

  @Test func `every entry of a table is the multiple it stands for`() throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("scalar table")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Scalar.Table(signer.point))
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

  @Test func `all kernels make the same table, word for word`() throws {
    #expect(Scalar.kernels.count > 1)
    var generator = SeededGenerator(seed: Hunt.seed).stream("tables of all")
    let random = (0..<4).map { _ in curve.scalar(generator.bytes(32)) }
    let scalars = [1, 2, -1, 128, 256].map { curve.scalar($0) } + random
    for scalar in scalars {
      let point = try #require(curve.multiply(scalar))
      let table = try #require(Scalar.Table(point))
      for kernel in Scalar.kernels {
        let other = try #require(Scalar.Table(point, by: kernel))
        #expect(
          (0..<Scalar.Table.wordCount).allSatisfy { table.words[$0] == other.words[$0] },
          "\(String(cString: kernel.name))")
      }
    }
  }

  @Test func `there is no table of what is no point`() throws {
    let point = try #require(curve.multiply(curve.scalar(9)))
    let (x, y) = (Array(point.prefix(32)), Array(point.suffix(32)))
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    for bad in [x + Bytes.flipped(y), ones + ones, x + ones, ones + y, zeros + zeros, x + zeros, y + x] {
      #expect(Scalar.Table(bad) == nil)
    }
  }

  /// In a table whose odd positions repeat the even ones before them, pairs of terms are equal or opposite points. In a
  /// true table they never are.
  @Test func `pairs of terms that are equal or opposite are added right`() throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("scalar pairs")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Scalar.Table(signer.point))
    for position in stride(from: 0, to: 32, by: 2) { table.copyPosition(position, to: position + 1) }
    let minusOne = curve.scalar(-1)
    var signatures: [Scalar.Signature] = []
    while signatures.count < 192 {
      // u2 by its digits, and the factor that this table makes of it.
      var (u2, factor) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
      for position in stride(from: 0, to: 32, by: 2) {
        let digit = Int.random(in: 0...100, using: &generator)
        let second = [digit, -digit, 0, 7].randomElement(using: &generator)!
        for (place, digit) in [(position, digit), (position + 1, second)] where digit != 0 {
          u2 = curve.sum(u2, curve.product(curve.scalar(digit), curve.power(8 * place)))
          factor = curve.sum(factor, curve.product(curve.scalar(digit), curve.power(8 * position)))
        }
      }
      // u2 is to be below n/2, so that its digits are those.
      guard u2[0] < 0x7F, u2.contains(where: { $0 != 0 }) else { continue }
      let u1 = curve.scalar(Int.random(in: 1...1_000_000, using: &generator))
      let nonce = curve.sum(u1, curve.product(factor, signer.scalar))
      let r = curve.scalar(Array(try #require(curve.multiply(nonce)).prefix(32)))
      let s = curve.product(r, curve.inverse(u2))
      signatures.append(Scalar.Signature((curve.product(u1, s), r, s), table))
    }
    for count in [64, 64, 33, 16, 8, 4, 2, 1] {
      let genuine = Array(signatures.prefix(count))
      signatures.removeFirst(count)
      #expect(Scalar.verify(genuine).allSatisfy { $0 == (done, done) })
      let altered = genuine.map { Scalar.Signature((curve.product($0.digest, minusOne), $0.r, $0.s), table) }
      #expect(Scalar.verify(altered).allSatisfy { $0 == (refused, refused) })
    }
  }

  @Test func `a flipped bit in an entry is noticed by the signatures that use it`() throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("scalar faults")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Scalar.Table(signer.point))
    for _ in 0..<max(20, Hunt.count / 4_000) {
      // u2 = 1 asks for the first entry alone.
      let parts = try #require(signer.signature(u1: curve.scalar(generator.bytes(32)), u2: curve.scalar(1)))
      let good = try #require(signer.signature(u1: curve.scalar(1), u2: curve.scalar(2)))
      let signatures = [Scalar.Signature(good, table), Scalar.Signature(parts, table)]
      #expect(Scalar.verify(signatures).allSatisfy { $0 == (done, done) })
      let (word, bit) = (Int.random(in: 0..<8, using: &generator), UInt64.random(in: 0..<64, using: &generator))
      table.words[word] ^= 1 << bit
      let results = Scalar.verify(signatures)
      #expect(results[0] == (done, done))
      #expect(results[1] == (unsure, unsure))
      table.words[word] ^= 1 << bit
    }
  }
}
