import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// How a store interprets the replies of a fake server.
@Suite(.serialized) struct ProtocolTests {
  func store(
    _ server: FakeServer, _ change: (inout RedisReplayStore.Configuration) -> Void = { _ in }
  ) throws -> RedisReplayStore {
    var configuration = try configuration(server.address)
    change(&configuration)
    return try RedisReplayStore(configuration)
  }

  /// A server that sends the replies to SET from `replies`, which takes the number of the connection.
  private func server(
    offset: Int = 0, _ replies: @escaping @Sendable (Int, FakeConnection) -> String?
  ) throws -> FakeServer {
    try FakeServer { connection, number in
      connection.admit()
      while let command = connection.command() {
        guard let reply = FakeConnection.reply(to: command, offset: offset) ?? replies(number, connection) else {
          return
        }
        connection.reply(reply)
      }
    }
  }

  private func verdict(_ server: FakeServer) throws -> ReplayVerdict {
    let store = try store(server)
    #expect(store.waitUntilReady(for: .seconds(5)))
    return store.insert(id(1), at: now, window: 300)
  }

  @Test func `OK alone is fresh, and null is replayed`() throws {
    #expect(try verdict(server { _, _ in "+OK\r\n" }) == .fresh)
    #expect(try verdict(server { _, _ in "$-1\r\n" }) == .replayed)
    #expect(try verdict(server { _, _ in "*-1\r\n" }) == .replayed)
    for other in ["+QUEUED\r\n", ":1\r\n", "$2\r\nOK\r\n", "*0\r\n", "+ok\r\n", "+OKAY\r\n"] {
      #expect(try verdict(server { _, _ in other }) == .unavailable, "\(other)")
    }
  }

  @Test func `an error is never fresh: a full server is full, all others are unavailable`() throws {
    #expect(try verdict(server { _, _ in "-OOM command not allowed when used memory > 'maxmemory'.\r\n" }) == .full)
    let words = [
      "READONLY", "LOADING", "CLUSTERDOWN", "NOREPLICAS", "MISCONF", "BUSY", "MOVED 1 127.0.0.1:1", "ASK 1 a:1",
      "NOAUTH", "NOPERM", "MASTERDOWN", "EXECABORT", "ERR", "UNKNOWN", "OOMOOM", "",
    ]
    for word in words {
      #expect(try verdict(server { _, _ in "-\(word) text\r\n" }) == .unavailable, "\(word)")
    }
  }

  @Test func `a clock that differs by more than the tolerance makes nothing fresh`() throws {
    for offset in [61, -61, 1_000_000] {
      let server = try server(offset: offset + offset.signum()) { _, _ in "+OK\r\n" }
      let store = try store(server)
      #expect(store.waitUntilReady(for: .seconds(5)))
      #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
      #expect(store.metrics.unavailable == [.clockDiffers: 1])
    }
    for offset in [50, -50] { #expect(try verdict(server(offset: offset) { _, _ in "+OK\r\n" }) == .fresh) }
  }

  @Test func `a clock that differs after the key is set, or before, makes nothing fresh`() throws {
    for (before, after, isFresh) in [(0, 62, false), (-62, 0, false), (0, -62, false), (62, 0, false), (0, 0, true)] {
      let server = try FakeServer { connection, _ in
        connection.admit()
        guard connection.readBatch() else { return }
        connection.reply(FakeConnection.time(before) + "+OK\r\n" + FakeConnection.end(after))
        _ = connection.command()
      }
      #expect(try verdict(server) == (isFresh ? .fresh : .unavailable), "\(before) \(after)")
    }
  }

  @Test func `replies are understood wherever they are split`() throws {
    let replies = FakeConnection.time() + "+OK\r\n$-1\r\n-OOM full\r\n" + FakeConnection.end()
    for place in 1..<replies.utf8.count {
      let server = try FakeServer { connection, _ in
        connection.admit()
        guard connection.readBatch(of: 3) else { return }
        let bytes = Array(replies.utf8)
        connection.reply(String(decoding: bytes[..<place], as: UTF8.self))
        usleep(500)
        connection.reply(String(decoding: bytes[place...], as: UTF8.self))
        _ = connection.command()
      }
      let store = try store(server)
      #expect(store.waitUntilReady(for: .seconds(5)))
      #expect(ask(store, 0..<3) == [.fresh, .replayed, .full], "split at \(place)")
    }
  }

  @Test func `a connection that is cut within a reply answers nothing fresh`() throws {
    let reply = Array((FakeConnection.time() + "+OK\r\n" + FakeConnection.end()).utf8)
    for length in 0..<reply.count {
      let server = try FakeServer { connection, number in
        guard number == 0 else { return }
        connection.admit()
        _ = connection.readBatch()
        connection.reply(String(decoding: reply[..<length], as: UTF8.self))
      }
      let store = try store(server)
      #expect(store.waitUntilReady(for: .seconds(5)))
      #expect(store.insert(id(1), at: now, window: 300) == .unavailable, "cut after \(length)")
      #expect(store.metrics.unavailable == [.connectionLost: 1])
    }
  }

  @Test func `what is no reply, or was not asked for, ends the connection`() throws {
    for junk in [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0", ":x\r\n", "$99999999999999999999\r\n", "*2\r\n*9\r\n!\r\n",
    ] {
      #expect(try verdict(server { _, _ in junk }) == .unavailable, "\(junk)")
    }
    // A reply without a command. The store reconnects, and must not take it for the reply to a later question.
    let server = try FakeServer { connection, number in
      connection.admit()
      if number == 0 {
        usleep(50_000)
        return connection.reply("+OK\r\n")
      }
      _ = connection.readBatch()
      connection.reply(FakeConnection.time() + "$-1\r\n" + FakeConnection.end())
      _ = connection.command()
    }
    let store = try store(server)
    #expect(becomesTrue { store.metrics.connections == 2 && store.metrics.status == .ready })
    #expect(store.metrics.failures == 1)
    #expect(store.insert(id(1), at: now, window: 300) == .replayed)
  }

  @Test func `no change of one byte makes a refusal fresh`() throws {
    let refusal = Array((FakeConnection.time() + "$-1\r\n" + FakeConnection.end()).utf8)
    var bytes = Array("\0\r\n+-:$*_(,!=%~>|#0139K".utf8)
    if isDeep { bytes = Array(0...255) }
    var (counts, number): ([ReplayVerdict: Int], Int) = ([:], 0)
    for place in refusal.indices {
      for byte in bytes where byte != refusal[place] {
        var changed = refusal
        changed[place] = byte
        let (reply, server) = (changed, Locked<FakeConnection?>(nil))
        let fake = try FakeServer { connection, number in
          guard number == 0 else { return }
          server.withLock { $0 = connection }
          connection.admit()
          guard connection.readBatch() else { return }
          connection.reply(reply)
        }
        let store = try store(fake) { $0.timeLimit = .milliseconds(20) }
        #expect(store.waitUntilReady(for: .seconds(5)))
        let verdict = store.insert(id(1), at: now, window: 300)
        counts[verdict, default: 0] += 1
        number += 1
        #expect(verdict == .replayed || verdict == .unavailable, "\(byte) at \(place)")
      }
    }
    print("one byte of a refusal changed, \(number) times: \(counts)")
  }

  @Test func `a reply that never ends is given up`() throws {
    let server = try server { _, connection in
      connection.reply("$500000000\r\n")
      for _ in 0..<40 { connection.reply(String(repeating: "x", count: 65_536)) }
      return nil
    }
    #expect(try verdict(server) == .unavailable)
  }

  @Test func `a late reply is that of its own question`() throws {
    let late = Locked(0)
    let server = try server { _, _ in
      let isFirst = late.withLock { count -> Bool in
        count += 1
        return count == 1
      }
      if isFirst { usleep(200_000) }
      return isFirst ? "+OK\r\n" : "$-1\r\n"
    }
    let store = try store(server) { $0.timeLimit = .milliseconds(100) }
    #expect(store.waitUntilReady(for: .seconds(5)))
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(ask(store, [2]) == [.replayed])
    #expect(store.metrics.unavailable == [.deadline: 1])
    #expect(store.metrics.fresh == 0)
    #expect(store.metrics.connections == 1)
    #expect(becomesTrue { store.metrics.outstanding == 0 })
  }

  @Test func `a reply of the next connection is none to a question of the last one`() throws {
    let server = try FakeServer { connection, number in
      connection.admit()
      if number == 0 {
        // The question is read, and not answered.
        _ = connection.readBatch()
        return
      }
      while let command = connection.command() {
        connection.reply(FakeConnection.reply(to: command) ?? "+OK\r\n")
      }
    }
    let store = try store(server)
    #expect(store.waitUntilReady(for: .seconds(5)))
    #expect(ask(store, [1]) == [.unavailable])
    #expect(becomesTrue { store.metrics.connections == 2 && store.metrics.status == .ready })
    #expect(store.metrics.fresh == 0)
    #expect(ask(store, [2]) == [.fresh])
  }

  @Test func `a server that owes replies is given up, an idle one is not`() throws {
    let isSilent = Locked(false)
    let server = try server { _, _ in
      if isSilent.withLock({ $0 }) { usleep(400_000) }
      return "+OK\r\n"
    }
    let store = try store(server) {
      $0.replyTimeLimit = .milliseconds(200)
      $0.acknowledgementTimeLimit = .milliseconds(100)
    }
    #expect(store.waitUntilReady(for: .seconds(5)))
    usleep(500_000)
    #expect(ask(store, [1]) == [.fresh])
    isSilent.withLock { $0 = true }
    #expect(ask(store, [2]) == [.unavailable])
    #expect(store.metrics.unavailable == [.connectionLost: 1])
    #expect(becomesTrue { store.metrics.failures == 1 })
  }

  @Test func `no more questions wait than the capacity`() throws {
    let server = try server { _, _ in
      usleep(300_000)
      return "+OK\r\n"
    }
    let store = try store(server) { $0.capacity = 4 }
    #expect(store.waitUntilReady(for: .seconds(5)))
    let start = ContinuousClock.now
    let answered = Locked(0)
    let deadline = start.advanced(by: .milliseconds(100))
    let questions = (0..<6).map { ReplayQuestion(id($0), at: now, window: 300, deadline: deadline) }
    store.insert(questions) { index, verdict in
      #expect(verdict == .unavailable)
      answered.withLock { $0 += 1 }
      if index >= 4 { #expect(start.duration(to: .now) < .milliseconds(90)) }
    }
    #expect(answered.withLock { $0 } == 2)
    #expect(becomesTrue { answered.withLock { $0 } == 6 })
    #expect(start.duration(to: .now) < .milliseconds(290))
    // The server still owes the replies to the first four.
    #expect(ask(store, [7]) == [.unavailable])
    #expect(store.metrics.unavailable == [.overloaded: 3, .deadline: 4])
  }

  @Test func `a store that is released answers what is left, once`() throws {
    let server = try server { _, _ in
      usleep(2_000_000)
      return nil
    }
    let answers = Locked<[Int]>([])
    do {
      let store = try store(server)
      #expect(store.waitUntilReady(for: .seconds(5)))
      let deadline = ContinuousClock.now.advanced(by: .seconds(60))
      let questions = (0..<50).map { ReplayQuestion(id($0), at: now, window: 300, deadline: deadline) }
      store.insert(questions) { index, verdict in
        #expect(verdict == .unavailable)
        answers.withLock { $0.append(index) }
      }
    }
    #expect(becomesTrue(within: 1) { answers.withLock { $0.count } == 50 })
    usleep(50_000)
    #expect(answers.withLock { $0.sorted() } == Array(0..<50))
  }

  @Test func `while a name is looked up nobody waits`() throws {
    let start = ContinuousClock.now
    do {
      let store = try RedisReplayStore(configuration("redis://redis.invalid"))
      #expect(ask(store, 0..<100).allSatisfy { $0 == .unavailable })
      usleep(20_000)
      #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
      #expect(store.metrics.unavailable == [.notConnected: 101])
      #expect([.connecting, .failed(.nameNotFound)].contains(store.metrics.status))
    }
    #expect(start.duration(to: .now) < .seconds(1))
  }
}
