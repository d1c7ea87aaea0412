import CP256
import Minting
import TestSupport
import Testing

/// Compares each kernel's verification with tables, in batches and single, with libcrypto.
@Suite struct VerificationTests {
  private let curve = Curve()

  /// A signature, and whether libcrypto accepts it.
  private typealias Expected = (signature: Kernel.Signature, isGenuine: Bool)

  @discardableResult
  private func expectRight(
    _ kernel: Kernel, _ signatures: [(signature: Kernel.Signature, signer: Signer)], mayBeUnsure: Bool = false
  ) -> Int {
    expectRight(kernel, signatures.map { Self.expected($0, by: $1) }, mayBeUnsure: mayBeUnsure)
  }

  /// Returns the number of signatures that the kernel decided; it may leave only exceptional ones to libcrypto.
  @discardableResult
  private func expectRight(_ kernel: Kernel, _ signatures: [Expected], mayBeUnsure: Bool = false) -> Int {
    let lanes = kernel.verify(signatures.map(\.signature))
    var decided = 0
    // A kernel without lanes decides all.
    let mayBeUnsure = mayBeUnsure && kernel.lanes > 1
    for (index, (signature, isGenuine)) in signatures.enumerated() {
      for status in [lanes[index], kernel.verifyOne(signature)] {
        if mayBeUnsure && status == .unsure { continue }
        #expect(status == (isGenuine ? .done : .refused))
        decided += 1
      }
    }
    return decided
  }

  private static func expected(_ signature: Kernel.Signature, by signer: Signer) -> Expected {
    (signature, signer.curve.verifies(signature.digest, r: signature.r, s: signature.s, by: signer.point))
  }

  private static func signer(
    _ curve: Curve, _ generator: inout SeededGenerator
  ) throws -> (signer: Signer, table: Kernel.Table) {
    let signer = Signer(curve, scalar: curve.scalar(generator.bytes(32)))
    return (signer, try #require(Kernel.Table(signer.point)))
  }

  /// The calls, shared by all kernels: libcrypto verifies each signature once.
  private static let random = Result {
    let curve = Curve()
    var generator = SeededGenerator(seed: Hunt.seed).stream("verification")
    let signers = try (0..<5).map { _ in try signer(curve, &generator) }
    return Hunt.calls(Hunt.count / 8, &generator) { generator in
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
      return expected(Kernel.Signature(digest: digest, r: r, s: s, table: table), by: signer)
    }
  }

  @Test(arguments: Kernel.all) func `random signatures by several signers, genuine and altered`(_ kernel: Kernel) throws
  {
    print("seed \(Hunt.seed): \(kernel.count(Hunt.count / 8)) signatures by \(kernel.name)")
    var done = 0
    for signatures in try Self.random.get() where done < kernel.count(Hunt.count / 8) {
      expectRight(kernel, signatures)
      done += signatures.count
    }
  }

  @Test(arguments: Kernel.all) func `r and s at the ends of the range and beyond`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("range")
    let (signer, table) = try Self.signer(curve, &generator)
    let digest = generator.bytes(32)
    let (r, s) = signer.sign(digest, nonce: curve.scalar(generator.bytes(32)))
    let order = curve.bytes(curve.order)
    var above = order
    above[31] += 1
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    let edges = [zeros, curve.scalar(1), curve.scalar(2), curve.scalar(-1), curve.scalar(-2), order, above, ones]
    let good = Kernel.Signature(digest: digest, r: r, s: s, table: table)
    var decided = 0
    for edge in edges {
      for (r, s) in [(edge, s), (r, edge), (edge, edge)] {
        let bad = Kernel.Signature(digest: digest, r: r, s: s, table: table)
        decided += expectRight(kernel, [(bad, signer)], mayBeUnsure: true)
        // The same in a lane between genuine signatures.
        decided += expectRight(kernel, [(good, signer), (bad, signer), (good, signer)], mayBeUnsure: true)
      }
    }
    // All except a few, which are left to libcrypto.
    #expect(decided > edges.count * 3 * 8 * 9 / 10)
    // The other value of s, n - s, is valid too.
    let high = curve.product(s, curve.scalar(-1))
    expectRight(kernel, [(Kernel.Signature(digest: digest, r: r, s: high, table: table), signer)])
    // s = 1 and s = n - 1: the digest is ±nonce - r · key.
    for sign in [1, -1] {
      let nonce = curve.scalar(generator.bytes(32))
      let r = signer.sign(zeros, nonce: nonce).r
      let product = curve.product(curve.product(r, signer.scalar), curve.scalar(-1))
      let digest = curve.sum(curve.product(nonce, curve.scalar(sign)), product)
      let signature = Kernel.Signature(digest: digest, r: r, s: curve.scalar(sign), table: table)
      #expect(curve.verifies(digest, r: r, s: signature.s, by: signer.point))
      expectRight(kernel, [(signature, signer)])
    }
  }

  @Test(arguments: Kernel.all) func `digests at the ends of the range`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("digests")
    let (signer, table) = try Self.signer(curve, &generator)
    let order = curve.bytes(curve.order)
    var above = order
    above[31] += 1
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    var decided = 0
    for digest in [zeros, curve.scalar(1), curve.scalar(-1), order, above, ones] {
      let (r, s) = signer.sign(digest, nonce: curve.scalar(generator.bytes(32)))
      #expect(curve.verifies(digest, r: r, s: s, by: signer.point))
      decided += expectRight(
        kernel, [(Kernel.Signature(digest: digest, r: r, s: s, table: table), signer)], mayBeUnsure: true)
      #expect(kernel.verify([Kernel.Signature(digest: digest, r: r, s: s, table: table)])[0] != .refused)
    }
    #expect(decided >= 8)
  }

  /// u1 and u2 with exceptional additions: equal and opposite sums, digits of zero and at the ends of their range, a
  /// zero scalar.
  @Test(arguments: Kernel.all) func `chosen u1 and u2, by signers that are small multiples of the generator`(
    _ kernel: Kernel
  ) throws {
    var small = [1, 2, 3, 127, 128, 129, 255, 256, 257, 0x8000, 0x8080, 0x80_8080].flatMap {
      [curve.scalar($0), curve.scalar(-$0)]
    }
    small += [8, 64, 127, 128, 247, 248, 255].map { curve.power($0) }
    small.append(curve.scalar([UInt8](repeating: 0x80, count: 32)))
    small.append(curve.scalar([UInt8](repeating: 0x7F, count: 32)))
    small.append(curve.scalar([UInt8](repeating: 0x81, count: 32)))
    let zero = [UInt8](repeating: 0, count: 32)
    var (unsure, decided) = (0, 0)
    // The first ring tries a third of the values of u1, which differ for each signer and each seed.
    let first = Int(Hunt.seed % 3)
    print("seed \(Hunt.seed): values of u1 from \(first) on")
    for (row, factor) in [1, -1, 2, -2, 3, 128, -256].enumerated() {
      let signer = Signer(curve, scalar: curve.scalar(factor))
      let table = try #require(Kernel.Table(signer.point))
      for (column, u1) in (small + [zero]).enumerated() where Ring.isDeep || (first + row + column).isMultiple(of: 3) {
        let signatures = small.compactMap { u2 in
          signer.signature(u1: u1, u2: u2).map { Kernel.Signature(digest: $0.digest, r: $0.r, s: $0.s, table: table) }
        }
        for start in stride(from: 0, to: signatures.count, by: 8) {
          let group = Array(signatures[start..<min(start + 8, signatures.count)])
          let lanes = kernel.verify(group)
          for (signature, status) in zip(group, lanes) {
            #expect(curve.verifies(signature.digest, r: signature.r, s: signature.s, by: signer.point))
            #expect(status != .refused)
            #expect(kernel.verifyOne(signature) != .refused)
            if status == .unsure { unsure += 1 } else { decided += 1 }
            var other = signature.s
            other[31] ^= 1
            let altered = Kernel.Signature(digest: signature.digest, r: signature.r, s: other, table: table)
            expectRight(kernel, [(altered, signer)], mayBeUnsure: true)
          }
        }
      }
    }
    // Exceptional additions occur: lanes leave them to libcrypto, and the scalar kernel covers them.
    #expect((unsure > 0) == (kernel.lanes > 1) && decided > unsure)
  }

  /// The sum u1·G + u2·Q is infinity, which has no x.
  @Test(arguments: Kernel.all) func `a signature whose sum is infinity is not accepted`(_ kernel: Kernel) throws {
    for factor in [1, 5, -7] {
      let signer = Signer(curve, scalar: curve.scalar(factor))
      let table = try #require(Kernel.Table(signer.point))
      for number in 1...20 {
        let u2 = curve.scalar(number * 0x1_2345)
        let u1 = curve.product(curve.scalar(-1), curve.product(u2, signer.scalar))
        for r in [curve.scalar(number), curve.scalar(-number)] {
          let s = curve.product(r, curve.inverse(u2))
          let signature = Kernel.Signature(digest: curve.product(u1, s), r: r, s: s, table: table)
          #expect(!curve.verifies(signature.digest, r: r, s: s, by: signer.point))
          let status = kernel.lanes > 1 ? Kernel.Status.unsure : .refused
          #expect(kernel.verify([signature])[0] == status)
          #expect(kernel.verifyOne(signature) == status)
        }
      }
    }
  }

  /// With u1 = 0 and u2 = 1 the sum is the signer's point. Its x is chosen among those on the curve: n or more, so that
  /// r is x - n, or small.
  @Test(arguments: Kernel.all) func `r of points whose x is r + n, below and not below p`(_ kernel: Kernel) throws {
    let order = curve.bytes(curve.order)
    let zero = [UInt8](repeating: 0, count: 32)
    // p - n and 2^256 - n.
    let lessOrder = [
      Hex.bytes("000000000000000000000000000000004319055358e8617b0c46353d039cdaae"),
      Hex.bytes("00000000ffffffff00000000000000004319055258e8617b0c46353d039cdaaf"),
    ]
    var (high, low) = (0, 0)
    for number in 1..<64 {
      let r = curve.scalar(number)
      let above = Bytes.sum(order, number)
      if let y = Points.y(of: above) {
        high += 1
        let table = try #require(Kernel.Table(above + y))
        expect(.done, kernel, (zero, r, r), table, by: above + y)
        // r = x itself is beyond n - 1, though u2 and the sum's x would be right.
        let next = curve.scalar(number + 1)
        for (r, s) in [(next, next), (above, r)] { expect(.refused, kernel, (zero, r, s), table, by: above + y) }
      }
      // x is small: r + n is x modulo p, or modulo 2^256, but is not x.
      if let y = Points.y(of: r) {
        low += 1
        let table = try #require(Kernel.Table(r + y))
        expect(.done, kernel, (zero, r, r), table, by: r + y)
        for wrong in lessOrder.map({ Bytes.sum($0, number) }) {
          expect(.refused, kernel, (zero, wrong, wrong), table, by: r + y)
        }
      }
    }
    #expect(high > 10 && low > 10)
    // p - n - 1 and p - n: the last r that stands for r + n, and the first that does not.
    var last = lessOrder[0]
    last[31] -= 1
    for r in [last, lessOrder[0]] {
      let signer = Signer(curve, scalar: curve.scalar(12_345))
      let table = try #require(Kernel.Table(signer.point))
      let signature = Kernel.Signature(digest: curve.scalar(99), r: r, s: curve.scalar(77), table: table)
      expectRight(kernel, [(signature, signer)])
    }
  }

  /// Checks the verdicts of the kernel, in a batch and single, and of libcrypto.
  private func expect(
    _ status: Kernel.Status, _ kernel: Kernel, _ parts: (digest: [UInt8], r: [UInt8], s: [UInt8]),
    _ table: Kernel.Table, by point: [UInt8]
  ) {
    let signature = Kernel.Signature(digest: parts.digest, r: parts.r, s: parts.s, table: table)
    #expect(curve.verifies(parts.digest, r: parts.r, s: parts.s, by: point) == (status == .done))
    #expect(kernel.verify([signature, signature]) == [status, status])
    // Lanes may leave a single exceptional signature to libcrypto: here its digest is zero.
    let alone = kernel.verifyOne(signature)
    #expect(alone == status || kernel.lanes > 1 && alone == .unsure)
  }
}
