import Benchmarking
import HostIO
import TestSupport
import Testing

/// A simulated machine whose speed changes.
private final class Machine {
  private var generator: SplitMix64
  /// How much slices differ by chance, as a fraction.
  let noise: Double
  private var speed = 1.0
  private var slices = 0

  init(noise: Double, seed: UInt64) {
    self.noise = noise
    generator = SplitMix64(seed: seed)
  }

  func slice(of time: Double) -> Double {
    slices += 1
    // Every 37 slices the machine halves its speed or regains it.
    if slices.isMultiple(of: 37) { speed = speed == 1 ? 2 : 1 }
    return time * speed * (1 + noise * Double.random(in: -1...1, using: &generator))
  }
}

private final class Build: SliceSource {
  private let machine: Machine
  private let factors: [Double]

  init(_ machine: Machine, factors: [Double]) {
    self.machine = machine
    self.factors = factors
  }

  func time(_ index: Int, nanoseconds: UInt64) throws(BenchmarkFailure) -> Double {
    machine.slice(of: 1_000 * factors[index])
  }
}

struct BlockComparisonTests {
  private let plan = BlockPlan(blocks: 12, quads: 3, slice: 1)

  private func rows(_ factors: [Double], noise: Double, seed: UInt64 = 1) throws -> [ComparisonRow] {
    let machine = Machine(noise: noise, seed: seed)
    return try plan.compare(factors.indices.map { "name \($0)" }, limits: ComparisonLimits(), looks: 1) { _, _ in
      (base: Build(machine, factors: factors.map { _ in 1 }), head: Build(machine, factors: factors))
    }
  }

  @Test func `slower, faster and equal builds are distinguished on a machine that halves its speed`() throws {
    let rows = try rows([1.05, 0.9, 1, 1.01], noise: 0.01)
    #expect(rows.map(\.verdict) == [.regressed, .improved, .unchanged, .unchanged])
    let change = try #require(rows[0].change)
    #expect(abs(change - 0.05) < 0.01)
    #expect(rows[0].interval?.contains(change) == true)
  }

  @Test func `noisy differences are inconclusive`() throws {
    #expect(try rows([1.05], noise: 0.8).map(\.verdict) == [.inconclusive])
  }

  @Test func `a build compared with itself has no regression`() throws {
    // The same comparison detects a build that is slower in one name.
    let slower = try rows([1.3] + [Double](repeating: 1, count: 19), noise: 0.04)
    #expect(slower.map(\.verdict).filter { $0 == .regressed }.count == 1 && slower[0].verdict == .regressed)
    for seed in 0..<40 as Range<UInt64> {
      let verdicts = try rows([Double](repeating: 1, count: 20), noise: 0.04, seed: seed).map(\.verdict)
      #expect(verdicts.count == 20 && !verdicts.contains(.regressed) && !verdicts.contains(.improved), "seed \(seed)")
    }
  }

  @Test func `every block starts both builds, in alternating order`() throws {
    let machine = Machine(noise: 0.01, seed: 1)
    var starts: [Bool] = []
    _ = try plan.compare(["name"], limits: ComparisonLimits(), looks: 1) { headFirst, _ in
      starts.append(headFirst)
      return (base: Build(machine, factors: [1]), head: Build(machine, factors: [1]))
    }
    #expect(starts.count == 12 && starts.count { $0 } == 6)
  }

  /// Compares what is inconclusive up to three times. Returns the rows and the number of benchmarks in each block.
  private func decided(
    _ factors: [Double], noise: Double, seed: UInt64, until deadline: UInt64 = .max
  ) throws -> (rows: [ComparisonRow], blocks: [Int]) {
    let machine = Machine(noise: noise, seed: seed)
    var blocks: [Int] = []
    let names = factors.indices.map { "name \($0)" }
    let rows = try plan.compare(names, limits: ComparisonLimits(), looks: 3, until: deadline) { _, indices in
      blocks.append(indices.count)
      let chosen = indices.map { factors[$0] }
      return (base: Build(machine, factors: chosen.map { _ in 1 }), head: Build(machine, factors: chosen))
    }
    return (rows, blocks)
  }

  @Test func `what is inconclusive is compared again, in twice and four times as many blocks`() throws {
    // The first row is decided at once; the intervals of the second stay wider than the floor.
    let (rows, blocks) = try decided([4, 1], noise: 0.4, seed: 1)
    #expect(rows.map(\.verdict) == [.regressed, .inconclusive])
    #expect(blocks == [Int](repeating: 2, count: 12) + [Int](repeating: 1, count: 36))
    let once = try decided([1.3, 1], noise: 0.01, seed: 1)
    #expect(once.rows.map(\.verdict) == [.regressed, .unchanged] && once.blocks.count == 12)
  }

  @Test func `more blocks decide what the first ones do not`() throws {
    let first = (1...20 as ClosedRange<UInt64>).map { seed in try? rows([1.05], noise: 0.09, seed: seed)[0].verdict }
    let last = try (1...20 as ClosedRange<UInt64>).map { try decided([1.05], noise: 0.09, seed: $0).rows[0].verdict }
    #expect(last.count { $0 == .regressed } > first.count { $0 == .regressed })
  }

  @Test func `after the deadline only the five blocks that a test needs are run`() throws {
    let (rows, blocks) = try decided([1.03], noise: 0.01, seed: 1, until: 0)
    #expect(blocks.count == 5 && rows.count == 1)
  }

  @Test func `looking again raises no false alarms`() throws {
    for seed in 0..<40 as Range<UInt64> {
      let verdicts = try decided([Double](repeating: 1, count: 10), noise: 0.12, seed: seed).rows.map(\.verdict)
      #expect(!verdicts.contains(.regressed) && !verdicts.contains(.improved), "seed \(seed)")
    }
    #expect(try decided([1.3] + [Double](repeating: 1, count: 9), noise: 0.12, seed: 1).rows[0].verdict == .regressed)
  }

  @Test func `what a run says that it could have seen, it sees nine times in ten`() throws {
    let quiet = try rows([1], noise: 0.04)[0]
    let size = try #require(quiet.detectable)
    let noisy = try #require(try rows([1], noise: 0.3)[0].detectable)
    #expect(size > 0.03 && size < noisy)
    let seen = try (1...60 as ClosedRange<UInt64>).count { seed in
      try rows([1 + size], noise: 0.04, seed: seed)[0].verdict == .regressed
    }
    #expect(seen >= 45, "\(seen) of 60")
  }

  @Test func `a plan takes the time it is given`() {
    for (seconds, benchmarks) in [(3.0, 1), (10, 1), (12, 4), (24, 8), (33, 11), (60, 20)] {
      let plan = BlockPlan(seconds: seconds, benchmarks: benchmarks)
      let slices = 4 * plan.quads + plan.warmUpSlices
      let total = Double(plan.blocks * benchmarks * slices) * Double(plan.slice) / 1e9
      #expect(abs(total - seconds) < 0.001, "\(plan)")
      #expect((4_000_000...20_000_000).contains(plan.slice), "\(plan)")
    }
  }
}
