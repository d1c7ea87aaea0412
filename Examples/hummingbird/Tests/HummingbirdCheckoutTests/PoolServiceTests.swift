import FastDecryption
import Foundation
import Logging
import Metrics
import Minting
import PaymentToken
import ServiceLifecycle
import Synchronization
import Testing

@testable import HummingbirdCheckout

/// A pool as a service: what it exports, what it logs, how it ends.
@Suite(.timeLimit(.minutes(5))) struct PoolServiceTests {
  private let now = UnixTime(secondsSinceEpoch: 1_795_000_000)
  private let minter: Minter

  init() throws { minter = try Minter(seed: 20, at: now) }

  private func pool(_ configuration: DecryptionPool.Configuration = .init(workers: 1)) throws -> DecryptionPool {
    let engine = try FastDecryptor(keys: try minter.merchantKeySet(), anchors: minter.anchors)
    return try DecryptionPool(engine, configuration: configuration)
  }

  private func token(_ index: UInt64) throws -> [UInt8] { try minter.mint(TokenRecipe(index: index)).bytes }

  @Test func `what a pool counts is exported while it serves, and what it counts at the end too`() async throws {
    let (pool, exported, logger) = (try pool(), Exported(), Logger(label: "test"))
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: MemoryReplayStore(capacity: 16)))
    let (first, second) = (try token(1), try token(2))
    _ = try await pool.decrypt(first, at: now, under: policy)
    await #expect(throws: DecryptionPool.Refusal.self) { try await pool.decrypt(first, at: now, under: policy) }
    let end: @Sendable () async -> Void = {
      while exported["assay_pool_accepted_total"] != 1 { await Task.yield() }
      _ = try? await pool.decrypt(second, at: now, under: policy)
      while exported["assay_pool_accepted_total"] != 2 { await Task.yield() }
      _ = try? await pool.decrypt(second, at: now, under: policy)
    }
    try await TestLifetime.$end.withValue(end) {
      try await PoolService(pool: pool, logger: logger, factory: exported, interval: .milliseconds(1)).run()
    }
    #expect(exported["assay_pool_submitted_total"] == 4)
    #expect(exported["assay_pool_accepted_total"] == 2)
    #expect(exported["assay_pool_refused_total{code=replayedTransaction}"] == 2)
    #expect(exported["assay_pool_refused_total{code=untrustedChain}"] == 0)
    #expect(exported["assay_pool_in_flight"] == 0)
    for histogram in ["latency_seconds", "batch_size"] {
      let count = try #require(exported["assay_pool_\(histogram)_count"])
      #expect(exported["assay_pool_\(histogram)_bucket{le=+Inf}"] == count)
    }
    #expect(exported["assay_pool_latency_seconds_count"] == 4)
    let (sum, metrics) = (try #require(exported["assay_pool_latency_seconds_sum"]), pool.metrics)
    #expect(abs(sum - Double(metrics.latency.sum) / 1e9) < 1e-9)
    #expect(sum > 0)
    #expect(logger.entries.isEmpty)
    await #expect(throws: DecryptionPool.Refusal.shutDown) { try await pool.decrypt(first, at: now, under: policy) }
  }

  @Test func `the names are those of the server that is monitored`() throws {
    let exported = Exported()
    _ = PoolExport(by: exported)
    let names = Set(exported.names.map { $0.replacing(#/_(bucket|count|sum)$/#, with: "") })
    let path = "../../../server/Sources/TokenServer/Metrics/PoolMetrics+Prometheus.swift"
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let source = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    let served = Set(source.matches(of: #/"(assay_pool_\w+)"/#).map { String($0.1) })
    #expect(names == served)
    #expect(served.count > 15)
  }

  @Test func `requests refused for want of room are a warning, and those without an answer at the end an error`()
    async throws
  {
    let store = Gate()
    let pool = try pool(.init(workers: 1, queueCapacity: 1))
    let policy = VerificationPolicy(freshness: .window(seconds: 300, replay: store))
    _ = try await pool.decrypt(try token(1), at: now, under: policy)
    store.close()
    let answers = Mutex(0)
    func submit(_ index: UInt64) throws {
      _ = try pool.submit(
        try token(index), at: now, under: policy, opened: { _ throws(TokenFault) in answers.withLock { $0 += 1 } },
        refused: { _ in })
    }
    try submit(2)
    while !store.isAsked { await Task.yield() }
    try submit(3)
    #expect(throws: DecryptionPool.Refusal.overloaded) { try submit(4) }
    let logger = Logger(label: "test")
    await #expect(throws: PoolService.Unanswered(requests: 2)) {
      try await PoolService(pool: pool, logger: logger, grace: .milliseconds(10)).run()
    }
    #expect(
      logger.entries == [
        .init(.warning, "the pool is overloaded", ["overloaded": "1", "expired": "0", "queueDepth": "1"]),
        .init(.error, "the pool is not drained", ["requests": "2"]),
      ])
    store.open()
    await pool.shutDown()
    #expect(answers.withLock { $0 } == 2)
  }

  @Test func `a refusal is logged by who has to act, with its code alone`() {
    let expected: [(DecryptionPool.Refusal, Logger.Level, String)] = [
      (.token(TokenFault(.replayedTransaction)), .notice, "replayedTransaction"),
      (.token(TokenFault(.keyUnavailable)), .error, "keyUnavailable"),
      (.token(TokenFault(.replayStoreFull)), .error, "replayStoreFull"),
      (.token(TokenFault(.replayStoreUnavailable)), .error, "replayStoreUnavailable"),
      (.overloaded, .debug, "overloaded"), (.deadlineExceeded, .debug, "deadlineExceeded"),
      (.cancelled, .debug, "cancelled"), (.shutDown, .debug, "shutDown"),
    ]
    for (refusal, level, code) in expected {
      let logger = Logger(label: "test")
      logger.log(refusal)
      #expect(logger.entries == [.init(level, "token refused: \(refusal)", ["code": code])])
    }
  }
}

/// Keeps what is exported, by name and label.
private final class Exported: MetricsFactory {
  fileprivate final class Metric: CounterHandler, FloatingPointCounterHandler, RecorderHandler {
    private let value = Mutex(0.0)
    var present: Double { value.withLock { $0 } }
    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func record(_ value: Int64) { self.value.withLock { $0 = Double(value) } }
  }

  private let metrics = Mutex<[String: Metric]>([:])
  var names: [String] { metrics.withLock { $0.keys.map { String($0.prefix { $0 != "{" }) } } }
  subscript(name: String) -> Double? { metrics.withLock { $0[name]?.present } }

  private func make(_ label: String, _ dimensions: [(String, String)]) -> Metric {
    let labels = dimensions.map { "{\($0)=\($1)}" }.joined()
    let metric = Metric()
    metrics.withLock { #expect($0.updateValue(metric, forKey: label + labels) == nil) }
    return metric
  }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { make(label, dimensions) }
  func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { make(label, dimensions) }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    make(label, dimensions)
  }
}

/// A replay store that blocks its callers while it is closed.
private final class Gate: ReplayStore {
  private let isOpen = Atomic(true)
  private let asked = Atomic(false)

  var isAsked: Bool { asked.load(ordering: .acquiring) }
  func open() { isOpen.store(true, ordering: .releasing) }
  func close() {
    asked.store(false, ordering: .releasing)
    isOpen.store(false, ordering: .releasing)
  }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    asked.store(true, ordering: .releasing)
    while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
    return .fresh
  }
}
