import Benchmarking
import CMachine
import PaymentToken

/// Requests one at a time through a pool of one worker: alone, and as many as fill a batch.
enum PoolBenchmarks {
  /// A task asks an idle pool.
  private static let lone = "pool/lone"
  /// As many requests are with the pool as a batch takes, from a thread on another CPU.
  private static let full = "pool/inflight64"
  /// The same, and a replay store is asked that answers at once.
  private static let replay = "pool/replay"
  private static let inFlight = 64
  /// More than are decrypted while a store on another machine answers.
  private static let deep = "pool/inflight1000"
  /// The same with a store that answers after a millisecond.
  private static let store = "pool/store1ms"
  private static let deepInFlight = 1_000

  static let entries =
    [
      Entry(lone) { name, context throws(BenchmarkFailure) in
        let pool = try PoolUnderLoad(context.tokens(of: .ecV1))
        return .timed(name, slice: 1_000_000, cpus: 2) { count throws(BenchmarkFailure) in
          var times = LogLinearHistogram()
          try pool.lone(count, byCallback: false, times: &times)
          return times.percentile(50)
        }
      }
    ]
    + (ThreadTeam.availableCPUs > 1
      ? [
        entry(full, inFlight), entry(replay, inFlight, store: ForgetfulStore()), entry(deep, deepInFlight),
        entry(store, deepInFlight, store: DistantStore()),
      ] : [])
  /// Those that ask a replay store.
  static let replayNames = [replay, store]

  static let ratios: [RatioDefinition] = [
    .time("lone request of a pool over single", lone, over: [DecryptBenchmarks.name("fast")]),
    .throughput("pool with 64 in flight over batch64", full, over: [BatchBenchmarks.name(inFlight)]),
    .throughput("pool with a store of 1 ms over none", store, over: [deep]),
  ]

  private static func entry(_ name: String, _ inFlight: Int, store: (any ReplayStore)? = nil) -> Entry {
    Entry(name) { name, context throws(BenchmarkFailure) in
      let pool = try PoolUnderLoad(context.tokens(of: .ecV1), store: store)
      // Fewer requests than fill a few batches would be allocated for as for batches of one.
      return .timed(name, slice: 40_000_000, multiple: min(inFlight, 256), cpus: 2) { count throws(BenchmarkFailure) in
        // Long slices: what it takes to fill the pool and to empty it is not to count. The worker has the last CPU,
        // where benchmarks run; requests come from the one before it.
        assay_pin_thread(1)
        defer { assay_pin_thread(0) }
        return try pool.closedLoop(count, inFlight: inFlight)
      }
    }
  }
}
