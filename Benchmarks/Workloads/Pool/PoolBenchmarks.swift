import Benchmarking
import CMachine
import PaymentToken

/// Requests that are submitted one by one to a pool with one worker: a single request at a time, or with a fixed number
/// of requests in flight.
enum PoolBenchmarks {
  /// A task sends one request at a time to an idle pool, which may decrypt it on the task's thread.
  private static let lone = "pool/lone"
  /// As many requests are in flight as a batch takes. A thread on another CPU submits them.
  private static let full = "pool/inflight64"
  /// As `full`, with a replay store that answers at once.
  private static let replay = "pool/replay"
  private static let inFlight = 64
  /// More requests are in flight than the worker decrypts while a store on another machine answers.
  private static let deep = "pool/inflight1000"
  /// As `deep`, with a store that answers after a millisecond.
  private static let store = "pool/store1ms"
  private static let deepInFlight = 1_000

  static let entries =
    [
      Entry(name: lone) { name, context throws(BenchmarkFailure) in
        let pool = try PoolUnderLoad(context.tokens(of: .ecV1))
        return .timed(name, slice: 1_000_000, cpus: 2) { count throws(BenchmarkFailure) in
          try pool.lone(count)
        }
      }
    ]
    + (ThreadTeam.availableCPUs > 1
      ? [
        entry(full, inFlight), entry(replay, inFlight, store: ForgetfulStore()), entry(deep, deepInFlight),
        entry(store, deepInFlight, store: DistantStore()),
      ] : [])
  /// The names of the benchmarks that ask a replay store.
  static let replayNames = [replay, store]

  static let ratios: [RatioDefinition] = [
    .time("lone request of a pool over single", lone, over: [DecryptBenchmarks.name("fast")]),
    .throughput("pool with 64 in flight over batch64", full, over: [BatchBenchmarks.name(inFlight)]),
    .throughput("pool with a store of 1 ms over none", store, over: [deep]),
  ]

  private static func entry(_ name: String, _ inFlight: Int, store: (any ReplayStore)? = nil) -> Entry {
    Entry(name: name) { name, context throws(BenchmarkFailure) in
      let pool = try PoolUnderLoad(context.tokens(of: .ecV1), store: store)
      // Allocations are counted over a multiple of `multiple` requests. With only a few, the worker would decrypt
      // batches of one request, and each request would count all allocations of its batch.
      return .timed(name, slice: 40_000_000, multiple: min(inFlight, 256), cpus: 2) { count throws(BenchmarkFailure) in
        // The slices are long, so that filling and emptying the pool hardly matter. Benchmarks run on the last CPU,
        // and so does the worker. This thread moves to the CPU before it, to submit requests.
        assay_pin_thread(1)
        defer { assay_pin_thread(0) }
        return try pool.closedLoop(count, inFlight: inFlight)
      }
    }
  }
}
