import Foundation
import PaymentToken
import PostgreSQLReplayStore
import Testing

/// A store and a server.
@Suite(.serialized, .enabled(if: PostgreSQLProcess.isInstalled, PostgreSQLProcess.comment)) struct StoreTests {
  private let server: PostgreSQLProcess

  init() throws { server = try PostgreSQLProcess() }

  private func configured(_ table: String) -> PostgreSQLReplayStore.Configuration {
    var configuration = configuration(server.address)
    configuration.table = "public.\(table)"
    return configuration
  }

  private func query(_ text: String) throws -> String { try server.query(text) }

  private var today: Int64 { now.secondsSinceEpoch / 86_400 }

  private func days(of table: String) throws -> [Int64] {
    try query("SELECT substring(relname FROM '[0-9]+$') FROM pg_class WHERE relname ~ '^\(table)_[0-9]+$' ORDER BY 1")
      .split(whereSeparator: \.isNewline).compactMap { Int64($0) }
  }

  @Test func `the server of these tests, which trusts everyone, answers on the loopback's address alone`() throws {
    for (host, answer) in [("127.0.0.1", "1"), ("127.0.0.2", "")] {
      let arguments = ["-X", "-A", "-t", "-d", server.address(host: host), "-c", "SELECT 1"]
      #expect(try run("psql", arguments, mayFail: true) == answer)
    }
  }

  @Test func `a transaction is fresh once, to all stores together`() throws {
    let stores = try (0..<2).map { _ in try ready(configured("once")) }
    #expect(stores[0].insert(id(1), at: now, window: 300) == .fresh)
    #expect(stores[0].insert(id(1), at: now, window: 300) == .replayed)
    #expect(stores[1].insert(id(1), at: now, window: 0) == .replayed)
    #expect(ask(stores[1], [2, 1, 2, 3]) == [.fresh, .replayed, .replayed, .fresh])
    #expect(stores[0].asynchronous === stores[0])
    #expect(stores[1].metrics.fresh == 2)
    #expect(stores[1].metrics.replayed == 3)
  }

  @Test func `near midnight a token of either day is fresh once, by whatever clock`() throws {
    var configuration = configured("midnight")
    configuration.longestWindow = 600
    let store = try ready(configuration)
    let midnight = today * 86_400
    // Seconds after midnight: the signing time, then when the store is asked. The window is ten minutes.
    let times: [[Int64]] = [
      [-1, -600, 0, 599], [0, -600, 599, 600], [-600, -1_200, 0, -1], [599, -1, 1_199, 0], [300, 600, 300, -300],
    ]
    for (number, times) in times.enumerated() {
      for order in [times.dropFirst(), ArraySlice(times.dropFirst().reversed())] {
        let id = id(2 * number + (order.first == times[1] ? 0 : 1))
        let verdicts = order.map {
          store.insert(id, at: UnixTime(secondsSinceEpoch: midnight + $0), window: 600)
        }
        #expect(verdicts == [.fresh, .replayed, .replayed], "\(order)")
      }
    }
    // A transaction near midnight has a row for each of two days; another one has a single row.
    #expect(try query("SELECT count(*) FROM midnight WHERE day = \(today)") == "10")
    #expect(store.insert(id(100), at: UnixTime(secondsSinceEpoch: midnight + 43_200), window: 600) == .fresh)
    #expect(try query("SELECT count(*) FROM midnight WHERE day = \(today)") == "11")
    #expect(try query("SELECT count(*) FROM midnight WHERE day = \(today - 1)") == "10")
  }

  @Test func `a longer window than it was made for is full, also among others`() throws {
    let store = try ready(configured("windows"))
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    let verdicts = Locked<[Int: ReplayVerdict]>([:])
    store.insert([301, 300].map { ReplayQuestion(id(Int($0)), at: now, window: $0, deadline: deadline) }) {
      index, verdict in verdicts.withLock { $0[index] = verdict }
    }
    #expect(becomesTrue { verdicts.withLock { $0.count } == 2 })
    #expect(verdicts.withLock { $0 } == [0: .full, 1: .fresh])
    #expect(store.metrics.full == 1)
  }

  @Test func `a day without a partition is unavailable and refuses no other`() throws {
    let store = try ready(configured("gaps"))
    let failures = store.metrics.failures
    let far = UnixTime(secondsSinceEpoch: now.secondsSinceEpoch + 10 * 86_400)
    #expect(store.insert(id(1), at: far, window: 0) == .unavailable)
    #expect(store.metrics.unavailable == [.refused(sqlState: "23514"): 1])
    let deadline = ContinuousClock.now.advanced(by: .seconds(30))
    let verdicts = Locked<[Int: ReplayVerdict]>([:])
    store.insert([far, now].map { ReplayQuestion(id(2), at: $0, window: 0, deadline: deadline) }) { index, verdict in
      verdicts.withLock { $0[index] = verdict }
    }
    #expect(becomesTrue { verdicts.withLock { $0.count } == 2 })
    #expect(verdicts.withLock { $0 } == [0: .unavailable, 1: .fresh])
    for time in [Int64.min, -1, Int64.max] {
      #expect(store.insert(id(3), at: UnixTime(secondsSinceEpoch: time), window: 300) == .unavailable)
    }
    #expect(store.metrics.unavailable[.timeOutOfRange] == 3)
    #expect(store.metrics.failures == failures)
  }

  @Test func `partitions are made ahead and dropped, and what was dropped stays away`() throws {
    let store = try ready(configured("parts"))
    #expect(try days(of: "parts") == Array(today - 1...today + 7))
    _ = try query("CREATE TABLE parts_\(today - 3) PARTITION OF parts FOR VALUES IN (\(today - 3))")
    let old = UnixTime(secondsSinceEpoch: now.secondsSinceEpoch - 3 * 86_400)
    #expect(store.insert(id(1), at: old, window: 0) == .fresh)
    try store.maintain(at: now, daysAhead: 9)
    #expect(try days(of: "parts") == Array(today - 1...today + 9))
    #expect(store.insert(id(1), at: old, window: 0) == .unavailable)
    // A clock that is set back adds no earlier day.
    try store.maintain(at: UnixTime(secondsSinceEpoch: now.secondsSinceEpoch - 80_000))
    #expect(try days(of: "parts") == Array(today - 1...today + 9))
    for seconds: Int64 in [-90_000, 90_000] {
      #expect(throws: PostgreSQLReplayStore.Failure.refused(sqlState: "22008")) {
        try store.maintain(at: UnixTime(secondsSinceEpoch: now.secondsSinceEpoch + seconds))
      }
    }
  }

  @Test func `a user that may only ask asks, and maintains nothing`() throws {
    var configuration = configured("rights")
    _ = try ready(configuration)
    _ = try query("CREATE ROLE asking LOGIN; GRANT SELECT, INSERT ON rights TO asking")
    configuration.connection = server.address.replacing("user=postgres", with: "user=asking")
    let store = try PostgreSQLReplayStore(configuration)
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    #expect(throws: PostgreSQLReplayStore.Failure.refused(sqlState: "42501")) { try store.maintain(at: now) }
    _ = try query("REVOKE INSERT ON rights FROM asking")
    #expect(store.insert(id(2), at: now, window: 300) == .unavailable)
    #expect(store.metrics.unavailable == [.refused(sqlState: "42501"): 1])
  }

  @Test func `settings of the user that would lose transactions are overruled`() throws {
    var configuration = configured("settings")
    _ = try query(
      """
      CREATE ROLE careless SUPERUSER LOGIN; ALTER ROLE careless SET synchronous_commit = off;
      ALTER ROLE careless SET client_min_messages = error;
      ALTER ROLE careless SET default_transaction_isolation = serializable
      """)
    configuration.connection = server.address.replacing("user=postgres", with: "user=careless")
    configuration.synchronousCommit = .remoteApply
    let store = try ready(configuration)
    _ = try query(
      """
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        CREATE TABLE noted AS SELECT current_setting('synchronous_commit') AS a, current_setting('client_min_messages')
          AS b, current_setting('transaction_isolation') AS c, current_setting('statement_timeout') AS d;
        RETURN new; END $$;
      CREATE TRIGGER note BEFORE INSERT ON settings FOR EACH ROW EXECUTE FUNCTION note()
      """)
    let noon = UnixTime(secondsSinceEpoch: today * 86_400 + 43_200)
    #expect(store.insert(id(1), at: noon, window: 300) == .fresh)
    #expect(try query("SELECT * FROM noted") == "remote_apply|warning|read committed|300ms")
  }

  @Test func `over TCP a server without TLS is asked only if the connection string says so`() throws {
    var configuration = configured("plain")
    configuration.connection = server.address().replacing(" sslmode=disable", with: "")
    let store = try PostgreSQLReplayStore(configuration)
    #expect(becomesTrue { store.metrics.lastFailure == .unreachable })
    #expect(store.metrics.connections == 0)
    configuration.connection = server.address()
    #expect(try ready(configuration).insert(id(1), at: now, window: 300) == .fresh)
  }

  @Test func `a table without its key, as a restore has it at first, accepts nothing`() throws {
    let store = try ready(configured("keyless"))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    _ = try query("ALTER TABLE keyless DROP CONSTRAINT keyless_pkey")
    #expect(ask(store, [1, 2]) == [.unavailable, .unavailable])
    #expect(store.metrics.unavailable == [.refused(sqlState: "42P10"): 2])
    #expect(try query("SELECT count(*) FROM keyless") == "1")
  }

  @Test func `what is committed under other settings than at the start is not fresh`() throws {
    let store = try ready(configured("reloaded"))
    #expect(store.insert(id(0), at: now, window: 300) == .fresh)
    _ = try query("ALTER SYSTEM SET fsync = off")
    _ = try query("SELECT pg_reload_conf()")
    var number = 0
    #expect(
      becomesTrue {
        number += 1
        return store.insert(id(number), at: now, window: 300) == .unavailable
      })
    #expect(store.metrics.unavailable == [.mayNotLast: 1])
    _ = try query("ALTER SYSTEM RESET fsync")
    _ = try query("SELECT pg_reload_conf()")
    #expect(
      becomesTrue {
        number += 1
        return store.insert(id(number), at: now, window: 300) == .fresh
      })
  }

  @Test func `a default partition, which would bring a dropped day back, is refused`() throws {
    let store = try ready(configured("catchall"))
    _ = try query("CREATE TABLE catchall_rest PARTITION OF catchall DEFAULT")
    #expect(throws: PostgreSQLReplayStore.Failure.refused(sqlState: "22023")) { try store.maintain(at: now) }
  }

  @Test func `a table that is missing, then made, is asked`() throws {
    let store = try PostgreSQLReplayStore(configured("late"))
    #expect(becomesTrue { store.metrics.lastFailure == .refused(sqlState: "42P01") })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(store.metrics.unavailable == [.notConnected: 1])
    try store.maintain(at: now)
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
  }
}

struct ConfigurationTests {
  @Test func `configurations that cannot be used, and passwords, are refused`() throws {
    typealias Change = @Sendable (inout PostgreSQLReplayStore.Configuration) -> Void
    let changes: [Change] = [
      { $0.connection = "host" }, { $0.connection = "postgres://shop:secret@localhost/" },
      { $0.connection = "host=a password=secret" }, { $0.connection = "sslpassword=secret" }, { $0.table = "" },
      { $0.table = "a.b c" }, { $0.table = "a.b.c" }, { $0.table = "a.1b" }, { $0.table = "a.b;c" },
      { $0.table = ".a" },
      // Without a schema, the name means another table once there is a schema with the user's name.
      { $0.table = "assay_replay" },
      { $0.longestWindow = 86_401 }, { $0.connections = 0 }, { $0.capacity = 0 }, { $0.largestBatch = 0 },
      { $0.timeLimit = .zero }, { $0.replyTimeLimit = .milliseconds(299) }, { $0.initialBackoff = .zero },
      { $0.requiredSynchronousStandbys = -1 },
    ]
    for (index, change) in changes.enumerated() {
      var configuration = configuration("host=/nowhere")
      _ = try PostgreSQLReplayStore(configuration)
      change(&configuration)
      let error = #expect(throws: PostgreSQLReplayStore.ConfigurationError.self, "\(index)") {
        _ = try PostgreSQLReplayStore(configuration)
      }
      #expect(error?.message.contains("secret") == false)
    }
  }

  /// Stores with several hosts fail over, so their configuration must say what a failover may lose.
  @Test(arguments: [
    "host=a,b", "hostaddr=127.0.0.1,127.0.0.2", "postgres://a:5432,b/shop", "host=/nowhere,/elsewhere",
    // The hosts come from a service file or from PGHOST, and may be several.
    "service=shop", "dbname=shop",
  ])
  func `several hosts need a number of synchronous standbys`(connection: String) throws {
    var configuration = PostgreSQLReplayStore.Configuration(connection: connection)
    #expect(throws: PostgreSQLReplayStore.ConfigurationError.self) { _ = try PostgreSQLReplayStore(configuration) }
    for count in [0, 1] {
      configuration.requiredSynchronousStandbys = count
      _ = try PostgreSQLReplayStore(configuration)
    }
  }
}
