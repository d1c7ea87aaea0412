import FastDecryption
import Logging
import Metrics
import ServiceLifecycle

/// A pool as a service of swift-service-lifecycle. Exports the pool's metrics, logs that it refuses requests because of
/// a full queue or a missed deadline, and shuts the pool down with the program.
///
/// Services stop in the reverse order of their start. Start this one before the server: when it is asked to stop, the
/// server has answered the requests in flight.
struct PoolService: Service {
  let pool: DecryptionPool
  let logger: Logger
  var factory: any MetricsFactory = MetricsSystem.factory
  /// The time between exports.
  var interval: Duration = .seconds(10)
  /// For how long a shutdown waits for answers.
  var grace: Duration = .seconds(20)

  /// Requests have no answer at the end of the grace period, for example because a replay store is silent.
  struct Unanswered: Error, Equatable {
    let requests: Int
  }

  func run() async throws {
    let isDrained = await withTaskGroup(of: PoolExport.self) { group in
      group.addTask { await report() }
      // Throws if the task is cancelled. The pool is shut down in this case too.
      try? await gracefulShutdown()
      let isDrained = await pool.shutDown(within: grace)
      group.cancelAll()
      // What was counted since the last report.
      for await var export in group { report(by: &export) }
      return isDrained
    }
    // The pool may have been drained a moment after the grace period.
    let requests = pool.metrics.inFlight
    if isDrained || requests == 0 { return }
    logger.error("the pool is not drained", metadata: ["requests": "\(requests)"])
    throw Unanswered(requests: requests)
  }

  private func report() async -> PoolExport {
    var export = PoolExport(by: factory)
    while !Task.isCancelled {
      report(by: &export)
      try? await Task.sleep(for: interval)
    }
    return export
  }

  /// Refused requests are logged here, once for all of an interval: a log line for each would add to the load.
  private func report(by export: inout PoolExport) {
    let metrics = pool.metrics
    let refused = export.record(metrics)
    if refused.overloaded == 0, refused.expired == 0 { return }
    logger.warning(
      "the pool is overloaded",
      metadata: [
        "overloaded": "\(refused.overloaded)", "expired": "\(refused.expired)", "queueDepth": "\(metrics.queueDepth)",
      ])
  }
}

extension DecryptionPool {
  /// Shuts down. False if requests still have no answer after `time`. A cancelled task waits just as long.
  func shutDown(within time: Duration) async -> Bool {
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Task {
      await shutDown()
      end.yield(true)
    }
    let timer = Task {
      try? await Task.sleep(for: time)
      end.yield(false)
    }
    defer { timer.cancel() }
    // A new task is not cancelled with the task that awaits it.
    return await Task { await ends.first { _ in true } ?? false }.value
  }
}
