import CMicrohttpd
import FastDecryption
import PaymentToken
import RedisReplayStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PrometheusText {
  mutating func add(_ pool: PoolMetrics) {
    add("assay_pool_queue_depth", .gauge, "Requests that wait.", pool.queueDepth)
    add("assay_pool_queue_bytes", .gauge, "Bytes of the requests that wait.", pool.queueBytes)
    add(
      "assay_pool_slow_path_depth", .gauge,
      "Requests that wait with certificates not seen before, or for a key to be unwrapped.", pool.slowPathDepth)
    add(
      "assay_pool_awaiting_store", .gauge, "Requests that wait for the answer of an asynchronous replay store.",
      pool.awaitingStore)
    add("assay_pool_in_flight", .gauge, "Requests taken and not yet answered.", pool.inFlight)
    add("assay_pool_submitted_total", .counter, "Requests taken.", pool.submitted)
    add("assay_pool_accepted_total", .counter, "Tokens opened.", pool.accepted)
    add(
      "assay_pool_refused_total", .counter, "Tokens refused, by the code of the fault.", label: "code",
      TokenFault.Code.allCases.map { ($0.rawValue, String(pool.refusedByCode[$0, default: 0])) })
    add("assay_pool_overloaded_total", .counter, "Requests not taken because the queue was full.", pool.overloaded)
    add("assay_pool_cancelled_total", .counter, "Requests withdrawn before they were decided.", pool.cancelled)
    add("assay_pool_expired_total", .counter, "Requests that waited beyond their deadline.", pool.expired)
    add(
      "assay_pool_refused_at_shutdown_total", .counter, "Requests not taken because the pool had ended.",
      pool.refusedAtShutDown)
    add(
      "assay_pool_ran_on_caller_thread_total", .counter, "Requests decided on the thread of their caller.",
      pool.ranOnCallerThread)
    add("assay_pool_slow_path_total", .counter, "Requests with certificates not seen before.", pool.sentToSlowPath)
    add(
      "assay_pool_postponed_unwrapping_total", .counter, "Requests of RSA_v1 that those of EC_v1 did not wait for.",
      pool.postponedUnwrapping)
    add(
      "assay_pool_busy_seconds_total", .counter, "Time that workers spent decrypting, all together.",
      [("", Self.seconds(pool.busyNanoseconds))])
    addBatches(pool.batchesBySize)
    addLatency(pool.latency)
  }

  /// Joins the pool's buckets in groups of four: bounds that double are enough for alerts, and make fewer series.
  private mutating func addLatency(_ latency: LatencyHistogram) {
    let ends = Array(stride(from: 3, to: latency.counts.count, by: 4))
    let counts = ends.map { end in latency.counts[(end - 3)...end].reduce(0, +) }
    // The last bound is left out, because the pool's last bucket also counts all longer durations.
    let bounds = ends.dropLast().map { Self.seconds(LatencyHistogram.upperBounds[$0]) }
    add(
      "assay_pool_latency_seconds", "Time from a request's being taken to its answer.", bounds: bounds,
      counts: counts, sum: Self.seconds(latency.sum))
  }

  private mutating func addBatches(_ batches: [UInt64]) {
    let bounds = [1, 2, 4, 8, 16, 32, 64]
    var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    var sum: UInt64 = 0
    for (size, count) in batches.enumerated() where count > 0 {
      counts[bounds.firstIndex { size <= $0 } ?? bounds.count] += count
      sum += UInt64(size) * count
    }
    add(
      "assay_pool_batch_size", "Requests decrypted together.", bounds: bounds.map { String($0) }, counts: counts,
      sum: String(sum))
  }
}

extension PrometheusText {
  /// The server's own counts.
  mutating func add(_ counters: ServerCounters) {
    add(
      "assay_http_connections", .gauge, "Connections that are open.", counters.connections.load(ordering: .relaxed))
    add(
      "assay_http_requests_under_way", .gauge, "Requests whose head was read and that are not answered.",
      counters.underWay.load(ordering: .relaxed))
    add(
      "assay_http_answers_total", .counter, "Answers, by their status.", label: "status",
      Answer.Status.allCases.map { (String($0.rawValue), String(counters.answers($0))) })
    add(
      "assay_http_undelivered_total", .counter, "Answers whose client was gone before it had them.",
      counters.undelivered.load(ordering: .relaxed))
    add(
      "assay_http_abandoned_total", .counter, "Requests withdrawn because their client was gone.",
      counters.abandoned.load(ordering: .relaxed))
    add(
      "assay_http_slow_clients_total", .counter, "Connections ended because their client took too long.",
      counters.slow.load(ordering: .relaxed))
    add(
      "assay_keys_loads_total", .counter, "Times that keys were read, by how it went.", label: "result",
      [
        ("ok", String(counters.keyLoads.load(ordering: .relaxed))),
        ("failed", String(counters.failedKeyLoads.load(ordering: .relaxed))),
      ])
  }
}

extension PrometheusText {
  /// What is running: the commit in the environment variable `ASSAY_COMMIT`, the kernel, and libmicrohttpd's version.
  mutating func addBuildInfo(kernel: P256Kernel) {
    let commit = getenv("ASSAY_COMMIT").map { String(cString: $0) } ?? ""
    addInfo(
      "assay_build_info", "1, with what is running as labels.",
      [
        (
          "commit",
          commit.utf8.count <= 64 && commit.allSatisfy { $0.isHexDigit || "-dirty".contains($0) } ? commit : ""
        ),
        ("kernel", kernel.rawValue), ("libmicrohttpd", String(cString: MHD_get_version())),
      ])
  }

  mutating func add(_ log: AccessLog) {
    add(
      "assay_access_log_dropped_total", .counter, "Lines of the access log that could not be written.",
      log.dropped.load(ordering: .relaxed))
  }
}

extension PrometheusText {
  /// The metrics of a replay store on a server.
  mutating func add(_ store: RedisReplayStore.Metrics) {
    add(
      "assay_replay_store_ready", .gauge, "1 while the replay store is connected and asked, else 0.",
      store.status == .ready ? 1 : 0)
    add(
      "assay_replay_store_outstanding", .gauge, "Transactions whose answer the replay store owes.", store.outstanding)
    add(
      "assay_replay_store_answers_total", .counter, "Answers about transactions, by verdict.", label: "verdict",
      [
        ("fresh", String(store.fresh)), ("replayed", String(store.replayed)), ("full", String(store.full)),
        ("unavailable", String(store.unavailable.values.reduce(0, +))),
      ])
    add(
      "assay_replay_store_unavailable_total", .counter, "Transactions without an answer, by cause.", label: "cause",
      RedisReplayStore.Cause.allCases.map { ($0.rawValue, String(store.unavailable[$0, default: 0])) })
    add(
      "assay_replay_store_connections_total", .counter, "Connections to the replay store that became ready.",
      store.connections)
    add(
      "assay_replay_store_failures_total", .counter, "Connections to the replay store that failed.", store.failures)
  }
}
