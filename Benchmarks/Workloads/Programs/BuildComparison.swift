import Benchmarking

/// Compares two builds of this program by timing them in turns.
package struct BuildComparison {
  let base: String
  let head: String
  let patterns: [String]
  let seed: UInt64
  let limits: ComparisonLimits

  package init(base: String, head: String, patterns: [String], seed: UInt64, limits: ComparisonLimits) {
    self.base = base
    self.head = head
    self.patterns = patterns
    self.seed = seed
    self.limits = limits
  }

  private static let leastSeconds = 10.0
  private static let secondsEach = 3.0
  /// The default names for counting instructions: each takes half a minute.
  private static let countedNames = ["decrypt/fast/ec_v1", "decrypt/fast/ec_v1/unsigned", "decrypt/fast/rsa_v1"]

  /// - Parameter seconds: the time for all slices together; nil for the minimum that is useful.
  package func run(
    seconds: Double?, blocks: Int, progress: @escaping (Double) -> Void
  ) throws(BenchmarkFailure) -> ComparisonReport {
    let names = try commonNames()
    let amount = seconds ?? max(Self.leastSeconds, Self.secondsEach * Double(names.common.count))
    let plan = BlockPlan(seconds: amount, benchmarks: names.common.count, blocks: blocks)
    var last: (base: BenchWorker, head: BenchWorker)?
    let samples = try BlockComparison(plan: plan, progress: progress).run(names.common.count) {
      headFirst throws(BenchmarkFailure) in
      // End the old pair before starting the new one: four processes would compete for caches.
      last = nil
      let early = try worker(headFirst ? head : base, names.common)
      let late = try worker(headFirst ? base : head, names.common)
      let pair = headFirst ? (base: late, head: early) : (base: early, head: late)
      last = pair
      return pair
    }
    return ComparisonReport(
      base: base, head: head,
      method: "\(plan.blocks) blocks of \(plan.quads) quads of \(plan.slice / 1_000_000) ms, in turns on one CPU",
      rows: samples.rows(names: names.common, limits: limits)
        + names.missing.map { ComparisonRow(name: $0, verdict: .missing) },
      added: names.added, peakMemory: try peakMemory(of: last))
  }

  private func peakMemory(
    of pair: (base: BenchWorker, head: BenchWorker)?
  ) throws(BenchmarkFailure) -> (base: Int, head: Int)? {
    guard let pair else { return nil }
    return (try pair.base.peakMemory(), try pair.head.peakMemory())
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
