import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// Faults of a server while it is asked. No transaction is accepted twice, except in the cases that README.md names.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct FaultTests {
  private static let log = ["--appendonly", "yes", "--appendfsync", "always"]

  private func stores(
    _ address: String, _ change: (inout RedisReplayStore.Configuration) -> Void = { _ in }
  ) throws -> [RedisReplayStore] {
    var configuration = try configuration(address)
    configuration.timeLimit = .milliseconds(300)
    configuration.replyTimeLimit = .milliseconds(600)
    configuration.acknowledgementTimeLimit = .milliseconds(100)
    change(&configuration)
    let stores = try (0..<2).map { _ in try RedisReplayStore(configuration) }
    for store in stores {
      try #require(store.waitUntilReady(for: .seconds(10)), "\(store.metrics.status)")
    }
    return stores
  }

  private func accepted(by stores: [RedisReplayStore]) -> UInt64 { stores.map(\.metrics.fresh).reduce(0, +) }

  /// Waits until the stores have accepted more transactions.
  private func progress(of stores: [RedisReplayStore], by count: UInt64 = 500) {
    let goal = accepted(by: stores) + count
    #expect(becomesTrue { accepted(by: stores) >= goal }, "\(stores.map(\.metrics.status))")
  }

  @Test func `killed and started again, with a log that is synced before the reply: nothing twice`() throws {
    let server = try RedisProcess(Self.log)
    try server.makeOld()
    let stores = try stores(server.address) { $0.allowances = [] }
    let campaign = Campaign(stores)
    campaign.start()
    for _ in 0..<(isDeep ? 20 : 4) {
      progress(of: stores)
      server.kill()
      usleep(20_000)
      try server.start()
    }
    progress(of: stores)
    let outcome = try campaign.finish("killed, appendfsync always", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
  }

  @Test func `killed and started again without a log: refused, or if that is allowed accepted twice`() throws {
    let server = try RedisProcess()
    let allowing = try stores(server.address)
    let campaign = Campaign(allowing)
    campaign.start()
    progress(of: allowing)
    server.kill()
    try server.start()
    progress(of: allowing)
    let outcome = try campaign.finish("killed, no log, restartWithoutLog allowed (documented)", by: allowing[0])
    #expect(outcome.acceptedTwice > 0)

    var configuration = try configuration(server.address)
    configuration.allowances = []
    let careful = try RedisReplayStore(configuration)
    #expect(becomesTrue { careful.isWaitingForMemory })
    #expect(careful.insert(id(1), at: now, window: 300) == .unavailable)
  }

  @Test func `without a log a server that runs for a lifetime is asked`() throws {
    let server = try RedisProcess()
    var configuration = try configuration(server.address)
    configuration.allowances = []
    (configuration.longestWindow, configuration.clockTolerance) = (0, 1)
    let store = try RedisReplayStore(configuration)
    #expect(becomesTrue { store.isWaitingForMemory })
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 0) == .fresh)
  }

  /// A store that asks only a server that has forgotten nothing.
  private func careful(_ server: RedisProcess) throws -> RedisReplayStore {
    var configuration = try configuration(server.address)
    configuration.allowances = []
    return try RedisReplayStore(configuration)
  }

  @Test func `emptied by a crash, a log that is turned on later is no reason to ask`() throws {
    let server = try RedisProcess()
    #expect(try stores(server.address)[0].insert(id(1), at: now, window: 300) == .fresh)
    server.kill()
    try server.start()
    #expect(try server.cli("CONFIG", "SET", "appendonly", "yes") == "OK")
    let store = try careful(server)
    #expect(becomesTrue { store.isWaitingForMemory })
    // Later connections find the keys that the first one made.
    #expect(becomesTrue { store.metrics.failures > 2 && store.isWaitingForMemory })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
  }

  @Test func `brought back to an old state by a crash, a log that is turned on later is no reason to ask`() throws {
    let server = try RedisProcess()
    // The server had a log once, and a store has noticed that there is none now.
    try server.makeOld()
    let allowing = try stores(server.address)
    #expect(try becomesTrue { try server.cli("EXISTS", "assay:log") == "0" })
    #expect(try server.cli("SAVE") == "OK")
    #expect(allowing[0].insert(id(1), at: now, window: 300) == .fresh)
    server.kill()
    try server.start()
    #expect(try server.cli("EXISTS", "assay:memory") == "1")
    #expect(try server.cli("CONFIG", "SET", "appendonly", "yes") == "OK")
    let store = try careful(server)
    #expect(becomesTrue { store.isWaitingForMemory })
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
  }

  @Test func `emptied while it is asked: not asked any more`() throws {
    let server = try RedisProcess(Self.log)
    try server.makeOld()
    let store = try careful(server)
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    #expect(try server.cli("FLUSHALL") == "OK")
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(store.metrics.unavailable == [.connectionLost: 1])
    #expect(becomesTrue { store.metrics.failures > 2 && store.isWaitingForMemory })
  }

  @Test func `a new server with a log, as one whose log is missing, is asked after a lifetime`() throws {
    let server = try RedisProcess(Self.log)
    let store = try careful(server)
    #expect(becomesTrue { store.metrics.failures > 2 && store.isWaitingForMemory })
    try server.makeOld()
    #expect(store.waitUntilReady(for: .seconds(10)))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
  }

  @Test func `paused: deadlines hold, and late replies make nothing fresh`() throws {
    let server = try RedisProcess()
    let stores = try stores(server.address)
    let campaign = Campaign(stores)
    campaign.start()
    // A pause shorter than `replyTimeLimit` makes replies late; after a longer one, the store reconnects.
    for pause: UInt32 in [450_000, 1_500_000, 450_000] {
      progress(of: stores)
      server.send(SIGSTOP)
      usleep(pause)
      server.send(SIGCONT)
    }
    progress(of: stores)
    let outcome = try campaign.finish("paused", by: stores[0])
    #expect(outcome.acceptedTwice == 0)
    #expect(outcome.unavailable > 0)
    #expect(stores.allSatisfy { $0.metrics.unavailable[.deadline, default: 0] > 0 })
    #expect(outcome.longestWait < .milliseconds(600))
  }

  @Test func `held up and cut by the network: nothing twice`() throws {
    let server = try RedisProcess()
    let relay = try Relay(to: server.port)
    defer { relay.end() }
    let stores = try stores(relay.address)
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
}
