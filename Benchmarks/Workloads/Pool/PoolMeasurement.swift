import Benchmarking
import CMachine
import HostIO
import Reports
import StrictJSON

/// The figures of `assay bench pool`.
package struct PoolMeasurement {
  /// Open-loop load of a share of the capacity.
  private typealias Load = (percent: Int, requestsPerSecond: Double, result: OpenLoopResult)

  private let workers: Int
  /// The times of lone requests, by the way in which they are submitted.
  private var lone: [(name: String, times: LogLinearHistogram)] = []
  /// The throughput with a fixed number of requests in flight.
  private var full: [(inFlight: Int, tokensPerSecond: Double)] = []
  private var loads: [Load] = []
  private var mix: PoolMix
  private var flood: PoolMix

  /// Tokens per second with 64 in flight.
  private var capacity: Double { full.first { $0.inFlight == Self.capacityInFlight }?.tokensPerSecond ?? 0 }

  private static let loneRequests = 2_000
  private static let fullTokens = 40_000
  private static let inFlights = [1, 8, 64, 256]
  private static let capacityInFlight = 64
  private static let loadWeight = 4
  /// The minimum seconds of a step: a shorter one says nothing.
  private static let shortestShare = 0.05
  private static let percents = [10, 25, 50, 75, 90, 100, 150, 200]

  /// Measures; calls `tell` with the completed fraction.
  ///
  /// - Parameter seconds: for everything. The time that preparation leaves is divided among the steps; a step of
  ///   open-loop load gets four times that of the others.
  /// - Throws: `BenchmarkFailure` when an answer was wrong, missing or given twice.
  package init(
    workers: Int, spinDuration: Duration, seconds: Double, seed: UInt64, tell: (Double) -> Void
  ) throws(BenchmarkFailure) {
    self.workers = workers
    let start = MonotonicClock.nanoseconds
    // Workers run on the last CPUs, and this thread on the one before them; with too few CPUs they share.
    assay_pin_thread(Int32(workers % Int(assay_allowed_cpu_count())))
    defer { assay_unpin_thread() }
    let steps = Double(3 + Self.inFlights.count + Self.loadWeight * (Self.percents.count + 2 * PoolMix.rounds))
    var done = 0.0
    func finishStep(_ weight: Int = 1) {
      done += Double(weight)
      tell(done / steps)
    }
    /// The seconds of a step: its share of what is left.
    func share(_ weight: Int = 1) -> Double {
      let left = seconds - MonotonicClock.seconds(from: start, to: MonotonicClock.nanoseconds)
      return max(Self.shortestShare, left * Double(weight) / (steps - done))
    }
    mix = PoolMix(PoolMix.mix, requestsPerSecond: 0)
    flood = PoolMix(PoolMix.flood, requestsPerSecond: 0)
    let checked = try CheckedTokens(TokenSet.minted(count: 64, version: .ecV1, seed: seed))
    let pool = try PoolUnderLoad(checked, workers: workers, spinDuration: spinDuration)
    for (name, byCallback, spinDuration) in [
      ("task, on its own thread", false, nil), ("callback, worker asleep", true, nil),
      ("callback, worker polling", true, Duration.milliseconds(1)),
    ] {
      // A pool whose worker polls exists only while it is measured: it would keep other threads from its CPU.
      let measured =
        if let spinDuration {
          try PoolUnderLoad(checked, spinDuration: spinDuration)
        } else {
          pool
        }
      let limit = UInt64(share() * 1e9)
      lone.append((name, try measured.lone(Self.loneRequests, byCallback: byCallback, within: limit)))
      finishStep()
    }
    for count in Self.inFlights {
      let nanoseconds = try pool.closedLoop(Self.fullTokens, inFlight: count, within: UInt64(share() * 1e9))
      full.append((count, 1e9 / nanoseconds))
      finishStep()
    }
    for percent in Self.percents {
      let rate = capacity * Double(percent) / 100
      let result = try pool.openLoop(
        requestsPerSecond: rate, seconds: share(Self.loadWeight), seed: seed &+ UInt64(percent))
      loads.append((percent, rate, result))
      finishStep(Self.loadWeight)
    }
    let tokens = try MixedTokens(seed: seed)
    let mixed = try PoolUnderLoad(tokens.checked, workers: workers, spinDuration: spinDuration)
    mix = PoolMix(PoolMix.mix, requestsPerSecond: capacity / 2)
    flood = PoolMix(PoolMix.flood, requestsPerSecond: capacity / 4)
    // A round waits for the slow path's whole queue, whatever time it is given.
    for round in 0..<PoolMix.rounds where round == 0 || share() > Self.shortestShare {
      try mix.measure(mixed, tokens, seconds: share(Self.loadWeight), seed: seed &+ UInt64(round))
      finishStep(Self.loadWeight)
      try flood.measure(mixed, tokens, seconds: share(Self.loadWeight), seed: seed &+ UInt64(round))
      finishStep(Self.loadWeight)
    }
  }
}

extension PoolMeasurement {
  /// The results as text: loads, then the environment.
  package func text(environment: [JSON.Member]) -> String {
    var lines = Text.table(
      header: [
        "load", "requests/s", "accepted/s", "refused", "p50 µs", "p99 µs", "p99.9 µs", "p99 by 0.1 s", "held up",
        "batch",
        "queue", "memory kB",
      ], rows: loads.map(cells),
      dropping: [
        "memory kB", "queue", "batch", "held up", "p99 by 0.1 s", "p99.9 µs", "requests/s", "refused",
      ])
    lines += [""]
    lines += Text.table(
      header: ["lone requests", "p50 µs", "p99 µs"],
      rows: lone.map { [$0.name, microseconds($0.times, 50), microseconds($0.times, 99)] })
    lines += [""]
    lines += Text.table(
      header: ["in flight", "tokens/s"], rows: full.map { ["\($0.inFlight)", $0.tokensPerSecond.fixed(0)] })
    lines += [""] + mix.text + [""] + flood.text + [""]
    lines += Text.pairs(
      environment.map { (name: $0.name, value: BenchmarkText.plain($0.value)) } + [
        (name: "workers", value: "\(workers)")
      ])
    return lines.joined(separator: "\n") + "\n"
  }

  private func cells(_ load: Load) -> [String] {
    let result = load.result
    return [
      "\(load.percent)%", load.requestsPerSecond.fixed(0), result.acceptedPerSecond.fixed(0),
      "\(result.all.overloaded)",
    ] + [50, 99, 99.9].map { microseconds(result.all.latency, $0) } + [
      OrderStatistics.carries(99, result.all.answered) ? BenchmarkText.microseconds(result.all.medianP99) : "-",
      "\((Double(result.heldUp) / 1e6).fixed(0)) ms",
      result.meanBatch.fixed(1), "\(result.deepestQueue)",
      "\(result.memoryGrowth / 1_024)",
    ]
  }

  private func microseconds(_ times: LogLinearHistogram, _ percent: Double) -> String {
    OrderStatistics.carries(percent, times.total) ? BenchmarkText.microseconds(times.percentile(percent)) : "-"
  }

  /// The document `assay.bench-pool/2`, with times in nanoseconds.
  package func json(environment: [JSON.Member]) -> JSON {
    [
      "schema": "assay.bench-pool/2", "environment": JSON.object(environment), "workers": workers,
      "lone": lone.map { JSON(["name": $0.name]).with(Self.percentiles($0.times)) },
      "full": full.map {
        JSON(["in_flight": $0.inFlight, "tokens_per_second": JSON.decimal($0.tokensPerSecond, digits: 1)])
      }, "loads": loads.map(Self.json), "mix": mix.json, "flood": flood.json,
    ]
  }

  private static func json(_ load: Load) -> JSON {
    let result = load.result
    let document: JSON = [
      "percent": load.percent, "requests_per_second": JSON.decimal(load.requestsPerSecond, digits: 1),
      "accepted_per_second": JSON.decimal(result.acceptedPerSecond, digits: 1), "submitted": result.submitted,
      "accepted": result.all.answered, "overloaded": result.all.overloaded,
      "mean_batch": JSON.decimal(result.meanBatch, digits: 2), "deepest_queue": result.deepestQueue,
      "held_up": result.heldUp, "median_p99": JSON.decimal(result.all.medianP99, digits: 0),
      "memory_growth": result.memoryGrowth,
    ]
    return document.with(percentiles(result.all.latency))
  }

  private static func percentiles(_ times: LogLinearHistogram) -> JSON {
    [
      "p50": JSON.decimal(times.percentile(50), digits: 0), "p99": JSON.decimal(times.percentile(99), digits: 0),
      "p999": JSON.decimal(times.percentile(99.9), digits: 0), "largest": JSON.decimal(times.maximum, digits: 0),
    ]
  }
}
