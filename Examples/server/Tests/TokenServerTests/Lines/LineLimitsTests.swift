import Foundation
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// The limits of requests in lines.
  struct LineLimitsTests {
    @Test func `a line of --max-body bytes is taken with LF, CRLF and without either`() throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--max-body", "10000", "--replay", "0"])
      let token = try merchant.token(1)
      for (size, code) in [(10_000, "accepted"), (10_001, "tooLarge")] {
        let line = token + [UInt8](repeating: 0x20, count: size - token.count)
        for end in ["\n", "\r\n", "", "\n\r\n"] {
          let outcomes = try linesRequest(program.address, line + Array(end.utf8)).outcomes()
          #expect(outcomes == [Outcome(1, code)], "\(size) \(end.debugDescription)")
        }
      }
    }

    @Test func `a line may be as long as a body, and one that is longer is refused alone`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.body = 10_000
      options.replayCapacity = 0
      try await withServer(options) { server in
        let token = try merchant.token(1)
        func padded(_ size: Int) -> [UInt8] { token + [UInt8](repeating: 0x20, count: size - token.count) }
        #expect(try request(server, "POST", "/decrypt", padded(10_000)).status == 200)
        #expect(try request(server, "POST", "/decrypt", padded(10_001)).code == "tooLarge")
        let bodies = [padded(10_000), padded(10_001), token, [UInt8](repeating: 0, count: 500_000), token]
        let outcomes = try linesRequest(server.address, lines(bodies)).outcomes()
        #expect(outcomes.map(\.code) == ["accepted", "tooLarge", "accepted", "tooLarge", "accepted"])
        let last = try linesRequest(server.address, padded(10_001)).outcomes()
        #expect(last == [Outcome(1, "tooLarge")])
      }
    }

    @Test func `a request has a thousand lines, and what is behind them is not opened`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let client = try Client(server.address)
        let some = [[UInt8]](repeating: Array("{}".utf8), count: 1_000)
        client.post("/decrypt", lines([[], []] + some + [[]]), headers: lineType)
        let whole = try #require(client.receive()).outcomes()
        #expect(whole == (3...1_002).map { Outcome($0, "missingMember") })
        client.post("/decrypt", lines(some + [[], try merchant.token(1), try merchant.token(2)]), headers: lineType)
        let cut = try #require(client.receive()).outcomes()
        #expect(cut.dropLast() == whole.indices.map { Outcome($0 + 1, "missingMember") })
        #expect(cut.last == Outcome(1_002, "tooManyLines"))
        #expect(server.metrics.submitted == 2_000)
        client.post("/decrypt", try merchant.token(1))
        #expect(client.receive()?.status == 200)
      }
    }

    @Test func `large answers end a request before its thousandth line`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.replayCapacity = 0
      try await withServer(options) { server in
        var recipe = TokenRecipe(index: 1)
        recipe.payload.cardholderName = String(repeating: "A", count: 6_000)
        let token = try merchant.minter.mint(recipe).bytes
        let size = try request(server, "POST", "/decrypt", token).body.count
        #expect(size > 6_000)
        let outcomes = try linesRequest(server.address, lines([[UInt8]](repeating: token, count: 900))).outcomes()
        #expect(outcomes.last?.code == "tooManyLines")
        let opened = outcomes.count - 1
        #expect(outcomes.prefix(opened).allSatisfy { $0.code == "accepted" })
        // The lines that the pool had when the limit was reached are answered too.
        #expect(opened * size >= 4 << 20 && opened * size <= 4 << 20 + 9 * size, "\(opened)")
        #expect(server.metrics.submitted == opened + 1)
      }
    }

    @Test func `lines are numbered among empty ones`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let empty = String(repeating: "\n", count: 70_000)
        let body = "\(empty){}\n\n\n{}\(empty) \n{}"
        let outcomes = try linesRequest(server.address, Array(body.utf8)).outcomes()
        #expect(outcomes == [70_001, 70_004, 140_005].map { Outcome($0, "missingMember") })
      }
    }

    @Test func `more bytes than a thousand lines can have are refused`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.body = 1_000
      try await withServer(options) { server in
        // The limit is at least that of any other body.
        let most = 1_000 + 1_048_576
        let client = try Client(server.address)
        client.beginLines(length: most + 1)
        #expect(client.receive()?.code == "tooLarge")
        #expect(client.isEnded())
        let blank = try linesRequest(server.address, [UInt8](repeating: UInt8(ascii: "\n"), count: most))
        #expect(blank.status == 200 && blank.body.isEmpty)
        let endless = try Client(server.address)
        endless.send("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(lineType)Transfer-Encoding: chunked\r\n\r\n")
        let chunk = Array("8000\r\n".utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: 0x8000) + Array("\r\n".utf8)
        var sent = 0
        while sent < 1_000, endless.send(chunk) { sent += 1 }
        #expect(sent >= 30 && sent < 1_000)
      }
    }

    @Test func `where no lines are taken, as much is read as of any other body`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.body = 10_000
      try await withServer(options) { server in
        let most = 10_000 + 1_048_576
        let small = try Client(server.address)
        small.beginLines("/nowhere", length: most)
        small.send([UInt8](repeating: UInt8(ascii: "\n"), count: most))
        #expect(small.receive()?.status == 404)
        let large = try Client(server.address)
        large.beginLines("/nowhere", length: most + 1)
        #expect(large.receive()?.status == 404 && large.isEnded())
      }
    }

    @Test func `lines take a part of the queue, single tokens have the rest`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = nil
      options.limits.connections = 100
      try await withServer(options, replay: gate) { server in
        let body = lines(try (1...40).map { try merchant.token($0) })
        let many = try (0..<16).map { _ in try Client(server.address) }
        for client in many { client.post("/decrypt", body, headers: lineType) }
        #expect(await eventually { server.metrics.submitted == 1 + 16 * 8 })
        // Another request in lines is refused, and its body is read.
        let late = try Client(server.address)
        late.post("/decrypt", body, headers: lineType)
        let refusal = late.receive()
        #expect(refusal?.status == 503 && refusal?.code == "overloaded" && refusal?.headers["retry-after"] == "1")
        // A single token is taken, on the same connection.
        late.post("/decrypt", try merchant.token(41))
        #expect(await eventually { server.metrics.submitted == 1 + 16 * 8 + 1 })
        #expect(server.metrics.inFlight == 16 * 8 + 1)
        gate.open()
        #expect(late.receive()?.status == 200)
        for client in many {
          #expect(try client.receive()?.outcomes() == (1...40).map { Outcome($0, "accepted") })
        }
        #expect(try linesRequest(server.address, body).status == 200)
      }
    }

    @Test func `small queues have a place for a line`() async throws {
      let merchant = try Merchant()
      for capacity in [1, 8, 20] {
        var options = merchant.options
        options.pool.queueCapacity = capacity
        try await withServer(options) { server in
          let body = lines(try (1...20).map { try merchant.token($0) })
          #expect(try linesRequest(server.address, body).outcomes() == (1...20).map { Outcome($0, "accepted") })
        }
      }
    }

    @Test func `a line that waits too long, or that finds the queue full, is refused alone`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.pool.queueCapacity = 4
      options.deadline = .milliseconds(500)
      try await withServer(options, replay: gate) { server in
        let busy = try Client(server.address)
        busy.post("/decrypt", try merchant.token(1))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        let late = try Client(server.address)
        late.post("/decrypt", lines([try merchant.token(2)]), headers: lineType)
        #expect(await eventually { server.metrics.queueDepth == 1 })
        let waiting = try (3...5 as ClosedRange<UInt64>).map { index in
          let client = try Client(server.address)
          client.post("/decrypt", try merchant.token(index))
          return client
        }
        #expect(await eventually { server.metrics.queueDepth == 4 })
        late.post("/decrypt", try merchant.token(6))
        try await Task.sleep(for: .milliseconds(600))
        gate.open()
        #expect(busy.receive()?.status == 200)
        #expect(try late.receive()?.outcomes() == [Outcome(1, "deadlineExceeded")])
        for client in waiting { #expect(client.receive()?.code == "deadlineExceeded") }
        gate.close()
        let again = try Client(server.address)
        again.post("/decrypt", try merchant.token(7))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        let full = try (8...11 as ClosedRange<UInt64>).map { index in
          let client = try Client(server.address)
          client.post("/decrypt", try merchant.token(index))
          return client
        }
        #expect(await eventually { server.metrics.queueDepth == 4 })
        let outcomes = try linesRequest(server.address, lines(try (12...14).map { try merchant.token($0) })).outcomes()
        #expect(outcomes == (1...3).map { Outcome($0, "overloaded") })
        gate.open()
        for client in [again] + full { #expect(client.receive() != nil) }
      }
    }
  }
}
