import Benchmarking

/// Two builds of this program timed in turns.
struct BuildComparison {
  let base: String
  let head: String
  let patterns: [String]
  let seed: UInt64
  let limits: ComparisonLimits

  /// What was found, and how much memory each took.
  struct Outcome {
    let rows: [ComparisonRow]
    /// Benchmarks that only the head has.
    let added: [String]
    let peakMemory: (base: Int, head: Int)
    let plan: BlockPlan
  }

  /// - Parameter seconds: for all slices together; nil for the least that is worth something.
  func run(
    seconds: Double?, blocks: Int, progress: @escaping (Double) -> Void
  ) throws(BenchmarkFailure) -> Outcome {
    let names = try commonNames()
    let amount = seconds ?? max(Self.leastSeconds, Self.secondsEach * Double(names.common.count))
    let plan = BlockPlan(seconds: amount, benchmarks: names.common.count, blocks: blocks)
    var peak = (base: 0, head: 0)
    var last: (base: BenchWorker, head: BenchWorker)?
    let samples = try BlockComparison(plan: plan, progress: progress).run(names.common.count) {
      headFirst throws(BenchmarkFailure) in
      // The old pair goes before the new one comes: four processes would share the caches.
      last = nil
      let early = try worker(headFirst ? head : base, names.common)
      let late = try worker(headFirst ? base : head, names.common)
      let pair = headFirst ? (base: late, head: early) : (base: early, head: late)
      last = pair
      return pair
    }
    if let last { peak = (try last.base.peakMemory(), try last.head.peakMemory()) }
    let missing = names.missing.map { ComparisonRow(name: $0, verdict: .missing) }
    return Outcome(
      rows: samples.judged(names: names.common, limits: limits) + missing, added: names.added, peakMemory: peak,
      plan: plan)
  }

  private static let leastSeconds = 10.0
  private static let secondsEach = 3.0

  private func worker(_ path: String, _ names: [String]) throws(BenchmarkFailure) -> BenchWorker {
    try BenchWorker(path, patterns: names, seed: seed)
  }

  private func commonNames() throws(BenchmarkFailure) -> (common: [String], missing: [String], added: [String]) {
    let before = try BenchWorker(base, patterns: patterns, seed: seed).names
    let after = try BenchWorker(head, patterns: patterns, seed: seed).names
    return (
      before.filter(after.contains), before.filter { !after.contains($0) }, after.filter { !before.contains($0) }
    )
  }
}
