import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// A replica that lags behind is promoted.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct FailoverTests {
  /// A primary, its replicas, and a relay that the stores connect to, like an address that moves at a failover.
  private struct Group {
    let primary: RedisProcess
    let replicas: [RedisProcess]
    /// The relay from each replica to the primary.
    let feeds: [Relay]
    let front: Relay

    init(replicas count: Int, _ arguments: [String] = []) throws {
      let primary = try RedisProcess(arguments)
      let feeds = try (0..<count).map { _ in try Relay(to: primary.port) }
      self.primary = primary
      replicas = try feeds.map { try RedisProcess(arguments + ["--replicaof", "127.0.0.1", String($0.port)]) }
      self.feeds = feeds
      front = try Relay(to: primary.port)
      for replica in replicas {
        try #require(becomesTrue { try replica.cli("INFO", "replication").contains("master_link_status:up") })
      }
      // The primary may send nothing yet, for up to a second after a replica says that its link is up.
      try primary.cli("SET", "started", "1")
      for replica in replicas { try #require(becomesTrue { try replica.cli("GET", "started") == "1" }) }
    }

    /// The primary dies, and a replica takes its place with what it has received.
    func promote(_ index: Int) throws {
      primary.kill()
      for feed in feeds { feed.cut() }
      try replicas[index].cli("REPLICAOF", "NO", "ONE")
      front.cut(to: replicas[index].port)
    }

    func end() {
      for relay in feeds + [front] { relay.end() }
    }
  }

  private func outcome(
    _ title: String, waitingFor acknowledging: Int, replicas: Int, frozen: [Int], promoted: Int,
    _ arguments: [String] = []
  ) throws -> Campaign.Outcome {
    let group = try Group(replicas: replicas, arguments)
    defer { group.end() }
    var configuration = try configuration(group.front.address)
    configuration.timeLimit = .milliseconds(300)
    configuration.acknowledgementTimeLimit = .milliseconds(100)
    configuration.acknowledgingReplicas = acknowledging
    let stores = try (0..<2).map { _ in try RedisReplayStore(configuration) }
    for store in stores { try #require(store.waitUntilReady(for: .seconds(10))) }
    let campaign = Campaign(stores)
    campaign.start()
    #expect(becomesTrue { stores.map(\.metrics.fresh).reduce(0, +) > 500 })
    for index in frozen { group.feeds[index].freeze() }
    usleep(400_000)
    try group.promote(promoted)
    // The promoted server has no replicas, so the last store must not wait for any.
    configuration.acknowledgingReplicas = 0
    let last = try RedisReplayStore(configuration)
    usleep(200_000)
    return try campaign.finish(title, by: last)
  }

  @Test func `without WAIT, what the replica had not received is accepted twice`() throws {
    let outcome = try outcome(
      "lagging replica promoted, no WAIT (documented)", waitingFor: 0, replicas: 1, frozen: [0], promoted: 0)
    #expect(outcome.acceptedTwice > 0)
  }

  @Test func `with WAIT for all replicas, nothing twice`() throws {
    for (replicas, frozen, promoted) in [(1, [0], 0), (2, [1], 1), (2, [0, 1], 0), (1, [], 0)] {
      let outcome = try outcome(
        "replica \(promoted) of \(replicas) promoted, lagging \(frozen), WAIT \(replicas)", waitingFor: replicas,
        replicas: replicas, frozen: frozen, promoted: promoted)
      #expect(outcome.acceptedTwice == 0)
      #expect(outcome.fresh.count > 500)
    }
  }

  @Test func `with WAIT for some replicas, one of the others may be promoted`() throws {
    let outcome = try outcome(
      "lagging replica promoted, WAIT 1 of 2 (documented)", waitingFor: 1, replicas: 2, frozen: [1], promoted: 1)
    #expect(outcome.acceptedTwice > 0)
    let other = try self.outcome(
      "the replica that acknowledged promoted, WAIT 1 of 2", waitingFor: 1, replicas: 2, frozen: [1], promoted: 0)
    #expect(other.acceptedTwice == 0)
  }

  @Test func `with min-replicas-to-write, a primary without replicas stops after their largest lag`() throws {
    let group = try Group(replicas: 1, ["--min-replicas-to-write", "1", "--min-replicas-max-lag", "1"])
    defer { group.end() }
    let store = try RedisReplayStore(configuration(group.front.address))
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(becomesTrue { store.insert(id(1), at: now, window: 300) != .unavailable })
    group.feeds[0].freeze()
    var number = 2
    let start = ContinuousClock.now
    #expect(
      becomesTrue {
        number += 1
        return store.insert(id(number), at: now, window: 300) == .unavailable
      })
    let seconds = start.duration(to: .now)
    print("min-replicas-to-write: \(number - 2) transactions were fresh in \(seconds) without a replica")
    #expect(seconds < .seconds(5))
    #expect(store.metrics.unavailable == [.serverError: 1])
  }
}
