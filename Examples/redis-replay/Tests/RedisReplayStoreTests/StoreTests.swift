import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// A store and a server.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct StoreTests {
  private func ready(_ configuration: RedisReplayStore.Configuration) throws -> RedisReplayStore {
    let store = try RedisReplayStore(configuration)
    try #require(store.waitUntilReady(for: .seconds(10)), "\(store.metrics.status)")
    return store
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test func `a transaction is fresh once, to all stores together`() throws {
    let server = try RedisProcess()
    let stores = try (0..<2).map { _ in try ready(configuration(server.address)) }
    #expect(stores[0].insert(id(1), at: now, window: 300) == .fresh)
    #expect(stores[0].insert(id(1), at: now, window: 300) == .replayed)
    #expect(stores[1].insert(id(1), at: now, window: 0) == .replayed)
    #expect(ask(stores[1], [2, 1, 2, 3]) == [.fresh, .replayed, .replayed, .fresh])
    #expect(stores[0].asynchronous === stores[0])
  }

  @Test func `a key has the prefix and 32 bytes, and lives for twice window and tolerance, and a second`() throws {
    let server = try RedisProcess()
    var configuration = try configuration(server.address)
    configuration.prefix = "shop:"
    configuration.longestWindow = 100
    configuration.clockTolerance = 7
    let store = try ready(configuration)
    #expect(store.insert(Bytes32(Array(repeating: 0x61, count: 32))!, at: now, window: 100) == .fresh)
    let key = "shop:" + String(repeating: "a", count: 32)
    #expect(try server.cli("GET", key) == "1")
    #expect((214_000...215_000).contains(try #require(Int(try server.cli("PTTL", key)))))
    #expect(try server.cli("GET", "shop:memory") == "window=100 tolerance=7")
    #expect(try server.cli("DBSIZE") == "2")
  }

  @Test func `a longer window than it was made for is full, also among others`() throws {
    let server = try RedisProcess()
    let store = try ready(configuration(server.address))
    #expect(store.insert(id(1), at: now, window: 301) == .full)
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    #expect(store.metrics.full == 1)
  }

  @Test func `a server that is used with other settings is refused`() throws {
    let server = try RedisProcess()
    let first = try ready(configuration(server.address))
    var other = try configuration(server.address)
    other.longestWindow = 301
    let store = try RedisReplayStore(other)
    #expect(becomesTrue { store.metrics.status == .failed(.otherSettings) })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(first.insert(id(1), at: now, window: 300) == .fresh)
  }

  @Test func `databases and prefixes are apart`() throws {
    let server = try RedisProcess()
    let stores = try ["\(server.tcpAddress)", "\(server.tcpAddress)/1"].map { try ready(configuration($0)) }
    for store in stores { #expect(store.insert(id(1), at: now, window: 300) == .fresh) }
    var other = try configuration(server.address)
    other.prefix = "other:"
    #expect(try ready(other).insert(id(1), at: now, window: 300) == .fresh)
  }

  @Test func `a password is read from a file, for each connection`() throws {
    let folder = try TemporaryFolder()
    let server = try RedisProcess(
      ["--user", "default", "off", "--user"] + Self.rules("first"), in: folder, isReady: false)
    var configuration = try configuration("redis://replay@127.0.0.1:\(server.port)")
    configuration.passwordFile = folder.path("password")
    try Data("second\n".utf8).write(to: folder.url.appending(path: "password"))
    let store = try RedisReplayStore(configuration)
    #expect(becomesTrue { store.metrics.status == .failed(.passwordRefused) })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    try Data("first\n".utf8).write(to: folder.url.appending(path: "password"))
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)

    configuration.passwordFile = folder.path("missing")
    let without = try RedisReplayStore(configuration)
    #expect(becomesTrue { without.metrics.status == .failed(.passwordUnreadable) })
    configuration.passwordFile = nil
    // It would be served as the default user.
    #expect(throws: RedisReplayStore.ConfigurationError.self) { try RedisReplayStore(configuration) }
    configuration.user = nil
    let unnamed = try RedisReplayStore(configuration)
    #expect(becomesTrue { unnamed.metrics.status == .failed(.passwordRefused) })
  }

  /// The access rules of README.md.
  private static func rules(_ password: String) -> [String] {
    words("replay on >\(password) ~assay:* -@all +auth +select +info +time +wait +set +get +ttl")
  }

  @Test func `a user without a permission is told so`() throws {
    let server = try RedisProcess(Self.words("--user default on nopass ~* -@all +info +get +set +ping"))
    let store = try RedisReplayStore(configuration(server.address))
    // The user may not call TIME.
    #expect(becomesTrue { store.metrics.status == .failed(.notPermitted) })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
  }

  @Test func `a server that may evict is not asked, unless that is allowed`() throws {
    let server = try RedisProcess(["--maxmemory-policy", "allkeys-lru"])
    var configuration = try configuration(server.address)
    let store = try RedisReplayStore(configuration)
    #expect(becomesTrue { store.metrics.status == .failed(.evictingPolicy) })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    configuration.allowances.insert(.evictingPolicy)
    #expect(try ready(configuration).insert(id(1), at: now, window: 300) == .fresh)
  }

  @Test func `a full server says so, and forgets nothing`() throws {
    let server = try RedisProcess(["--maxmemory", "3mb"])
    var configuration = try configuration(server.address)
    configuration.capacity = 1_000_000
    let store = try ready(configuration)
    var fresh = 0
    while fresh < 1_000_000 {
      let verdicts = ask(store, fresh..<(fresh + 1_000))
      let isFull = verdicts.contains(.full)
      #expect(verdicts.allSatisfy { $0 == .fresh || $0 == .full })
      fresh += verdicts.prefix { $0 == .fresh }.count
      if isFull { break }
    }
    #expect(fresh > 1_000 && fresh < 1_000_000)
    #expect(Set(ask(store, 0..<fresh)) == [.full], "without memory SET is refused before it looks")
    #expect(store.metrics.status == .ready)
    try server.cli("CONFIG", "SET", "maxmemory", "0")
    #expect(Set(ask(store, 0..<fresh)) == [.replayed])
    #expect(ask(store, [fresh + 1_000]) == [.fresh])
    print("full: \(fresh) fresh before, 0 of them fresh after")
  }

  @Test func `the memory of a transaction is that of README`() throws {
    let server = try RedisProcess()
    let store = try ready(configuration(server.address))
    #expect(store.insert(Bytes32(Array(repeating: 0x61, count: 32))!, at: now, window: 300) == .fresh)
    let key = Int(try server.cli("MEMORY", "USAGE", "assay:" + String(repeating: "a", count: 32)))
    func used() throws -> Int {
      let line = try server.cli("INFO", "memory").split(whereSeparator: \.isNewline).first {
        $0.hasPrefix("used_memory:")
      }
      return try #require(Int(line?.split(separator: ":").last ?? ""))
    }
    let (count, before) = (isDeep ? 1_000_000 : 200_000, try used())
    for first in stride(from: 0, to: count, by: 10_000) {
      #expect(Set(ask(store, first..<(first + 10_000))) == [.fresh])
    }
    let bytes = Double(try used() - before) / Double(count)
    print("memory of a transaction: MEMORY USAGE \(key ?? 0), INFO \(bytes) bytes with \(count)")
    #expect(bytes < 200)
  }

  @Test func `a store whose server cannot be reached waits before it tries again`() throws {
    var configuration = try configuration("redis://127.0.0.1:\(try freePort())")
    // With waits of 50 ms at most, further tries are seen.
    let impatient = try RedisReplayStore(configuration)
    #expect(becomesTrue { impatient.metrics.failures > 3 })
    (configuration.initialBackoff, configuration.maximumBackoff) = (.seconds(3_600), .seconds(3_600))
    let store = try RedisReplayStore(configuration)
    #expect(becomesTrue { store.metrics.failures > 0 })
    // A wait is shorter than this once in 10,000 times.
    Thread.sleep(forTimeInterval: 0.3)
    #expect(store.metrics.failures == 1)
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
  }

  @Test func `in a forked process nothing is asked`() throws {
    let server = try RedisProcess()
    let store = try ready(configuration(server.address))
    // Swift does not offer `fork`.
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(try #require(dlsym(nil, "fork")), to: Fork.self)
    let child = fork()
    if child == 0 {
      _exit(store.insert(id(1), at: UnixTime(secondsSinceEpoch: 0), window: 300) == .unavailable ? 7 : 8)
    }
    var status: Int32 = 0
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 7 << 8)
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
  }
}
