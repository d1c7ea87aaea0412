import CMachine

/// What a process that holds benchmarks does with the lines it is told: `names`, `time INDEX NANOSECONDS`,
/// `run INDEX COUNT`, `memory`.
public struct WorkerSession {
  private let benchmarks: [Benchmark]
  private var timers: [SliceTimer?]

  /// A session about these benchmarks, by their positions.
  public init(_ benchmarks: [Benchmark]) {
    self.benchmarks = benchmarks
    timers = [SliceTimer?](repeating: nil, count: benchmarks.count)
  }

  /// The answer to a line.
  ///
  /// - Throws: `BenchmarkFailure` for a line that means nothing, and when a benchmark gave a wrong answer.
  public mutating func answer(_ line: String) throws(BenchmarkFailure) -> String {
    let words = line.split(separator: " ")
    if words == ["names"] { return (["ready"] + benchmarks.map(\.name)).joined(separator: " ") }
    if words == ["memory"] { return String(assay_peak_resident_bytes()) }
    guard words.count == 3, let index = Int(words[1]), benchmarks.indices.contains(index),
      let amount = UInt64(words[2]), amount <= 1 << 40
    else { throw BenchmarkFailure("a line means nothing") }
    switch words[0] {
    case "time":
      var timer: SliceTimer
      if let known = timers[index] { timer = known } else { timer = try SliceTimer(benchmarks[index], warmUp: amount) }
      try timer.measureRound(budget: amount)
      timers[index] = timer
      return String(timer.rounds.last ?? 0)
    case "run":
      try benchmarks[index].run(benchmarks[index].rounded(Int(amount)))
      return "done"
    default:
      throw BenchmarkFailure("a line means nothing")
    }
  }
}
