import Foundation
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Clients that are slow or go away.
  struct SlownessTests {
    @Test func `a client that drips is cut off, and no other is harmed`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.timeout = 1
      try await withServer(options) { server in
        let token = try merchant.token(1)
        let head = "POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n"
        let (ofHead, ofBody) = (try Client(server.address), try Client(server.address))
        ofBody.send(head)
        let begin = ContinuousClock.now
        var isCut = (head: false, body: false)
        var others: UInt64 = 1
        for byte in 0..<60 where !isCut.head || !isCut.body {
          isCut.head = isCut.head || !ofHead.send([Array(head.utf8)[byte % 20]]) || ofHead.isEnded(seconds: 0)
          isCut.body = isCut.body || !ofBody.send([token[byte]]) || ofBody.isEnded(seconds: 0)
          others += 1
          #expect(try request(server, "POST", "/decrypt", try merchant.token(others)).status == 200)
          try await Task.sleep(for: .milliseconds(100))
        }
        #expect(isCut.head && isCut.body)
        let taken = ContinuousClock.now - begin
        #expect(taken > .milliseconds(1_900) && taken < .seconds(8), "\(taken)")
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_http_slow_clients_total"] == 2)
        #expect(metrics["assay_http_requests_under_way"] == 0)
        #expect(server.metrics.submitted == others - 1)
      }
    }

    @Test func `silent connections are closed`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.timeout = 1
      try await withServer(options) { server in
        let clients = try (0..<20).map { _ in try Client(server.address) }
        for (index, client) in clients.enumerated() where index > 0 {
          client.send(String("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc".prefix(index * 3)))
        }
        for client in clients { #expect(client.isEnded()) }
        #expect(
          try await eventually { try Metrics(request(server, "GET", "/metrics").text)["assay_http_connections"] == 1 })
      }
    }

    @Test func `half a body, and the client is gone: nothing stays`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        var halfClosed: [Client] = []
        for index in 0..<200 {
          let client = try Client(server.address)
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n")
          client.send(Array(token.prefix(token.count * (index % 20) / 20)))
          switch index % 3 {
          case 0: client.close()
          case 1: client.reset()
          default:
            client.endSending()
            halfClosed.append(client)
          }
        }
        // The server ends them at once or at the timeout, depending on what the system reports first.
        for client in halfClosed { #expect(client.isEnded()) }
        let isClean = try await eventually {
          let metrics = try Metrics(request(server, "GET", "/metrics").text)
          return metrics["assay_http_connections"] == 1 && metrics["assay_http_requests_under_way"] == 0
        }
        #expect(isClean)
        #expect(server.metrics.submitted == 0)
        #expect(try request(server, "POST", "/decrypt", token).status == 200)
      }
    }

    @Test func `a client that goes while its request waits takes it back`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = nil
      try await withServer(options, replay: gate) { server in
        let busy = try Client(server.address)
        busy.post("/decrypt", try merchant.token(1))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        let gone = try (2...31).map { index in
          let client = try Client(server.address)
          client.post("/decrypt", try merchant.token(UInt64(index)))
          return client
        }
        let stays = try Client(server.address)
        stays.post("/decrypt", try merchant.token(32))
        #expect(await eventually { server.metrics.submitted == 33 })
        for (index, client) in gone.enumerated() { index.isMultiple(of: 2) ? client.close() : client.reset() }
        #expect(await eventually { server.metrics.cancelled == 30 })
        gate.open()
        #expect(busy.receive()?.status == 200)
        #expect(stays.receive()?.status == 200)
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_http_abandoned_total"] == 30)
        #expect(metrics["assay_pool_in_flight"] == 0)
        #expect(metrics["assay_http_requests_under_way"] == 0)
        #expect(metrics["assay_pool_accepted_total"] == 3)
      }
    }

    @Test(arguments: [false, true])
    func `an answer is counted as undelivered if its client goes while its token is being opened`(
      byReset: Bool
    ) async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = nil
      try await withServer(options, replay: gate) { server in
        let client = try Client(server.address)
        client.post("/decrypt", try merchant.token(1))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        let next = try Client(server.address)
        next.post("/decrypt", try merchant.token(2))
        #expect(await eventually { server.metrics.queueDepth == 1 })
        byReset ? client.reset() : client.close()
        // When the server has noticed that this one is gone, it has noticed the one before.
        next.close()
        #expect(await eventually { server.metrics.cancelled == 1 })
        #expect(server.metrics.inFlight == 1)
        gate.open()
        #expect(await eventually { server.metrics.accepted == 2 })
        #expect(try request(server, "POST", "/decrypt", try merchant.token(3)).status == 200)
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_http_undelivered_total"] == 1)
      }
    }

    @Test func `connections beyond the limit wait, and those of one address are refused`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.timeout = 1
      options.limits.connections = 4
      try await withServer(options) { server in
        let idle = try (0..<4).map { _ in try Client(server.address) }
        let waiting = try Client(server.address)
        waiting.post("/decrypt", try merchant.token(1))
        #expect(waiting.receive(seconds: 0) == nil)
        #expect(waiting.receive()?.status == 200)
        for client in idle { #expect(client.isEnded()) }
      }
      options.limits.connections = 100
      options.limits.connectionsPerAddress = 3
      try await withServer(options) { server in
        let idle = try (0..<3).map { _ in try Client(server.address) }
        #expect(try Client(server.address).isEnded(seconds: 5))
        for client in idle { client.close() }
        let isOver = try await eventually {
          let client = try Client(server.address)
          client.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
          return client.receive()?.status == 200
        }
        #expect(isOver)
      }
    }

    @Test func `a client that does not read its answers is cut off, and costs no more than one of them`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.timeout = 1
      try await withServer(options) { server in
        let client = try Client(server.address)
        client.limitSending(milliseconds: 200)
        let many = String(repeating: "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000)
        while client.send(many) {}
        let begin = ContinuousClock.now
        let isCut = try await eventually {
          try Metrics(request(server, "GET", "/metrics").text)["assay_http_connections"] == 1
        }
        #expect(isCut)
        #expect(ContinuousClock.now - begin < .seconds(8))
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_http_undelivered_total"] == 1)
      }
    }
  }
}
