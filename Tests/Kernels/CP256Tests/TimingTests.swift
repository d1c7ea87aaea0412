import CP256
import Foundation
import Minting
import Testing

/// Whether the time of a key agreement distinguishes a fixed scalar, or a fixed point, from random ones: Student's
/// t-test over the differences of pairs measured one right after the other, in random order (after Reparaz, Balasch,
/// Verbauwhede, "Dude, is my code constant time?", 2017). Pairs are used because the machine's speed drifts by more
/// than the differences sought.
///
/// Disabled unless ASSAY_TIMING is set, since it needs an otherwise idle machine.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["ASSAY_TIMING"] != nil))
struct TimingTests {
  private static let pairs = 30_000
  /// The value of t beyond which a difference is significant.
  private static let limit = 10.0

  private let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8 * 128)
  private let curve = Curve()

  private struct Sample {
    var peers: [UInt8]
    var scalars: [UInt8]
  }

  /// The t statistic of the times of `fixed` and `random`. The times of `random` include `extra`.
  private func t(_ kernel: Kernel, _ fixed: Sample, _ random: [Sample], extra: () -> Void = {}) -> Double {
    var generator = SeededGenerator(seed: Hunt.seed).stream("timing")
    let pairs = (0..<Self.pairs).map { _ in
      let isFixedFirst = Bool.random(using: &generator)
      let other = random[Int.random(in: 0..<random.count, using: &generator)]
      let first = time(kernel, isFixedFirst ? fixed : other, extra: isFixedFirst ? {} : extra)
      let second = time(kernel, isFixedFirst ? other : fixed, extra: isFixedFirst ? extra : {})
      return (longer: max(first, second), difference: isFixedFirst ? first - second : second - first)
    }
    // Excludes the slowest fifth of the pairs, in which a measurement may have been interrupted.
    let limit = pairs.map(\.longer).sorted()[Self.pairs * 8 / 10]
    let kept = pairs.filter { $0.longer <= limit }.map(\.difference)
    let mean = kept.reduce(0, +) / Double(kept.count)
    let variance = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count - 1)
    return mean / (variance / Double(kept.count)).squareRoot()
  }

  /// The time of eight agreements and of the extra work, in nanoseconds.
  private func time(_ kernel: Kernel, _ sample: Sample, extra: () -> Void) -> Double {
    let agreements = (0..<8).map { lane in
      assay_p256_agreement(
        peer: bytes + 64 * lane, scalar: bytes + 512 + 32 * lane, secret: bytes + 768 + 32 * lane)
    }
    var statuses = [UInt8](repeating: 0, count: 8)
    bytes.update(from: sample.peers, count: 512)
    (bytes + 512).update(from: sample.scalars, count: 256)
    let start = DispatchTime.now().uptimeNanoseconds
    kernel.functions.agree(agreements, 8, &statuses)
    extra()
    return Double(DispatchTime.now().uptimeNanoseconds - start)
  }

  /// The median of times.
  private func median(_ time: () -> Double) -> Double { (0..<501).map { _ in time() }.sorted()[250] }

  private func sample(_ generator: inout SeededGenerator, scalar: [UInt8]? = nil, point: [UInt8]? = nil) -> Sample {
    Sample(
      peers: (0..<8).flatMap { _ in point ?? curve.multiply(curve.scalar(generator.bytes(32)))! },
      scalars: (0..<8).flatMap { _ in scalar ?? curve.scalar(generator.bytes(32)) })
  }

  @Test(arguments: Kernel.agreeing) func `a fixed scalar takes as long as random ones`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("samples")
    let point = curve.multiply(curve.scalar(7))!
    let pattern = [UInt8](repeating: 0x5A, count: 32)
    for scalar in [curve.scalar(1), curve.scalar(-1), curve.power(200), curve.scalar(pattern)] {
      let random = (0..<200).map { _ in sample(&generator, point: point) }
      let value = t(kernel, sample(&generator, scalar: scalar, point: point), random)
      print("\(kernel.name): t = \(value)")
      #expect(abs(value) < Self.limit)
    }
  }

  @Test(arguments: Kernel.agreeing) func `a fixed point takes as long as random ones`(_ kernel: Kernel) throws {
    var generator = SeededGenerator(seed: Hunt.seed).stream("points")
    let scalar = curve.scalar(generator.bytes(32))
    for point in [curve.multiply(curve.scalar(1))!, curve.multiply(curve.scalar(-2))!] {
      let random = (0..<200).map { _ in sample(&generator, scalar: scalar) }
      let value = t(kernel, sample(&generator, scalar: scalar, point: point), random)
      print("\(kernel.name): t = \(value)")
      #expect(abs(value) < Self.limit)
    }
  }

  @Test(arguments: Kernel.agreeing) func `a difference of a hundredth is detected`(_ kernel: Kernel)
    throws
  {
    var generator = SeededGenerator(seed: Hunt.seed).stream("plant")
    let random = (0..<200).map { _ in sample(&generator) }
    let fixed = sample(&generator)
    var sum: UInt64 = 1
    func multiply(_ count: Int) {
      for _ in 0..<count { sum = sum &* 6_364_136_223_846_793_005 &+ 1 }
    }
    let agreement = median { time(kernel, fixed) {} }
    // Enough multiplications for their time to exceed the drift of the agreement's time.
    let calibration = 200_000
    let multiplications = median { time(kernel, fixed) { multiply(calibration) } } - agreement
    try #require(multiplications > 0)
    let value = t(kernel, fixed, random) { multiply(Int(Double(calibration) * agreement / 100 / multiplications)) }
    print("\(kernel.name): t = \(value), \(sum)")
    #expect(abs(value) > Self.limit)
  }
}
