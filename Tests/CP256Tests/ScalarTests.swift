import CP256
import Minting
import Testing

/// Verification by the scalar kernel against libcrypto's. Every signature is decided: `UNSURE` is for damaged tables.
@Suite struct ScalarTests {
  private let curve = Curve()
  private let zero = [UInt8](repeating: 0, count: 32)
  private let done = UInt8(ASSAY_P256_DONE), refused = UInt8(ASSAY_P256_REFUSED), unsure = UInt8(ASSAY_P256_UNSURE)

  private func expect(_ status: UInt8, _ signatures: [Scalar.Signature], _ note: Comment? = nil) {
    for start in stride(from: 0, to: signatures.count, by: 64) {
      for result in Scalar.verify(Array(signatures[start..<min(start + 64, signatures.count)])) {
        #expect(result == (status, status), note)
      }
    }
  }

  private func expectRight(_ signatures: [(signature: Scalar.Signature, point: [UInt8])]) {
    for (result, (signature, point)) in zip(Scalar.verify(signatures.map(\.signature)), signatures) {
      let isGenuine = curve.verifies(signature.digest, r: signature.r, s: signature.s, by: point)
      #expect(result == (isGenuine ? (done, done) : (refused, refused)))
    }
  }

  @Test func `random signatures by several signers, genuine and altered`() throws {
    print("seed \(Hunt.seed): \(Hunt.count / 8) signatures")
    var generator = SeededGenerator(seed: Hunt.seed).stream("scalar")
    let signers = try (0..<5).map { _ in
      let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
      return (signer: signer, table: try #require(Scalar.Table(signer.point)))
    }
    var count = 0
    while count < Hunt.count / 8 {
      let signatures = (0..<Hunt.size(&generator)).map { _ in
        let (signer, table) = signers[Int.random(in: 0..<signers.count, using: &generator)]
        var digest = generator.bytes(32)
        var (r, s) = signer.sign(digest, nonce: curve.scalar(generator.bytes(32)))
        let (position, bit) = (Int.random(in: 0..<32, using: &generator), UInt8.random(in: 0..<8, using: &generator))
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: digest[position] ^= 1 << bit
        case 1: r[position] ^= 1 << bit
        case 2: s[position] ^= 1 << bit
        default: break
        }
        return (Scalar.Signature((digest, r, s), table), signer.point)
      }
      expectRight(signatures)
      count += signatures.count
    }
  }

  @Test func `r, s and digests at the ends of the range and beyond`() throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("scalar ends")
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    let table = try #require(Scalar.Table(signer.point))
    let order = curve.octets(curve.order)
    let ends =
      [zero, curve.scalar(1), curve.scalar(2), curve.scalar(-1), curve.scalar(-2), order, Bytes.sum(order, 1)]
      + [[UInt8](repeating: 0xFF, count: 32)]
    for digest in ends {
      let (r, s) = signer.sign(digest, nonce: curve.scalar(generator.bytes(32)))
      let opposite = curve.product(s, curve.scalar(-1))
      expect(done, [Scalar.Signature((digest, r, s), table), Scalar.Signature((digest, r, opposite), table)])
      for end in ends {
        expectRight([(end, s), (r, end), (end, end)].map { (Scalar.Signature((digest, $0, $1), table), signer.point) })
      }
    }
    // s = 1 and s = n - 1: the digest is ±nonce - r · key.
    for sign in [1, -1] {
      let nonce = curve.scalar(generator.bytes(32))
      let r = signer.sign(zero, nonce: nonce).r
      let product = curve.product(curve.product(r, signer.scalar), curve.scalar(-1))
      let digest = curve.sum(curve.product(nonce, curve.scalar(sign)), product)
      expect(done, [Scalar.Signature((digest, r, curve.scalar(sign)), table)])
    }
  }

  /// Sums that meet: equal and opposite points, infinity in between, digits of zero and at the ends of their range.
  @Test func `chosen u1 and u2, by signers that are small multiples of the generator`() throws {
    var small = [1, 2, 3, 127, 128, 129, 255, 256, 257, 0x8000, 0x8080, 0x80_8080].flatMap {
      [curve.scalar($0), curve.scalar(-$0)]
    }
    small += [8, 64, 127, 128, 247, 248, 255].map { curve.power($0) }
    small += [0x80, 0x7F, 0x81].map { curve.scalar([UInt8](repeating: $0, count: 32)) }
    for factor in [1, -1, 2, -2, 3, 128, -256] {
      let signer = Signer(curve, scalar: curve.scalar(factor))
      let table = try #require(Scalar.Table(signer.point))
      for u1 in small + [zero] {
        let genuine = small.compactMap { signer.signature(u1: u1, u2: $0) }
        for (digest, r, s) in genuine { #expect(curve.verifies(digest, r: r, s: s, by: signer.point)) }
        expect(done, genuine.map { Scalar.Signature($0, table) })
        expect(refused, genuine.map { Scalar.Signature(($0.digest, $0.r, Bytes.flipped($0.s)), table) })
      }
    }
  }

  /// u1·G + u2·Q is infinity: no r is its x (FIPS 186-5 6.4.2).
  @Test func `a sum that is infinity is refused`() throws {
    for factor in [1, 5, -7] {
      let signer = Signer(curve, scalar: curve.scalar(factor))
      let table = try #require(Scalar.Table(signer.point))
      for number in 1...20 {
        let u2 = curve.scalar(number * 0x1_2345)
        let u1 = curve.product(curve.scalar(-1), curve.product(u2, signer.scalar))
        for r in [curve.scalar(number), curve.scalar(-number)] {
          let s = curve.product(r, curve.inverse(u2))
          expect(refused, [Scalar.Signature((curve.product(u1, s), r, s), table)])
        }
      }
    }
  }

  /// With u1 = 0 and u2 = 1 the sum is the signer's point, of which x is chosen.
  @Test func `r stands for r + n below p, and for nothing beyond`() throws {
    let order = curve.octets(curve.order)
    // p - n and 2^256 - n.
    let lessOrder = [
      Hex.octets("000000000000000000000000000000004319055358e8617b0c46353d039cdaae"),
      Hex.octets("00000000ffffffff00000000000000004319055258e8617b0c46353d039cdaaf"),
    ]
    var (high, low) = (0, 0)
    for number in 1..<64 {
      let r = curve.scalar(number)
      let above = Bytes.sum(order, number)
      if let y = Points.y(of: above) {
        high += 1
        let table = try #require(Scalar.Table(above + y))
        #expect(curve.verifies(zero, r: r, s: r, by: above + y))
        expect(done, [Scalar.Signature((zero, r, r), table)])
        let next = curve.scalar(number + 1)
        // r = x itself is beyond n - 1, though u2 and the sum's x would be right.
        #expect(!curve.verifies(zero, r: above, s: r, by: above + y))
        expect(refused, [Scalar.Signature((zero, next, next), table), Scalar.Signature((zero, above, r), table)])
      }
      // x is small: r + n is x modulo p, or modulo 2^256, but is not x.
      if let y = Points.y(of: r) {
        low += 1
        let table = try #require(Scalar.Table(r + y))
        expect(done, [Scalar.Signature((zero, r, r), table)])
        for wrong in lessOrder.map({ Bytes.sum($0, number) }) {
          #expect(!curve.verifies(zero, r: wrong, s: wrong, by: r + y))
          expect(refused, [Scalar.Signature((zero, wrong, wrong), table)])
        }
      }
    }
    #expect(high > 10 && low > 10)
  }
}
