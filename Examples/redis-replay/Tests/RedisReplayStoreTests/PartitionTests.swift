import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// Partitions: packets between network namespaces are lost without an error.
@Suite(
  .serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment),
  .enabled(if: NetworkNamespace.isAvailable, NetworkNamespace.comment))
struct PartitionTests {
  private func store(
    _ address: String, _ change: (inout RedisReplayStore.Configuration) -> Void = { _ in }
  ) throws -> RedisReplayStore {
    var configuration = try configuration(address)
    configuration.timeLimit = .milliseconds(300)
    configuration.replyTimeLimit = .milliseconds(600)
    configuration.acknowledgementTimeLimit = .milliseconds(100)
    change(&configuration)
    let store = try RedisReplayStore(configuration)
    try #require(store.waitUntilReady(for: .seconds(10)), "\(store.metrics.status)")
    return store
  }

  @Test func `between stores and their server: deadlines hold, and nothing is accepted twice`() throws {
    let namespace = try NetworkNamespace()
    let server = try RedisProcess(["--protected-mode", "no"], namespace: namespace)
    let stores = try (0..<2).map { _ in try store("redis://\(namespace.inner):\(server.port)") }
    let campaign = Campaign(stores)
    campaign.start()
    for time: UInt32 in [200_000, 1_500_000, 200_000] {
      let goal = stores[0].metrics.fresh + 200
      #expect(becomesTrue { stores[0].metrics.fresh >= goal })
      try namespace.setLink(up: false)
      usleep(time)
      try namespace.setLink(up: true)
    }
    let outcome = try campaign.finish("partition between stores and server", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
    #expect(stores.allSatisfy { $0.metrics.failures > 0 })
    #expect(outcome.longestWait < .milliseconds(600))
  }

  /// The replica is promoted, and each side has its stores: two primaries.
  private func splitBrain(
    _ title: String, waitingFor acknowledging: Int, _ arguments: [String] = []
  ) throws -> Campaign.Outcome {
    let namespace = try NetworkNamespace()
    let arguments = arguments + ["--protected-mode", "no"]
    let primary = try RedisProcess(arguments + ["--bind", namespace.outer])
    let replica = try RedisProcess(
      arguments + ["--replicaof", namespace.outer, String(primary.port)], namespace: namespace)
    #expect(try becomesTrue { try replica.cli("INFO", "replication").contains("master_link_status:up") })
    let near = try store(primary.address) { $0.acknowledgingReplicas = acknowledging }
    #expect(becomesTrue { near.insert(id(0), at: now, window: 300) != .unavailable })
    try namespace.setLink(up: false)
    try replica.cli("REPLICAOF", "NO", "ONE")
    try replica.cli("CONFIG", "SET", "min-replicas-to-write", "0")
    let far = try store(replica.address)
    let campaign = Campaign([near, far])
    campaign.start()
    usleep(3_000_000)
    return try campaign.finish(title, by: far)
  }

  @Test func `a primary on each side accepts twice without WAIT, and nothing twice with it`() throws {
    let without = try splitBrain("split brain, no WAIT (documented)", waitingFor: 0)
    #expect(without.acceptedTwice > 0)
    let with = try splitBrain("split brain, WAIT 1 of 1", waitingFor: 1)
    #expect(with.acceptedTwice == 0)
    #expect(with.fresh.count > 100)
  }

  @Test func `min-replicas-to-write bounds for how long two primaries accept`() throws {
    let outcome = try splitBrain(
      "split brain, min-replicas-to-write 1, max-lag 1 (documented)", waitingFor: 0,
      ["--min-replicas-to-write", "1", "--min-replicas-max-lag", "1"])
    #expect(outcome.acceptedTwice > 0)
  }
}
