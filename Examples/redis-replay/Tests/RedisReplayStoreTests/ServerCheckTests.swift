import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// A store asks only primaries that evict nothing and have forgotten nothing.
extension ProtocolTests {
  @Test func `a server that is no primary which forgets nothing is not asked`() throws {
    typealias Failure = RedisReplayStore.Failure
    let cases: [(String, String, Failure)] = [
      ("role:master", "role:slave", .notPrimary), ("noeviction", "allkeys-lru", .evictingPolicy),
      // A server without a log, nine seconds after its start, may have loaded an old state of its memory.
      ("aof_enabled:1", "aof_enabled:0", .mayHaveForgotten(seconds: 713)), ("loading:0", "loading:1", .loading),
      ("cluster_enabled:0", "cluster_enabled:1", .clusterMode), ("role:master", "role", .unknownServer),
    ]
    for (old, new, failure) in cases {
      let facts = FakeConnection.facts.replacingOccurrences(of: old, with: new)
      let server = try FakeServer { connection, _ in connection.admit(facts: facts) }
      let store = try store(server) { $0.allowances = [] }
      #expect(becomesTrue { store.metrics.status == .failed(failure) }, "\(new): \(store.metrics.status)")
      #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
      #expect(store.metrics.unavailable == [.notConnected: 1])
    }
  }

  @Test func `a memory that is younger than a lifetime is not asked, and how long is said`() throws {
    typealias Failure = RedisReplayStore.Failure
    // No store makes a key that lives longer than a century.
    let never = FakeConnection.century + 1
    let cases: [(memory: Int, log: Int, uptime: Int, Failure?)] = [
      (0, 0, 9, .mayHaveForgotten(seconds: 722)), (721, 1_000, 9, .mayHaveForgotten(seconds: 1)),
      (722, 722, 9, nil), (1_000, 721, 9, .mayHaveForgotten(seconds: 1)),
      (1_000, never, 9, .mayHaveForgotten(seconds: 722)),
      // A server that has run for a lifetime has not loaded an old state within it.
      (722, 0, 722, nil), (722, 0, 721, .mayHaveForgotten(seconds: 722)), (721, 0, 722, .mayHaveForgotten(seconds: 1)),
      (never, 1_000, 9, .mayHaveForgotten(seconds: 722)), (-9, 1_000, 9, .mayHaveForgotten(seconds: 722)),
    ]
    for (memory, log, uptime, failure) in cases {
      let facts = FakeConnection.facts.replacingOccurrences(of: "seconds:9", with: "seconds:\(uptime)")
      let server = try FakeServer { connection, _ in
        connection.admit(facts: facts, memoryAge: memory, logAge: log)
        _ = connection.command()
      }
      let store = try store(server) { $0.allowances = [] }
      let status = failure.map { RedisReplayStore.Status.failed($0) } ?? .ready
      #expect(becomesTrue { store.metrics.status == status }, "\(memory) \(log) \(uptime): \(store.metrics.status)")
    }
    #expect(Failure.mayHaveForgotten(seconds: 722).code == "mayHaveForgotten")
    #expect(Failure.mayHaveForgotten(seconds: 722).message.contains("wait 722 seconds"))
  }

  @Test func `the age of the memory does not begin by a clock that differs`() throws {
    let isMade = Locked(false)
    let server = try FakeServer { connection, _ in
      while let command = connection.command() {
        if command[0] == "SET" { isMade.withLock { $0 = true } }
        let isKey = command[0] == "TTL" || command[0] == "GET"
        connection.reply(isKey ? ":-2\r\n" : FakeConnection.reply(to: command, offset: -70) ?? "")
      }
    }
    let store = try store(server)
    #expect(becomesTrue { store.metrics.status == .failed(.clockDiffers) })
    #expect(!isMade.withLock { $0 })
  }

  @Test func `a server that changes while it is used is noticed`() throws {
    let facts = Locked(FakeConnection.facts)
    let server = try FakeServer { connection, _ in
      connection.admit(facts: facts.withLock { $0 })
      while let command = connection.command() {
        connection.reply(FakeConnection.reply(to: command, facts: facts.withLock { $0 }) ?? "")
      }
    }
    let store = try store(server) { $0.checkInterval = .milliseconds(20) }
    #expect(store.waitUntilReady(for: .seconds(5)))
    usleep(100_000)
    #expect(store.metrics.connections == 1)
    facts.withLock { $0 = $0.replacingOccurrences(of: "noeviction", with: "volatile-ttl") }
    #expect(becomesTrue { store.metrics.status == .failed(.evictingPolicy) })
  }

  @Test(
    arguments: [
      // The age of the key `log`, which the server could not delete; nil if there is no such key.
      ("aof_enabled:1", "aof_enabled:0", 1_000_000, 722), ("aof_enabled:1", "aof_enabled:0", nil, nil),
      // The uptime falls while the connection stays: the server has restarted behind a proxy.
      ("seconds:1000", "seconds:9", 5, 717), ("seconds:1000", "seconds:9", 722, nil),
    ] as [(String, String, Int?, UInt64?)])
  func `a key of a log that stays when the log goes, and a restart, are noticed while a server is used`(
    _ old: String, _ new: String, _ logAge: Int?, _ seconds: UInt64?
  ) throws {
    let before = FakeConnection.facts.replacingOccurrences(of: "seconds:9", with: "seconds:1000")
    let server = Locked((facts: before, logAge: Int?(1_000_000)))
    let fake = try FakeServer { connection, _ in
      while let command = connection.command() {
        let (facts, logAge) = server.withLock { $0 }
        switch command.prefix(2) {
        case ["SET", "assay:log"] where facts.contains("aof_enabled:0"): connection.reply("-OOM full\r\n")
        case ["TTL", "assay:log"]:
          connection.reply(":\(logAge.map { FakeConnection.century - $0 } ?? -2)\r\n")
        default: connection.reply(FakeConnection.reply(to: command, facts: facts) ?? "")
        }
      }
    }
    let store = try store(fake) {
      $0.allowances = []
      $0.checkInterval = .milliseconds(20)
    }
    #expect(store.waitUntilReady(for: .seconds(5)))
    server.withLock { $0 = (before.replacingOccurrences(of: old, with: new), logAge) }
    if let seconds {
      #expect(becomesTrue { store.metrics.failures > 0 })
      // At the next connection the refused deletion itself is the failure.
      #expect(
        [.failed(.mayHaveForgotten(seconds: seconds)), .failed(.serverError("OOM"))].contains(store.metrics.status))
    } else {
      usleep(100_000)
      #expect(store.metrics.status == .ready && store.metrics.connections == 1)
    }
  }
}
