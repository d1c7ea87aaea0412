import Foundation
import Minting
import PaymentToken
import Testing

/// Whether the time of an unwrapping depends on its result. Takes a quarter of an hour with ASSAY_TIMING=1.
@Suite(.serialized) struct UnwrapTimingTests {
  /// Unwrappings of each kind: 100,000 for ASSAY_TIMING=1, else as many as it says.
  private static let count = ProcessInfo.processInfo.environment["ASSAY_TIMING"].flatMap { Int($0) }
    .map { $0 == 1 ? 100_000 : $0 }
  private static let seed = ProcessInfo.processInfo.environment["ASSAY_SEED"].flatMap { UInt64($0) } ?? 20_261_121

  /// The number of unwrappings whose least time is one measurement: interruptions only add time.
  private static let groupSize = 10
  /// The number of wrapped keys of each kind: the measurement must not depend on a single one.
  private static let variety = 128
  /// The bound of |t|: two equal distributions exceed it in less than one of 100,000 comparisons.
  private static let bound = 4.5
  /// Rounds of a loop that take about a hundredth of an unwrapping.
  private static let extraRounds = 15_000

  @Test(.enabled(if: count != nil)) func `unwrappings that fail take as long as those that succeed`() throws {
    let unwrapping = try Unwrapping(FixedRSAKeys.merchant2048)
    var random = SeededGenerator(seed: Self.seed)
    var pools = [try (0..<Self.variety).map { _ in try WrappingFault.sound(unwrapping, from: &random) }]
    for fault in WrappingFault.allCases {
      pools.append(try (0..<Self.variety).map { _ in try fault.make(unwrapping, from: &random) })
    }
    // The sound keys again, each followed by a loop: a measurement that does not distinguish these proves nothing.
    pools.append(pools[0])
    let samples = Self.measure(pools, by: unwrapping, using: &random)
    let planted = Self.welch(samples[pools.count - 1], samples[0])
    print("  planted: mean \(Self.mean(samples[pools.count - 1])) ns, t = \(planted)")
    #expect(planted > Self.bound, "a difference of a hundredth is not detected")
    print("seed \(Self.seed), \(Self.count ?? 0) unwrappings of each kind, least of \(Self.groupSize):")
    for (fault, times) in zip(WrappingFault.allCases, samples.dropFirst()) {
      let t = Self.welch(times, samples[0])
      print("  \(fault): mean \(Self.mean(times)) ns against \(Self.mean(samples[0])) ns, t = \(t)")
      #expect(abs(t) < Self.bound, "\(fault)")
    }
  }

  /// The measurements of each pool; the pools take turns in an order drawn for each turn.
  private static func measure(
    _ pools: [[[UInt8]]], by unwrapping: Unwrapping, using random: inout SeededGenerator
  ) -> [[Double]] {
    var samples = [[Double]](repeating: [], count: pools.count)
    var order = Array(pools.indices)
    for wrapped in pools.flatMap({ $0 }).prefix(200) { unwrapping.unwrap(wrapped) }
    for _ in 0..<(count ?? 0) / groupSize {
      var least = [UInt64](repeating: .max, count: pools.count)
      for _ in 0..<groupSize {
        order.shuffle(using: &random)
        for pool in order {
          let wrapped = pools[pool][Int(random.next() % UInt64(variety))]
          let start = nanoseconds()
          unwrapping.unwrap(wrapped)
          if pool == pools.count - 1 { spin() }
          least[pool] = min(least[pool], nanoseconds() - start)
        }
      }
      for pool in pools.indices { samples[pool].append(Double(least[pool])) }
    }
    return samples
  }

  @inline(never) private static func spin() {
    for _ in 0..<extraRounds { sum = sum &* 6_364_136_223_846_793_005 &+ 1 }
  }

  /// The loop's result, so that the compiler keeps the loop.
  nonisolated(unsafe) private static var sum: UInt64 = 1

  private static func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  /// Welch's t of two samples.
  private static func welch(_ first: [Double], _ second: [Double]) -> Double {
    func spread(_ values: [Double]) -> Double {
      let mean = mean(values)
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return squares / Double(values.count - 1) / Double(values.count)
    }
    return (mean(first) - mean(second)) / (spread(first) + spread(second)).squareRoot()
  }
}
