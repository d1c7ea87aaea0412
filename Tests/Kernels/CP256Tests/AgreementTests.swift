import CP256
import Minting
import Testing

/// Compares the key agreement of each kernel with libcrypto's.
@Suite struct AgreementTests {
  private let curve = Curve()

  /// An agreement and libcrypto's secret; nil if libcrypto refuses the point.
  private typealias Expected = (agreement: Kernel.Agreement, secret: [UInt8]?)

  private static func expected(_ agreement: Kernel.Agreement, _ curve: Curve) -> Expected {
    (agreement, curve.multiply(agreement.scalar, agreement.peer).map { Array($0.prefix(32)) })
  }

  private func expectRight(_ kernel: Kernel, _ agreements: [Kernel.Agreement]) {
    expectRight(kernel, agreements.map { Self.expected($0, curve) })
  }

  private func expectRight(_ kernel: Kernel, _ agreements: [Expected]) {
    for (expected, result) in zip(agreements, kernel.agree(agreements.map(\.agreement))) {
      #expect(result.status == (expected.secret == nil ? .refused : .done))
      #expect(result.secret == expected.secret ?? [UInt8](repeating: 0, count: 32))
    }
  }

  /// The calls, shared by all kernels: libcrypto computes each expected secret once.
  private static let random: [[Expected]] = {
    let curve = Curve()
    var generator = SeededGenerator(seed: Hunt.seed).stream("agreement")
    return Hunt.calls(Hunt.count / 4, &generator) { generator in
      expected(
        Kernel.Agreement(
          peer: curve.multiply(curve.scalar(generator.bytes(32)))!, scalar: curve.scalar(generator.bytes(32))), curve)
    }
  }()

  @Test(arguments: Kernel.agreeing) func `random keys and points in any number of lanes`(_ kernel: Kernel) {
    print("seed \(Hunt.seed): \(kernel.count(Hunt.count / 4)) agreements by \(kernel.name)")
    var done = 0
    for agreements in Self.random where done < kernel.count(Hunt.count / 4) {
      expectRight(kernel, agreements)
      done += agreements.count
    }
  }

  /// 1...96, n-96...n-1, every power of two and its neighbours. Among them is n - 2d for each digit d of a window: its
  /// last addition comes closest to one that the formula does not cover (Scripts/p256-constants).
  @Test(arguments: Kernel.agreeing) func `keys at the ends of the range and with few bits`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("edges")
    var scalars = (1...96).flatMap { [curve.scalar($0), curve.scalar(-$0)] }
    for exponent in 0..<256 {
      let power = curve.power(exponent)
      scalars += [power, curve.sum(power, curve.scalar(1)), curve.sum(power, curve.scalar(-1))]
    }
    scalars.removeAll { scalar in scalar.allSatisfy { $0 == 0 } }
    for start in stride(from: 0, to: scalars.count, by: 8) {
      let peer = curve.multiply(curve.scalar(generator.bytes(32)))!
      expectRight(
        kernel, scalars[start..<min(start + 8, scalars.count)].map { Kernel.Agreement(peer: peer, scalar: $0) })
    }
  }

  @Test(arguments: Kernel.agreeing) func `small multiples of the generator and their negatives`(
    _ kernel: Kernel
  ) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("points")
    for factor in 1...40 {
      let agreements = [factor, -factor].flatMap { factor in
        let peer = curve.multiply(curve.scalar(factor))!
        return [curve.scalar(generator.bytes(32)), curve.scalar(factor), curve.inverse(curve.scalar(factor))]
          .map { Kernel.Agreement(peer: peer, scalar: $0) }
      }
      expectRight(kernel, agreements)
    }
  }

  @Test(arguments: Kernel.agreeing) func `invalid points are refused, and other lanes are not affected`(
    _ kernel: Kernel
  ) throws {
    let good = (1...8).map { number in
      Kernel.Agreement(peer: curve.multiply(curve.scalar(7 * number))!, scalar: curve.scalar(11 * number))
    }
    let zeros = [UInt8](repeating: 0, count: 32)
    let ones = [UInt8](repeating: 0xFF, count: 32)
    let x = Array(good[0].peer.prefix(32))
    let y = Array(good[0].peer.suffix(32))
    var offCurve = good[0].peer
    offCurve[63] ^= 1
    // Points at x = 0 exist, with y² = b, but p is not allowed as another form of 0.
    let bad =
      [zeros + zeros, x + zeros, zeros + y, ones + ones, x + ones, ones + y, y + x, offCurve] + primes(x)
    for peer in bad {
      for lane in 0..<8 {
        var agreements = good
        agreements[lane] = Kernel.Agreement(peer: peer, scalar: good[lane].scalar)
        expectRight(kernel, agreements)
        #expect(kernel.agree(agreements)[lane].status == .refused)
      }
    }
    let allBad = bad.map { Kernel.Agreement(peer: $0, scalar: curve.scalar(5)) }
    #expect(kernel.agree(allBad).allSatisfy { $0.status == .refused })
  }

  /// Points with a coordinate p or p + 1.
  private func primes(_ x: [UInt8]) -> [[UInt8]] {
    let prime: [UInt8] =
      [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1] + [UInt8](repeating: 0, count: 12) + [UInt8](repeating: 0xFF, count: 12)
    var above = prime
    // p ends in 96 ones, so p + 1 carries into byte 19.
    for index in stride(from: 31, through: 20, by: -1) { above[index] = 0 }
    above[19] = 1
    return [prime + x, x + prime, above + x, x + above]
  }

  @Test(arguments: Kernel.agreeing) func `a point at x = 0, and a secret with leading zeros`(_ kernel: Kernel)
    throws
  {
    let zero = [UInt8](repeating: 0, count: 32)
    // A square root of b.
    let root = Hex.bytes("66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4")
    expectRight(kernel, (1...8).map { Kernel.Agreement(peer: zero + root, scalar: curve.scalar($0)) })
    // A secret with a leading zero byte: finds a key for which the generator gives one.
    var factor = 1
    while curve.multiply(curve.scalar(factor))![0] != 0 { factor += 1 }
    expectRight(kernel, [Kernel.Agreement(peer: curve.multiply(curve.scalar(1))!, scalar: curve.scalar(factor))])
  }

  @Test(arguments: Kernel.agreeing) func `scalars out of range are not relied on`(_ kernel: Kernel) throws {
    let peer = curve.multiply(curve.scalar(3))!
    let order = curve.bytes(curve.order)
    for scalar in [[UInt8](repeating: 0, count: 32), order] {
      #expect(kernel.agree([Kernel.Agreement(peer: peer, scalar: scalar)])[0].status == .unsure)
    }
  }
}

enum Hex {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = Array(text.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
