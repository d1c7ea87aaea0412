import Benchmarking
import CMachine
import PaymentToken

/// Requests one at a time through a pool of one worker: alone, and as many as fill a batch.
enum PoolBenchmarks {
  /// A task asks an idle pool.
  private static let lone = "pool/lone"
  /// As many requests are with the pool as a batch takes, from a thread on another CPU.
  static let full = "pool/inflight64"
  /// The same, and a replay store is asked that answers at once.
  private static let replay = "pool/replay"
  private static let inFlight = 64
  /// More than are decrypted while a store on another machine answers.
  private static let deep = "pool/inflight1000"
  /// The same with a store that answers after a millisecond.
  private static let store = "pool/store1ms"
  private static let deepInFlight = 1_000

  static let names = ThreadTeam.availableCPUs > 1 ? [lone, full, replay, deep, store] : [lone]
  /// Those that ask a replay store.
  static let replayNames = [replay, store]

  static let ratios: [RatioDefinition] = [
    .time("lone request of a pool over single", lone, over: [DecryptBenchmarks.name("fast")]),
    .throughput("pool with 64 in flight over batch64", full, over: [BatchBenchmarks.name(inFlight)]),
    .throughput("pool with a store of 1 ms over none", store, over: [deep]),
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
    case full: return try full(name, set, lengths)
    case replay: return try full(name, set, lengths, store: ForgetfulStore())
    case deep: return timed(name, try PoolUnderLoad(set, lengths: lengths), inFlight: deepInFlight)
    case store:
      let pool = try PoolUnderLoad(set, lengths: lengths, store: DistantStore())
      return timed(name, pool, inFlight: deepInFlight)
    default: return nil
    }
  }

  private static func full(
    _ name: String, _ set: TokenSet, _ lengths: [Int], store: (any ReplayStore)? = nil
  ) throws(BenchmarkFailure) -> Benchmark {
    timed(name, try PoolUnderLoad(set, lengths: lengths, store: store), inFlight: inFlight) {
      tracing throws(BenchmarkFailure) in
      // How full the batches are depends on the moment. What every token costs is there each time.
      var least: SharedWrites?
      for _ in 0..<3 where least?.count != 0 {
        guard let writes = try PoolUnderLoad(set, lengths: lengths, workers: 2, store: store).sharedWrites(by: tracing)
        else { return nil }
        if writes.count < least?.count ?? .infinity { least = writes }
      }
      return least
    }
  }

  private static func timed(
    _ name: String, _ pool: PoolUnderLoad, inFlight: Int, countSharedWrites: SharedWrites.Count? = nil
  ) -> Benchmark {
    .timed(name, slice: 40_000_000, countSharedWrites: countSharedWrites) { count throws(BenchmarkFailure) in
      // Long slices: what it takes to fill the pool and to empty it is not to count. The worker has the last CPU,
      // where benchmarks run; requests come from the one before it.
      assay_pin_thread(1)
      defer { assay_pin_thread(0) }
      return try pool.closedLoop(count, inFlight: inFlight)
    }
  }
}
