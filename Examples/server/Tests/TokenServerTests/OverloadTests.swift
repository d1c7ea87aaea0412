import Foundation
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  struct OverloadTests {
    @Test func `a full queue is answered 503 at once, and all is well when it empties`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.pool.queueCapacity = 4
      options.deadline = nil
      try await withServer(options, replay: gate) { server in
        let busy = try Client(server.address)
        busy.post("/decrypt", try merchant.token(1))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        var waiting: [Client] = []
        for index in 2...5 {
          let client = try Client(server.address)
          client.post("/decrypt", try merchant.token(UInt64(index)))
          waiting.append(client)
        }
        #expect(await eventually { server.metrics.queueDepth == 4 })
        for _ in 0..<50 {
          let response = try request(server, "POST", "/decrypt", try merchant.token(100))
          #expect(response.status == 503)
          #expect(response.headers["retry-after"] == "1")
          #expect(response.code == "overloaded")
        }
        #expect(try request(server, "GET", "/ready").status == 200)
        gate.open()
        for client in [busy] + waiting { #expect(client.receive()?.status == 200) }
        #expect(try request(server, "POST", "/decrypt", try merchant.token(100)).status == 200)
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_pool_overloaded_total"] == 50)
        #expect(metrics["assay_pool_accepted_total"] == 7)
        #expect(metrics["assay_http_answers_total{status=\"503\"}"] == 50)
      }
    }

    @Test func `a request that waits beyond its deadline is answered 504, and its token may come again`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      var options = merchant.options
      options.deadline = .milliseconds(500)
      try await withServer(options, replay: gate) { server in
        let (busy, late) = (try Client(server.address), try Client(server.address))
        busy.post("/decrypt", try merchant.token(1))
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        late.post("/decrypt", try merchant.token(2))
        #expect(await eventually { server.metrics.queueDepth == 1 })
        try await Task.sleep(for: .milliseconds(600))
        gate.open()
        #expect(busy.receive()?.status == 200)
        let response = late.receive()
        #expect(response?.status == 504)
        #expect(response?.code == "deadlineExceeded")
        #expect(try request(server, "POST", "/decrypt", try merchant.token(2)).status == 200)
      }
    }

    @Test func `the metrics say what happened`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        for index in 1...30 {
          #expect(try request(server, "POST", "/decrypt", try merchant.token(UInt64(index))).status == 200)
        }
        for _ in 0..<7 { _ = try request(server, "POST", "/decrypt", try merchant.token(1)) }
        for _ in 0..<5 { _ = try request(server, "POST", "/decrypt/apple", Array("{}".utf8)) }
        #expect(await eventually { server.metrics.inFlight == 0 })
        let response = try request(server, "GET", "/metrics")
        #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        let metrics = try Metrics(response.text)
        #expect(metrics["assay_pool_submitted_total"] == 42)
        #expect(metrics["assay_pool_accepted_total"] == 30)
        #expect(metrics["assay_pool_refused_total{code=\"replayedTransaction\"}"] == 7)
        #expect(metrics["assay_pool_refused_total{code=\"missingMember\"}"] == 5)
        #expect(metrics.sum("assay_pool_refused_total") == 12)
        #expect(metrics["assay_pool_latency_seconds_count"] == 42)
        #expect(metrics["assay_pool_in_flight"] == 0)
        #expect(metrics["assay_http_answers_total{status=\"200\"}"] == 30)
        #expect(metrics["assay_http_answers_total{status=\"422\"}"] == 12)
        #expect(metrics["assay_keys_loads_total{result=\"ok\"}"] == 1)
        #expect(
          metrics.samples.keys.contains { $0.hasPrefix("assay_build_info{commit=\"") && $0.contains("kernel=\"") })
        for code in TokenFault.Code.allCases {
          #expect(metrics["assay_pool_refused_total{code=\"\(code.rawValue)\"}"] != nil)
        }
      }
    }
  }
}
