import Benchmarking
import HostIO
import Reports

/// Compares two builds of this program by timing them in turns.
package struct BuildComparison {
  let base: String
  let head: String
  let patterns: [String]
  let seed: UInt64
  /// The time for all slices together; nil for a useful minimum, and more while results are inconclusive.
  let seconds: Double?
  let blocks: Int
  let limits: ComparisonLimits

  package init(
    base: String, head: String, patterns: [String], seed: UInt64, seconds: Double?, blocks: Int,
    limits: ComparisonLimits
  ) {
    self.base = base
    self.head = head
    self.patterns = patterns
    self.seed = seed
    self.seconds = seconds
    self.blocks = blocks
    self.limits = limits
  }

  private static let leastSeconds = 10.0
  private static let secondsEach = 3.0
  /// The seconds after which no block starts: the minimum, and the seconds for each benchmark.
  private static let leastBound = 60.0
  private static let boundEach = 15.0
  /// The default names for counting instructions: each takes half a minute.
  private static let countedNames = ["decrypt/fast/ec_v1", "decrypt/fast/ec_v1/unsigned", "decrypt/fast/rsa_v1"]

  /// - Parameter announce: called with the number of benchmarks and the seconds after which no block starts, if any.
  package func run(
    announce: (_ benchmarks: Int, _ bound: Double?) -> Void, progress: @escaping (Double) -> Void
  ) throws(BenchmarkFailure) -> ComparisonReport {
    let begin = MonotonicClock.nanoseconds
    let names = try commonNames()
    let amount = seconds ?? max(Self.leastSeconds, Self.secondsEach * Double(names.common.count))
    let plan = BlockPlan(seconds: amount, benchmarks: names.common.count, blocks: blocks)
    let bound = seconds == nil ? max(Self.leastBound, Self.boundEach * Double(names.common.count)) : nil
    announce(names.common.count, bound)
    var last: (base: BenchWorker, head: BenchWorker)?
    func start(_ headFirst: Bool, _ names: [String]) throws(BenchmarkFailure) -> BlockPlan.Pair {
      // End the old pair before starting the new one: four processes would compete for caches.
      last = nil
      let early = try worker(headFirst ? head : base, names)
      let late = try worker(headFirst ? base : head, names)
      let pair = headFirst ? (base: late, head: early) : (base: early, head: late)
      last = pair
      return pair
    }
    let rows = try plan.compare(
      names.common, limits: limits, looks: bound == nil ? 1 : 3, until: bound.map { begin + UInt64($0 * 1e9) } ?? .max,
      progress: progress
    ) { headFirst, indices throws(BenchmarkFailure) in
      try start(headFirst, indices.map { names.common[$0] })
    }
    return ComparisonReport(
      base: base, head: head,
      method: "\(plan.blocks) blocks of \(plan.quads) quads of \(plan.slice / 1_000_000) ms, in turns on one CPU"
        + (bound.map { ", up to \(4 * plan.blocks) for what is inconclusive, within \($0.fixed(0)) s" } ?? ""),
      rows: rows + names.missing.map { ComparisonRow(name: $0, verdict: .missing) },
      added: names.added, peakMemory: try peakMemory(of: last))
  }

  private func peakMemory(
    of pair: (base: BenchWorker, head: BenchWorker)?
  ) throws(BenchmarkFailure) -> (base: Int, head: Int)? {
    guard let pair, let base = try pair.base.peakMemory(), let head = try pair.head.peakMemory() else { return nil }
    return (base, head)
  }

  /// Instructions of both builds, counted with the same system and libraries.
  ///
  /// - Parameter names: nil for the most important whole tokens.
  package func instructions(
    of names: [String]?, progress: (Double) -> Void
  ) throws(BenchmarkFailure) -> [InstructionChange] {
    let before = try InstructionCounter(base)
    let after = try InstructionCounter(head)
    let names = names ?? Self.countedNames
    var changes: [InstructionChange] = []
    for (index, name) in names.enumerated() {
      progress(Double(index) / Double(names.count))
      let operations = try before.operations(for: name, seed: seed)
      changes.append(
        InstructionChange(
          name: name, before: try before.count(name, seed: seed, operations: operations),
          after: try after.count(name, seed: seed, operations: operations),
          limit: limits.thresholds.mostChange(.instructionsChange, of: name) ?? 0.005))
    }
    return changes
  }

  private func worker(_ path: String, _ names: [String]) throws(BenchmarkFailure) -> BenchWorker {
    let worker = try BenchWorker(path, patterns: names.map { "=\($0)" }, seed: seed)
    guard worker.names == names else { throw BenchmarkFailure("\(path) has other benchmarks than before") }
    return worker
  }

  private func commonNames() throws(BenchmarkFailure) -> (common: [String], missing: [String], added: [String]) {
    let before = try BenchWorker(base, patterns: patterns, seed: seed).names
    let after = try BenchWorker(head, patterns: patterns, seed: seed).names
    return (
      before.filter(after.contains), before.filter { !after.contains($0) }, after.filter { !before.contains($0) }
    )
  }
}
