import Foundation
import PaymentToken
import PostgreSQLReplayStore
import Testing

/// Faults of a server while it is asked. No transaction is accepted twice, except in the cases that README.md names.
@Suite(.serialized, .enabled(if: PostgreSQLProcess.isInstalled, PostgreSQLProcess.comment)) struct FaultTests {
  private func stores(
    _ address: String, _ change: (inout PostgreSQLReplayStore.Configuration) -> Void = { _ in }
  ) throws -> [PostgreSQLReplayStore] {
    var configuration = configuration(address)
    change(&configuration)
    let stores = try (0..<2).map { _ in try ready(configuration) }
    #expect(becomesTrue { stores.allSatisfy { $0.metrics.ready == configuration.connections } })
    return stores
  }

  /// Waits until the stores have accepted more transactions.
  private func progress(of stores: [PostgreSQLReplayStore], by count: UInt64 = 300) {
    func accepted() -> UInt64 { stores.map(\.metrics.fresh).reduce(0, +) }
    let goal = accepted() + count
    #expect(becomesTrue(within: 30) { accepted() >= goal }, "\(stores.map(\.metrics))")
  }

  @Test func `killed and started again: nothing twice`() throws {
    let server = try PostgreSQLProcess()
    let stores = try stores(server.address)
    let campaign = Campaign(stores)
    campaign.start()
    for _ in 0..<(isDeep ? 20 : 3) {
      progress(of: stores)
      server.kill()
      usleep(20_000)
      try server.start()
    }
    progress(of: stores)
    let outcome = try campaign.finish("server killed", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
  }

  @Test func `one process of the server is killed: it restarts, nothing twice`() throws {
    let server = try PostgreSQLProcess()
    let stores = try stores(server.address)
    let campaign = Campaign(stores)
    campaign.start()
    for _ in 0..<(isDeep ? 20 : 3) {
      progress(of: stores)
      let process = try server.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'assay' LIMIT 1")
      Foundation.kill(try #require(Int32(process)), SIGKILL)
    }
    progress(of: stores)
    let outcome = try campaign.finish("a process of the server killed", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
  }

  @Test func `paused: deadlines hold, and late answers make nothing fresh`() throws {
    let server = try PostgreSQLProcess()
    let stores = try stores(server.address)
    let campaign = Campaign(stores)
    campaign.start()
    // A pause shorter than `replyTimeLimit` makes replies late; after a longer one, the store reconnects.
    for pause: UInt32 in [450_000, 3_000_000, 450_000] {
      progress(of: stores)
      server.send(SIGSTOP)
      usleep(pause)
      server.send(SIGCONT)
    }
    progress(of: stores)
    let outcome = try campaign.finish("server paused", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
    #expect(stores.allSatisfy { $0.metrics.unavailable[.replyTimedOut, default: 0] > 0 })
    #expect(outcome.longestWait < .seconds(2))
  }

  @Test func `held up and cut by the network: nothing twice`() throws {
    let server = try PostgreSQLProcess()
    let relay = try Relay(to: server.port)
    defer { relay.end() }
    let stores = try stores(server.address(port: relay.port))
    let campaign = Campaign(stores)
    campaign.start()
    for round in 0..<(isDeep ? 40 : 8) {
      progress(of: stores)
      relay.freeze()
      usleep(round % 2 == 0 ? 50_000 : 800_000)
      round % 4 < 2 ? relay.cut() : relay.thaw()
    }
    progress(of: stores)
    let outcome = try campaign.finish("connections held up and cut", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(stores.allSatisfy { $0.metrics.failures > 0 })
  }

  @Test(.enabled(if: NetworkNamespace.isAvailable, NetworkNamespace.comment))
  func `partition between stores and their server: deadlines hold, and nothing is accepted twice`() throws {
    let namespace = try NetworkNamespace()
    let server = try PostgreSQLProcess(namespace: namespace)
    let stores = try stores(server.address(host: namespace.inner))
    let campaign = Campaign(stores)
    campaign.start()
    for time: UInt32 in [200_000, 3_000_000, 200_000] {
      progress(of: stores)
      try namespace.setLink(up: false)
      usleep(time)
      try namespace.setLink(up: true)
    }
    progress(of: stores)
    let outcome = try campaign.finish("partition between stores and server", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
    #expect(stores.allSatisfy { $0.metrics.failures > 0 })
    #expect(outcome.longestWait < .seconds(2))
  }

  @Test(arguments: [false, true])
  func `an answer that is cut off at any byte makes nothing fresh, though the server has committed it`(
    isEncrypted: Bool
  ) throws {
    let files = isEncrypted ? try TLSFiles() : nil
    let server = try PostgreSQLProcess(files?.settings ?? [])
    let relay = try Relay(to: server.port)
    defer { relay.end() }
    let plain = server.address(host: "localhost", port: relay.port)
    let encrypted = files.map { plain.replacing("sslmode=disable", with: "sslrootcert=\($0.path("root.pem"))") }
    var configuration = configuration(encrypted ?? plain)
    configuration.connections = 1
    let store = try ready(configuration)
    let other = try ready(PostgreSQLReplayStoreTests.configuration(server.address))
    var (bytes, committed) = (0, 0)
    while true {
      #expect(becomesTrue { store.metrics.ready == 1 })
      #expect(becomesTrue { store.insert(id(10_000 + bytes), at: now, window: 0) == .fresh })
      relay.limitReplies(to: bytes)
      let verdict = store.insert(id(bytes), at: now, window: 0)
      relay.limitReplies(to: .max)
      if verdict == .fresh { break }
      #expect(verdict == .unavailable)
      // The server commits a transaction whose answer is lost, but perhaps a moment later.
      let after = becomesTrue(within: 1) { other.insert(id(bytes), at: now, window: 0) == .replayed }
      committed += after ? 1 : 0
      bytes += 1
    }
    print(
      "fault: \(isEncrypted ? "encrypted " : "")answer cut off at each of \(bytes) bytes: accepted 0, committed by the server \(committed)"
    )
    // At least a row of 47 bytes, CommandComplete of 15 and ReadyForQuery of 6.
    #expect(bytes >= 68)
    #expect(committed == bytes)
  }

  @Test func `a connection that is made again is not ready, and questions wait for it`() throws {
    let server = try PostgreSQLProcess()
    let relay = try Relay(to: server.port)
    defer { relay.end() }
    var configuration = configuration(server.address(port: relay.port))
    configuration.connections = 1
    let store = try ready(configuration)
    let verdicts = Locked<[ReplayVerdict]>([])
    func ask(_ number: Int) {
      let question = ReplayQuestion(id(number), at: now, window: 0, deadline: .now.advanced(by: .seconds(30)))
      store.insert([question]) { _, verdict in verdicts.withLock { $0.append(verdict) } }
    }
    for (round, isRestored) in [true, false, true].enumerated() {
      #expect(becomesTrue { store.metrics.ready == 1 })
      let before = store.metrics
      relay.cut()
      relay.freeze()
      ask(2 * round)
      #expect(becomesTrue(within: 4) { store.metrics.ready == 0 })
      ask(2 * round + 1)
      #expect(store.metrics.waiting == 1)
      #expect(verdicts.withLock { $0 } == [])
      // Otherwise the attempt ends after libpq's `connect_timeout`.
      if isRestored { relay.thaw() }
      #expect(becomesTrue { verdicts.withLock { $0.count } == 2 })
      relay.thaw()
      let verdict = isRestored ? ReplayVerdict.fresh : .unavailable
      #expect(
        verdicts.withLock { verdicts in
          defer { verdicts = [] }
          return verdicts
        } == [verdict, verdict])
      #expect(becomesTrue { store.metrics.ready == 1 })
      #expect(store.metrics.connections == before.connections + 1)
      #expect((store.metrics.failures == before.failures) == isRestored)
    }
  }

  @Test func `locked out: the server gives up waiting, and all connections stay`() throws {
    let server = try PostgreSQLProcess()
    let stores = try stores(server.address) { $0.replyTimeLimit = .seconds(10) }
    let campaign = Campaign(stores)
    campaign.start()
    progress(of: stores)
    let before = stores.map(\.metrics.connections)
    try server.query("BEGIN; LOCK TABLE assay_replay IN SHARE MODE; SELECT pg_sleep(3); COMMIT")
    progress(of: stores)
    let outcome = try campaign.finish("table locked", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(stores.map(\.metrics.connections) == before)
    #expect(stores.allSatisfy { $0.metrics.unavailable[.refused(sqlState: "57014"), default: 0] > 0 })
    #expect(outcome.longestWait < .seconds(2))
  }

  @Test func `with all connections busy, questions are unavailable after the time limit, or at once if too many wait`()
    throws
  {
    let server = try PostgreSQLProcess()
    var configuration = configuration(server.address)
    (configuration.connections, configuration.capacity) = (1, 10)
    configuration.replyTimeLimit = .seconds(10)
    let store = try ready(configuration)
    #expect(store.insert(id(0), at: now, window: 300) == .fresh)
    server.send(SIGSTOP)
    // The only connection is busy with this one.
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    let start = ContinuousClock.now
    #expect(store.insert(id(2), at: now, window: 300) == .unavailable)
    let wait = start.duration(to: .now)
    #expect(wait >= .milliseconds(300))
    #expect(store.metrics.waiting == 1)
    let verdicts = Locked<[ReplayVerdict]>([])
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    let questions = (3..<20).map { ReplayQuestion(id($0), at: now, window: 300, deadline: deadline) }
    store.insert(questions) { _, verdict in verdicts.withLock { $0.append(verdict) } }
    #expect(verdicts.withLock { $0 } == Array(repeating: .unavailable, count: 8), "at once")
    #expect(store.metrics.unavailable[.overloaded] == 8)
    server.send(SIGCONT)
    #expect(becomesTrue { verdicts.withLock { $0.count } == 17 })
    #expect(verdicts.withLock { $0.count { $0 == .fresh } } == 9)
    // Question 2 expired before it was sent. Question 1 was sent, and its answer came late.
    #expect(store.metrics.unavailable[.expired] == 1)
    let again = ask(store, 0..<6) + ask(store, 6..<12)
    print("fault: pool full: unavailable 10 of 20, at once 8; asked again: \(again.count { $0 == .fresh }) fresh")
    // Only question 2, which was never sent, is fresh.
    #expect(again.indices.filter { again[$0] == .fresh } == [2])
    #expect(again.count { $0 == .replayed } == 11)
  }

  @Test func `a server that may lose what it committed is not asked`() throws {
    let server = try PostgreSQLProcess(["fsync = off"])
    let store = try PostgreSQLReplayStore(configuration(server.address))
    #expect(becomesTrue { store.metrics.lastFailure == .fsyncOff })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(throws: PostgreSQLReplayStore.Failure.fsyncOff) { try store.maintain(at: now) }
  }

  @Test func `a server whose commits wait for fewer standbys than required is not asked`() throws {
    let server = try PostgreSQLProcess()
    let settings: [(String, Int)] = [
      ("", 0), ("*", 1), ("a", 1), ("a, b, c", 1), ("FIRST 1 (a, b)", 1), ("first 2 (a, b, c)", 2), ("ANY 1 (a, b)", 1),
      ("Any 2 (*)", 2), ("2 (a, b)", 2), ("FIRST 10(a)", 10), ("FIRST\t2 (a, b)", 2), ("\"2 (\", b", 1),
    ]
    for (names, waits) in settings {
      try server.query("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
      try server.query("SELECT pg_reload_conf()")
      try #require(try becomesTrue { try server.query("SHOW synchronous_standby_names") == names })
      for required in 0...3 {
        var configuration = configuration(server.address)
        configuration.requiredSynchronousStandbys = required
        let store = try PostgreSQLReplayStore(configuration)
        // With enough standbys the failure is the missing table.
        let failure: PostgreSQLReplayStore.Failure =
          required > waits ? .tooFewSynchronousStandbys : .refused(sqlState: "42P01")
        #expect(
          becomesTrue { store.metrics.lastFailure != nil } && store.metrics.lastFailure == failure,
          "\(names): \(required)")
        #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
      }
    }
  }
}
