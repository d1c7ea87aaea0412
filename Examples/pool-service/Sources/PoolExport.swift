import FastDecryption
import Metrics
import PaymentToken

/// What a pool counts, as metrics of swift-metrics. Names, labels and units are those of Examples/server, so that its
/// alerts and its dashboard fit.
///
/// Works on snapshots of the pool's counts.
struct PoolExport: Sendable {
  private struct Count: Sendable {
    let counter: Counter
    let value: @Sendable (PoolMetrics) -> UInt64
    var recorded: UInt64 = 0
  }

  private struct Time: Sendable {
    let counter: FloatingPointCounter
    let nanoseconds: @Sendable (PoolMetrics) -> UInt64
    var recorded: UInt64 = 0
  }

  private let factory: any MetricsFactory
  private let gauges: [(gauge: Gauge, value: @Sendable (PoolMetrics) -> Int)]
  private var counts: [Count] = []
  private var times: [Time] = []
  private var refused: (overloaded: UInt64, expired: UInt64) = (0, 0)

  init(by factory: any MetricsFactory) {
    self.factory = factory
    func gauge(
      _ name: String, _ value: @escaping @Sendable (PoolMetrics) -> Int
    ) -> (gauge: Gauge, value: @Sendable (PoolMetrics) -> Int) {
      (Gauge(label: "assay_pool_\(name)", factory: factory), value)
    }
    gauges = [
      gauge("queue_depth") { $0.queueDepth }, gauge("queue_bytes") { $0.queueBytes },
      gauge("slow_path_depth") { $0.slowPathDepth }, gauge("awaiting_store") { $0.awaitingStore },
      gauge("in_flight") { $0.inFlight },
    ]
    count("submitted_total") { $0.submitted }
    count("accepted_total") { $0.accepted }
    for code in TokenFault.Code.allCases {
      count("refused_total", label: ("code", code.rawValue)) { $0.refusedByCode[code, default: 0] }
    }
    count("overloaded_total") { $0.overloaded }
    count("cancelled_total") { $0.cancelled }
    count("expired_total") { $0.expired }
    count("refused_at_shutdown_total") { $0.refusedAtShutDown }
    count("ran_on_caller_thread_total") { $0.ranOnCallerThread }
    count("slow_path_total") { $0.sentToSlowPath }
    count("postponed_unwrapping_total") { $0.postponedUnwrapping }
    time("busy_seconds_total") { $0.busyNanoseconds }
    addHistograms()
  }

  /// Exports the buckets of histograms as counters, because swift-metrics records single values and not counts of them.
  private mutating func addHistograms() {
    let bounds = LatencyHistogram.upperBounds
    for end in stride(from: 3, to: bounds.count, by: 4) {
      // The last bucket has no bound.
      let bound = end + 4 < bounds.count ? String(Double(bounds[end]) / 1e9) : "+Inf"
      count("latency_seconds_bucket", label: ("le", bound)) { $0.latency.counts[...end].reduce(0, +) }
    }
    count("latency_seconds_count") { $0.latency.total }
    time("latency_seconds_sum") { $0.latency.sum }
    for bound in [1, 2, 4, 8, 16, 32, 64] {
      count("batch_size_bucket", label: ("le", String(bound))) { $0.batchesBySize.prefix(bound + 1).reduce(0, +) }
    }
    count("batch_size_bucket", label: ("le", "+Inf")) { $0.batchesBySize.reduce(0, +) }
    count("batch_size_count") { $0.batchesBySize.reduce(0, +) }
    count("batch_size_sum") { $0.batchesBySize.enumerated().reduce(0) { $0 + UInt64($1.offset) * $1.element } }
  }

  private mutating func count(
    _ name: String, label: (String, String)? = nil, _ value: @escaping @Sendable (PoolMetrics) -> UInt64
  ) {
    let labels = label.map { [$0] } ?? []
    counts.append(
      Count(counter: Counter(label: "assay_pool_\(name)", dimensions: labels, factory: factory), value: value))
  }

  private mutating func time(_ name: String, _ nanoseconds: @escaping @Sendable (PoolMetrics) -> UInt64) {
    times.append(
      Time(counter: FloatingPointCounter(label: "assay_pool_\(name)", factory: factory), nanoseconds: nanoseconds))
  }

  /// Exports a snapshot. It must have been taken after those that were exported before.
  ///
  /// - Returns: how many requests were refused since the previous snapshot, by a full queue and by a missed deadline.
  mutating func record(_ metrics: PoolMetrics) -> (overloaded: UInt64, expired: UInt64) {
    for (gauge, value) in gauges { gauge.record(value(metrics)) }
    for index in counts.indices {
      let value = counts[index].value(metrics)
      counts[index].counter.increment(by: value - counts[index].recorded)
      counts[index].recorded = value
    }
    for index in times.indices {
      let nanoseconds = times[index].nanoseconds(metrics)
      times[index].counter.increment(by: Double(nanoseconds &- times[index].recorded) / 1e9)
      times[index].recorded = nanoseconds
    }
    let before = refused
    refused = (metrics.overloaded, metrics.expired)
    return (refused.overloaded - before.overloaded, refused.expired - before.expired)
  }
}
