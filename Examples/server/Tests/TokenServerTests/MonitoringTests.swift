import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// Metrics and health at an address of their own.
  struct MonitoringTests {
    /// Runs a server whose metrics have their own address.
    private func withApartMetrics(
      _ merchant: Merchant, replay: Gate? = nil, _ body: (Server, String) async throws -> Void
    ) async throws {
      var options = merchant.options
      options.metricsListen = .loopback(port: 0)
      try await withServer(options, replay: replay) { server in
        try await body(server, try #require(server.metricsAddress))
      }
    }

    @Test func `each of two addresses has its paths, and none of the other's`() async throws {
      let merchant = try Merchant()
      try await withApartMetrics(merchant) { server, metrics in
        let token = try merchant.token(1)
        for path in ["/metrics", "/ready", "/live"] {
          #expect(try request(metrics, "GET", path).status == 200)
          #expect(try request(server, "GET", path).status == 404)
        }
        for path in [
          "/decrypt", "/decrypt/apple", "/request/worldline", "/decrypt?gateway=apple", "//decrypt",
          "/metrics/../decrypt",
          "http://a/decrypt", "/decrypt#", "/live/decrypt",
        ] {
          #expect(try request(metrics, "POST", path, token).status == 404, "\(path)")
        }
        #expect(server.metrics.submitted == 0)
        #expect(try request(server, "POST", "/decrypt", token).status == 200)
      }
      try await withServer(merchant.options) { server in
        #expect(server.metricsAddress == nil)
        for path in ["/metrics", "/ready", "/live"] {
          let status = try request(server, "GET", path).status
          #expect(status == 200)
        }
      }
    }

    @Test func `no request for a token is hidden in one for metrics`() async throws {
      let merchant = try Merchant()
      try await withApartMetrics(merchant) { server, metrics in
        let token = String(decoding: try merchant.token(1), as: UTF8.self)
        let hidden = "POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.utf8.count)\r\n\r\n\(token)"
        for head in [
          "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "GET /live HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
          "GET /live HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "GET /live HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
          "GET /live HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        ] {
          let client = try Client(metrics)
          client.send(head + hidden)
          var statuses: [Int] = []
          while let response = client.receive(seconds: 1) {
            statuses.append(response.status)
            if response.headers["connection"]?.lowercased() == "close" { break }
          }
          #expect(!statuses.isEmpty && statuses.dropFirst().allSatisfy { $0 == 404 }, "\(head) \(statuses)")
        }
        #expect(server.metrics.submitted == 0)
      }
    }

    @Test func `clients that hold every connection for tokens do not keep metrics from being read`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.metricsListen = .loopback(port: 0)
      options.limits.connections = 3
      options.limits.timeout = 60
      try await withServer(options) { server in
        let metrics = try #require(server.metricsAddress)
        let idle = try (0..<3).map { _ in try Client(server.address) }
        for client in idle { client.send("POST /decrypt HTTP/1.1\r\n") }
        let late = try Client(server.address)
        late.send("GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(late.receive(seconds: 0) == nil)
        #expect(
          try await eventually { try Metrics(request(metrics, "GET", "/metrics").text)["assay_http_connections"] == 3 })
        #expect(try request(metrics, "GET", "/ready").status == 200)
        for client in idle { client.close() }
        #expect(late.receive()?.status == 404)
      }
    }

    @Test func `no address has all connections for metrics`() async throws {
      let merchant = try Merchant()
      try await withApartMetrics(merchant) { _, metrics in
        // A connection above the limit gets no answer.
        func isServed() -> Bool {
          guard let client = try? Client(metrics) else { return false }
          client.send("GET /live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
          return client.receive()?.status == 200
        }
        let idle = try (0..<15).map { _ in try Client(metrics) }
        #expect(await eventually { isServed() })
        let last = try Client(metrics)
        #expect(try Client(metrics).isEnded(seconds: 1))
        for client in idle + [last] { client.close() }
        #expect(await eventually { isServed() })
      }
    }

    @Test func `metrics are there to the end, and nobody who reads them delays it`() async throws {
      let merchant = try Merchant()
      let program = try Program(
        merchant.arguments.replacing("--timeout", by: "60")
          + ["--metrics-listen", "127.0.0.1:0", "--grace", "60"])
      let metrics = try #require(program.metricsAddress)
      let (half, scraper) = (try Client(program.address), try Client(metrics))
      let token = try merchant.token(1)
      half.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n")
      scraper.send("GET /metrics HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n")
      #expect(
        try await eventually {
          try Metrics(request(metrics, "GET", "/metrics").text)["assay_http_requests_under_way"] == 1
        })
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      #expect(await eventually { (try? request(metrics, "GET", "/ready").status) == 503 })
      #expect(try request(metrics, "GET", "/live").status == 200)
      #expect(try request(metrics, "GET", "/metrics").status == 200)
      half.send(token)
      #expect(half.receive()?.status == 200)
      let begin = ContinuousClock.now
      #expect(program.waitForExit() == 0, "\(program.written)")
      #expect(ContinuousClock.now - begin < .seconds(30))
    }

    @Test func `an address that is taken is named, and nothing stays open`() throws {
      let merchant = try Merchant()
      let running = try Program(merchant.arguments)
      let refusal = try Program.refusal(merchant.arguments + ["--metrics-listen", running.address])
      #expect(refusal.status == 2 && refusal.text.contains("\(running.address) cannot be listened on"))
      #expect(try Program.refusal(merchant.arguments + ["--metrics-listen", "localhost:1"]).status == 64)
    }
  }
}
