import Benchmarking
import Testing

struct BootstrapIntervalTests {
  @Test func `rounds that are slow together give a narrow interval around the true ratio`() throws {
    // The machine's speed swings by half, the ratio does not.
    let speeds = (0..<40).map { 1.0 + Double($0 % 5) / 10 }
    let noise = (0..<40).map { 1.0 + Double($0 % 7) / 1_000 }
    let numerators = zip(speeds, noise).map { 300 * $0 * $1 }
    let denominators = speeds.map { 100 * $0 }
    let interval = try #require(BootstrapInterval(numerators: numerators, denominators: denominators, seed: 1))
    #expect(interval.low <= interval.ratio && interval.ratio <= interval.high)
    #expect(abs(interval.ratio - 3) < 0.05)
    #expect(interval.high - interval.low < 1.5)
  }

  @Test func `the same seed gives the same interval, another seed another`() throws {
    var generator = SystemRandomNumberGenerator()
    let numerators = (0..<30).map { _ in Double.random(in: 1...2, using: &generator) }
    let denominators = (0..<30).map { _ in Double.random(in: 1...2, using: &generator) }
    let first = BootstrapInterval(numerators: numerators, denominators: denominators, seed: 7)
    #expect(first == BootstrapInterval(numerators: numerators, denominators: denominators, seed: 7))
    // Medians of few values often coincide, so two seeds may give the same interval, but not all of 20 do.
    let others = (0..<20).map { seed in
      BootstrapInterval(numerators: numerators, denominators: denominators, seed: seed, resamples: 40)
    }
    #expect(Set(others).count > 1)
  }

  @Test func `samples have a median with an interval, also below zero`() throws {
    let interval = try #require(BootstrapInterval(samples: [-2, -1, 0, 1, 2, 3, 4], seed: 1))
    #expect(interval.ratio == 1)
    #expect(interval.low < 1 && interval.high > 1)
  }

  @Test func `rounds that do not pair have no ratio`() {
    #expect(BootstrapInterval(numerators: [1, 2], denominators: [1], seed: 1) == nil)
    #expect(BootstrapInterval(numerators: [], denominators: [], seed: 1) == nil)
    #expect(BootstrapInterval(numerators: [1], denominators: [0], seed: 1) == nil)
  }
}
