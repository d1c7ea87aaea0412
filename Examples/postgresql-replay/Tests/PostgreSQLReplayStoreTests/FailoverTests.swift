import Foundation
import PaymentToken
import PostgreSQLReplayStore
import Testing

/// A standby takes the place of a primary.
@Suite(.serialized, .enabled(if: PostgreSQLProcess.isInstalled, PostgreSQLProcess.comment)) struct FailoverTests {
  /// A primary, and a standby that receives its log through a relay.
  private struct Group {
    let primary: PostgreSQLProcess
    let standby: PostgreSQLProcess
    let feed: Relay
    /// The connection string with both servers.
    let address: String

    init(synchronous: Bool) throws {
      primary = try PostgreSQLProcess()
      feed = try Relay(to: primary.port)
      standby = try PostgreSQLProcess(following: primary.address(port: feed.port))
      address =
        "dbname=postgres user=postgres sslmode=disable"
        + " host=127.0.0.1,127.0.0.1 port=\(primary.port),\(standby.port)"
      try #require(try becomesTrue { try primary.query("SELECT count(*) FROM pg_stat_replication") == "1" })
      if synchronous {
        try primary.query("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.query("SELECT pg_reload_conf()")
        let primary = primary
        try #require(
          try becomesTrue { try primary.query("SELECT sync_state FROM pg_stat_replication") == "sync" })
      }
    }

    func stores(_ change: (inout PostgreSQLReplayStore.Configuration) -> Void = { _ in }) throws
      -> [PostgreSQLReplayStore]
    {
      var configuration = configuration(address)
      change(&configuration)
      return try (0..<2).map { _ in try ready(configuration) }
    }
  }

  private func accepted(_ stores: [PostgreSQLReplayStore]) -> UInt64 { stores.map(\.metrics.fresh).reduce(0, +) }

  /// The standby lags, then the primary dies.
  private func failover(
    _ title: String, synchronous: Bool, _ commit: PostgreSQLReplayStore.SynchronousCommit = .on
  ) throws -> Campaign.Outcome {
    let group = try Group(synchronous: synchronous)
    defer { group.feed.end() }
    let stores = try group.stores {
      $0.synchronousCommit = commit
      $0.requiredSynchronousStandbys = synchronous ? 1 : 0
    }
    let campaign = Campaign(stores)
    campaign.start()
    #expect(becomesTrue { accepted(stores) > 500 })
    group.feed.freeze()
    usleep(400_000)
    group.primary.kill()
    group.feed.cut()
    try group.standby.promote()
    // The new primary has no standby, so only a store that demands none is ready.
    let last = try ready(configuration(group.address))
    usleep(200_000)
    return try campaign.finish(title, by: last)
  }

  @Test func `an asynchronous standby that lags is promoted: what it lacks is accepted twice`() throws {
    let outcome = try failover("lagging standby promoted, asynchronous (documented)", synchronous: false)
    #expect(outcome.acceptedTwice > 0)
  }

  @Test(arguments: [PostgreSQLReplayStore.SynchronousCommit.on, .remoteApply])
  func `a synchronous standby that lags is promoted: nothing twice`(
    commit: PostgreSQLReplayStore.SynchronousCommit
  ) throws {
    let outcome = try failover("lagging standby promoted, synchronous_commit \(commit)", synchronous: true, commit)
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.fresh.count > 500)
    #expect(outcome.unavailable > 0)
  }

  @Test func `of two standbys the one that lags is promoted: nothing twice only if a commit waits for both`() throws {
    for (names, waits) in [("FIRST 1 (a, b)", 1), ("FIRST 2 (a, b)", 2)] {
      let primary = try PostgreSQLProcess()
      let feed = try Relay(to: primary.port)
      defer { feed.end() }
      let other = try PostgreSQLProcess(following: primary.address() + " application_name=a")
      let promoted = try PostgreSQLProcess(following: primary.address(port: feed.port) + " application_name=b")
      try primary.query("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
      try primary.query("SELECT pg_reload_conf()")
      let states = waits == 1 ? "sync,potential" : "sync,sync"
      let query = "SELECT string_agg(sync_state, ',' ORDER BY application_name) FROM pg_stat_replication"
      try #require(try becomesTrue { try primary.query(query) == states })
      var configuration = configuration(
        "dbname=postgres user=postgres sslmode=disable"
          + " host=127.0.0.1,127.0.0.1 port=\(primary.port),\(promoted.port)")
      configuration.requiredSynchronousStandbys = waits
      let stores = try (0..<2).map { _ in try ready(configuration) }
      let campaign = Campaign(stores)
      campaign.start()
      #expect(becomesTrue { accepted(stores) > 500 })
      feed.freeze()
      usleep(400_000)
      primary.kill()
      feed.cut()
      try promoted.promote()
      configuration.requiredSynchronousStandbys = 0
      let last = try ready(configuration)
      usleep(200_000)
      let outcome = try campaign.finish(
        "lagging standby promoted, \(names)\(waits == 1 ? " (documented)" : "")", by: last)
      #expect((outcome.acceptedTwice == 0) == (waits == 2))
      other.kill()
    }
  }

  @Test func `stores find the new primary by themselves`() throws {
    let group = try Group(synchronous: true)
    defer { group.feed.end() }
    let stores = try group.stores()
    let campaign = Campaign(stores)
    campaign.start()
    #expect(becomesTrue { accepted(stores) > 300 })
    group.primary.kill()
    try group.standby.query("ALTER SYSTEM SET synchronous_standby_names = ''")
    try group.standby.query("SELECT pg_reload_conf()")
    try group.standby.promote()
    let before = accepted(stores)
    #expect(becomesTrue { accepted(stores) > before + 300 })
    let outcome = try campaign.finish("failover to a synchronous standby", by: stores[1])
    #expect(outcome.acceptedTwice == 0)
  }

  @Test func `a primary on each side: the old one accepts nothing without its synchronous standby`() throws {
    for synchronous in [true, false] {
      let group = try Group(synchronous: synchronous)
      defer { group.feed.end() }
      let near = try ready(configuration(group.primary.address))
      group.feed.freeze()
      try group.standby.promote()
      try group.standby.query("ALTER SYSTEM SET synchronous_standby_names = ''")
      try group.standby.query("SELECT pg_reload_conf()")
      let far = try ready(configuration(group.standby.address))
      let campaign = Campaign([near, far])
      campaign.start()
      usleep(3_000_000)
      let accepted = near.metrics.fresh
      let outcome = try campaign.finish(
        "split brain for 3 s, \(synchronous ? "synchronous" : "asynchronous (documented)")", by: far)
      #expect(synchronous == (outcome.acceptedTwice == 0))
      #expect(synchronous == (accepted == 0))
      #expect(far.metrics.fresh > 100)
    }
  }

  @Test func `a wait for the standby that is cancelled makes nothing fresh`() throws {
    let group = try Group(synchronous: true)
    defer { group.feed.end() }
    let store = try group.stores {
      $0.timeLimit = .seconds(20)
      $0.replyTimeLimit = .seconds(20)
    }[0]
    #expect(store.insert(id(0), at: now, window: 300) == .fresh)
    group.feed.freeze()
    let verdict = Locked<ReplayVerdict?>(nil)
    let deadline = ContinuousClock.now.advanced(by: .seconds(20))
    store.insert([ReplayQuestion(id(1), at: now, window: 300, deadline: deadline)]) { _, answer in
      verdict.withLock { $0 = answer }
    }
    #expect(
      try becomesTrue {
        _ = try group.primary.query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        return verdict.withLock { $0 } != nil
      })
    #expect(verdict.withLock { $0 } == .unavailable)
    #expect(store.metrics.unavailable == [.mayNotBeReplicated: 1])
    #expect(store.metrics.fresh == 1)
    // The server has committed it all the same.
    #expect(try group.primary.query("SELECT count(DISTINCT id) FROM assay_replay") == "2")
    print("fault: wait for the standby cancelled: transactions 1, accepted 0")
  }

  @Test func `a standby is not asked`() throws {
    let group = try Group(synchronous: false)
    defer { group.feed.end() }
    _ = try ready(configuration(group.primary.address))
    #expect(try becomesTrue { try group.standby.query("SELECT count(*) FROM assay_replay") == "0" })
    let store = try PostgreSQLReplayStore(configuration(group.standby.address))
    #expect(becomesTrue { store.metrics.lastFailure == .unreachable })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(store.metrics.connections == 0)
  }
}
