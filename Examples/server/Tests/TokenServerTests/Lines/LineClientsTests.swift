import Foundation
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Clients that send lines slowly or go away, and servers that stop meanwhile.
  struct LineClientsTests {
    /// Waits until the request for metrics has the only connection, and no other request is under way.
    private func isQuiet(_ server: Server) async throws -> Bool {
      try await eventually {
        let metrics = try Metrics(request(server, "GET", "/metrics").text)
        return metrics["assay_http_connections"] == 1 && metrics["assay_http_requests_under_way"] == 0
          && metrics["assay_pool_in_flight"] == 0
      }
    }

    @Test func `a client that goes away takes back what is not begun`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = nil
      options.pool.queueCapacity = 64
      try await withServer(options, replay: gate) { server in
        // The queue has room for one request in lines at a time.
        for round in 0..<3 {
          gate.close()
          let before = server.metrics
          let first = UInt64(100 * round)
          let busy = try Client(server.address)
          busy.post("/decrypt", try merchant.token(first))
          #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
          let client = try Client(server.address)
          let body = lines(try (1...40).map { try merchant.token(first + $0) })
          // The client sends half of the body, or all of it.
          client.beginLines(length: body.count)
          client.send(Array(round == 1 ? body[...] : body.prefix(body.count / 2)))
          #expect(await eventually { server.metrics.submitted == before.submitted + 9 })
          [client.close, client.reset, client.endSending][round]()
          #expect(await eventually { server.metrics.cancelled == before.cancelled + 8 })
          gate.open()
          #expect(busy.receive()?.status == 200)
          busy.close()
          client.close()
          #expect(try await isQuiet(server))
          #expect(try linesRequest(server.address, body).outcomes() == (1...40).map { Outcome($0, "accepted") })
        }
      }
    }

    @Test func `of a request whose answer is lost, what was accepted is remembered`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let bodies = try (1...20).map { try merchant.token($0) }
        let client = try Client(server.address)
        client.beginLines(length: lines(bodies).count)
        client.send(lines(Array(bodies.prefix(12))))
        #expect(await eventually { server.metrics.accepted == 12 })
        client.close()
        #expect(try await isQuiet(server))
        let codes = try linesRequest(server.address, lines(bodies)).outcomes().map(\.code)
        #expect(codes == Array(repeating: "replayedTransaction", count: 12) + Array(repeating: "accepted", count: 8))
        #expect(try await settledMetrics(server.address)["assay_http_undelivered_total"] == 1)
      }
    }

    @Test func `a client that stalls or drips is cut off, and one that waits for the server is not`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.limits.timeout = 1
      options.deadline = nil
      try await withServer(options, replay: gate) { server in
        let body = lines(try (1...40).map { try merchant.token($0) })
        let (waiting, silent, dripping) = (
          try Client(server.address), try Client(server.address), try Client(server.address)
        )
        waiting.post("/decrypt", body, headers: lineType)
        silent.beginLines(length: 100)
        silent.send("{}\n{")
        dripping.beginLines(length: 1_000)
        let begin = ContinuousClock.now
        var isSilentCut = false
        while dripping.send("\n"), !dripping.isEnded(seconds: 0), .now - begin < .seconds(30) {
          isSilentCut = isSilentCut || silent.isEnded(seconds: 0)
          try await Task.sleep(for: .milliseconds(200))
        }
        #expect(isSilentCut)
        let taken = ContinuousClock.now - begin
        #expect(taken > .seconds(9) && taken < .seconds(25), "\(taken)")
        try await Task.sleep(for: .seconds(1))
        gate.open()
        #expect(try waiting.receive()?.outcomes() == (1...40).map { Outcome($0, "accepted") })
        waiting.close()
        #expect(try await isQuiet(server))
      }
    }

    @Test func `a client that does not read its answers is cut off`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.timeout = 1
      options.replayCapacity = 0
      try await withServer(options) { server in
        let client = try Client(server.address)
        // The server must end the connection before this limit.
        client.limitSending(milliseconds: 10_000)
        let body = lines([[UInt8]](repeating: try merchant.token(1), count: 1_000))
        while client.post("/decrypt", body, headers: lineType) {}
        #expect(try await isQuiet(server))
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_http_undelivered_total"] == 1)
      }
    }

    @Test func `a body that breaks off within a chunk, or is no chunk, leaves nothing`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        for (index, end) in ["x\r\n", "-1\r\n", "4\r\n{}\n{}\n", "ffffffffffffffffff\r\n", "4\r\n{}"].enumerated() {
          let client = try Client(server.address)
          let token = lines([try merchant.token(UInt64(index))])
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(lineType)Transfer-Encoding: chunked\r\n\r\n")
          client.send(Array("\(String(token.count, radix: 16))\r\n".utf8) + token + Array("\r\n\(end)".utf8))
          if index == 4 { client.endSending() }
          if let status = client.receive()?.status { #expect(status == 400 || status == 413, "\(end) \(status)") }
          #expect(client.isEnded())
        }
        #expect(try await isQuiet(server))
        #expect(try linesRequest(server.address, try merchant.token(10)).outcomes() == [Outcome(1, "accepted")])
      }
    }

    @Test func `a server that stops answers what it began, and says which lines it did not`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      let body = lines(try (1...30).map { try merchant.token($0) })
      let half = body.count / 2
      let client = try Client(program.address)
      client.beginLines(length: body.count)
      client.send(Array(body[..<half]))
      // The whole lines of the half; its last line is cut.
      let begun = body[..<half].count { $0 == UInt8(ascii: "\n") }
      #expect(
        try await eventually {
          try Metrics(request(program.address, "GET", "/metrics").text)["assay_pool_accepted_total"] == Double(begun)
        })
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      #expect(
        await eventually {
          guard let other = try? Client(program.address) else { return true }
          other.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
          return other.receive(seconds: 1) == nil
        })
      client.send(Array(body[half...]))
      let outcomes = try #require(client.receive()).outcomes()
      #expect(outcomes == (1...30).map { Outcome($0, $0 <= begun ? "accepted" : "shutDown") })
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `half a request in lines does not keep a server from stopping`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments.replacing("--timeout", by: "60") + ["--grace", "1"])
      let clients = try (1...3 as ClosedRange<UInt64>).map { index in
        let client = try Client(program.address)
        client.beginLines(length: 100_000)
        client.send(lines([try merchant.token(index), Array("{".utf8)]))
        return client
      }
      #expect(
        try await eventually {
          try Metrics(request(program.address, "GET", "/metrics").text)["assay_pool_submitted_total"] == 6
        })
      let begin = ContinuousClock.now
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
      #expect(ContinuousClock.now - begin < .seconds(4))
      for client in clients { #expect(client.isEnded()) }
    }

    @Test func `memory is bounded, however many send lines`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--replay", "0", "--max-connections", "100"])
      let body = lines([[UInt8]](repeating: try merchant.token(1), count: 1_000))
      #expect(try linesRequest(program.address, body).outcomes().count == 1_000)
      let before = program.residentBytes
      // Each has sent all but its last byte, and waits.
      let clients = try (0..<60).map { _ in
        let client = try Client(program.address)
        client.limitSending(milliseconds: 500)
        client.beginLines(length: body.count + 1)
        client.send(body)
        return client
      }
      let after = program.residentBytes
      for client in clients { client.send("\n") }
      let answers = clients.map { $0.receive() }
      let answered = try answers.compactMap { $0 }.filter { $0.status == 200 }.map { try $0.outcomes().count }
      #expect(answered.count >= 1 && answered.allSatisfy { $0 == 1_000 }, "\(answered)")
      #expect(answers.allSatisfy { $0 == nil || $0?.status == 200 || $0?.code == "overloaded" })
      // Sixteen answers of 0.7 MB, and what the allocator keeps.
      if !Program.isSanitized { #expect(after - before < 24 << 20, "\(before) \(after)") }
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }
  }
}
