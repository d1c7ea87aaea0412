import CMachine

/// The commands of a benchmark worker process: `names`, `time INDEX NANOSECONDS`, `run INDEX COUNT`, `memory`.
public struct WorkerSession {
  private let benchmarks: [Benchmark]
  private var timers: [SliceTimer?]

  /// Creates a session for these benchmarks, which commands address by index.
  public init(_ benchmarks: [Benchmark]) {
    self.benchmarks = benchmarks
    timers = [SliceTimer?](repeating: nil, count: benchmarks.count)
  }

  /// Executes a command and returns the answer.
  ///
  /// - Throws: `BenchmarkFailure` for an unknown command, and if a benchmark gives a wrong answer.
  public mutating func answer(_ line: String) throws(BenchmarkFailure) -> String {
    let words = line.split(separator: " ")
    if words == ["names"] { return (["ready"] + benchmarks.map(\.name)).joined(separator: " ") }
    if words == ["memory"] { return String(assay_peak_resident_bytes()) }
    guard words.count == 3, let index = Int(words[1]), benchmarks.indices.contains(index),
      let amount = UInt64(words[2]), amount <= 1 << 40
    else { throw BenchmarkFailure("unknown command") }
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
      throw BenchmarkFailure("unknown command")
    }
  }
}
