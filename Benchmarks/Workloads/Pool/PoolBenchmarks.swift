import Benchmarking
import CMachine
import PaymentToken

/// Requests one at a time through a pool of one worker: alone, and as many as fill a batch.
enum PoolBenchmarks {
  /// A task asks an idle pool.
  private static let lone = "pool/lone"
  /// As many requests are with the pool as a batch takes, from a thread on another CPU.
  private static let full = "pool/inflight64"
  private static let inFlight = 64

  static let names = ThreadTeam.availableCPUs > 1 ? [lone, full] : [lone]

  static let ratios: [RatioDefinition] = [
    .time("lone request of a pool over single", lone, over: [DecryptBenchmarks.name("fast")]),
    .throughput("pool with 64 in flight over batch64", full, over: [BatchBenchmarks.name(inFlight)]),
  ]

  /// Nil for a name that is none of these.
  ///
  /// - Parameters:
  ///   - set: tokens of EC_v1 that both engines were checked on.
  ///   - lengths: of their plaintexts.
  static func make(_ name: String, of set: TokenSet, lengths: [Int]) throws(BenchmarkFailure) -> Benchmark? {
    switch name {
    case lone:
      let pool = try PoolUnderLoad(set, lengths: lengths)
      return .timed(name, slice: 1_000_000) { count throws(BenchmarkFailure) in
        var times = LogLinearHistogram()
        try pool.lone(count, byCallback: false, times: &times)
        return times.percentile(50)
      }
    case full:
      let pool = try PoolUnderLoad(set, lengths: lengths)
      return .timed(name, slice: 40_000_000) { count throws(BenchmarkFailure) in
        // Long slices: what it takes to fill the pool and to empty it is not to count. The worker has the last CPU,
        // where benchmarks run; requests come from the one before it.
        assay_pin_thread(1)
        defer { assay_pin_thread(0) }
        return try pool.closedLoop(count, inFlight: inFlight)
      }
    default: return nil
    }
  }
}
