import Foundation
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Requests that are refused, and why.
  struct RefusalTests {
    @Test func `a refused token is answered 422 with code, stage, member and advice`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        #expect(try request(server, "POST", "/decrypt", token).status == 200)
        let text = String(decoding: try merchant.token(2), as: UTF8.self)
        let foreign = try Merchant(seed: 8).token(1)
        for (body, code, stage, member) in [
          (token, TokenFault.Code.replayedTransaction, 14, nil as String?),
          (foreign, .untrustedChain, 7, nil),
          (try merchant.token(3, merchant: 1), .unknownMerchantKey, 10, nil),
          (Array(text.replacing("EC_v1", with: "EC_v2").utf8), .unsupportedVersion, 3, "version"),
          (Array(text.replacing("\"data\"", with: "\"date\"").utf8), .missingMember, 3, "data"),
          ([], .malformedJSON, 2, nil), (Array("{".utf8), .malformedJSON, 2, nil),
          ([UInt8](repeating: UInt8(ascii: " "), count: 16_385), .tokenTooLarge, 1, nil),
        ] {
          let response = try request(server, "POST", "/decrypt/apple", body)
          #expect(response.status == 422)
          let document = try response.json()
          #expect(document["accepted"] as? Bool == false)
          #expect(document["payment"] == nil)
          let error = try #require(document["error"] as? [String: Any])
          #expect(error["code"] as? String == code.rawValue)
          #expect(error["stage"] as? Int == stage)
          #expect(error["member"] as? String == member)
          #expect(error["message"] as? String == code.advice)
        }
      }
    }

    @Test func `a token whose signing time is outside the window is refused, and taken without one`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.now = UnixTime(secondsSinceEpoch: noon.secondsSinceEpoch + 301)
      try await withServer(options) { server in
        let response = try request(server, "POST", "/decrypt", try merchant.token(1))
        #expect(response.code == "signingTimeOutsideWindow")
      }
      options.window = nil
      try await withServer(options) { server in
        let response = try request(server, "POST", "/decrypt", try merchant.token(1))
        #expect(response.status == 200)
      }
    }

    @Test func `a store without room is the server's fault`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.replayCapacity = 1
      try await withServer(options) { server in
        #expect(try request(server, "POST", "/decrypt", merchant.token(1)).status == 200)
        let response = try request(server, "POST", "/decrypt", try merchant.token(2))
        #expect(response.status == 503)
        #expect(response.headers["retry-after"] == "1")
        #expect(response.code == "replayStoreFull")
      }
    }

    @Test func `of processes that follow each other one accepts a token, if the later one is told to refuse others`() {
      func time(_ seconds: Int64) -> UnixTime { UnixTime(secondsSinceEpoch: seconds) }
      var accepted = 0
      for signed in Int64(0)..<120 {
        func accepts(_ signed: Int64, at times: ClosedRange<Int64>, start: Int64, clockThen: Int64) -> Bool {
          times.contains {
            ServerOptions.signingTimes(at: time($0), since: time(clockThen), elapsed: .seconds($0 - start))
              .contains(time(signed))
          }
        }
        // The first process starts at 0 and ends at 60, when the second one starts.
        let first = accepts(signed, at: 0...60, start: 0, clockThen: 0)
        let second = accepts(signed, at: 60...120, start: 60, clockThen: 60)
        #expect(!(first && second), "\(signed)")
        // A process whose clock was far behind at its start, and has been corrected since.
        #expect(accepts(signed, at: 60...120, start: 60, clockThen: -1_000_000) == second)
        accepted += first || second ? 1 : 0
      }
      // Clocks have whole seconds, starts and requests do not. The start must never be taken for earlier than it was.
      for start in 0..<10 {
        for passed in 0..<100 {
          let now = time(1_000 + Int64(start + passed) / 10)
          let elapsed = Duration.milliseconds(100 * passed)
          let range = ServerOptions.signingTimes(at: now, since: time(0), elapsed: elapsed)
          #expect([1_011, 1_012].contains(range.lowerBound.secondsSinceEpoch))
        }
      }
      // All but the tokens of the first eleven seconds.
      #expect(accepted == 109)
    }

    @Test
    func `tokens that a process before may have accepted are refused if it is told to, and no store is full of them`()
      async throws
    {
      let merchant = try Merchant()
      var options = merchant.options
      for (refuses, status, code) in [(true, 422, "signingTimeOutsideWindow"), (false, 200, nil)] {
        options.refusesOlderTokens = refuses
        options.replayCapacity = refuses ? 1 : nil
        try await withServer(options) { server in
          for index: UInt64 in [1, 2, 1] where refuses || index == 2 {
            let response = try request(server, "POST", "/decrypt", try merchant.token(index))
            #expect(response.status == status && response.code == code)
          }
        }
      }
    }

    @Test func `paths are taken as they are`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        for path in [
          "/", "/decrypt/", "/decrypt/mpgs/", "//decrypt", "/decrypt%00", "/decrypt%2Fmpgs", "/%64ecrypt",
          "/decrypt/mpgs?gateway=mpgs",
          "/DECRYPT", "/decrypt/nobody", "/decrypt?gateway=nobody", "/decrypt?gateway=", "/decrypt?gateway",
          "/metrics/", "/decrypt;a",
          "/ready/../decrypt", "*", "/decrypt/APPLE", "/decrypt/appl%65",
        ] {
          let response = try request(server, "POST", path, token)
          #expect(response.status == 404 || path == "/decrypt?gateway", "\(path) \(response.status)")
        }
        #expect(try request(server, "POST", "/decrypt?colour=blue", token).code == "replayedTransaction")
        #expect(await eventually { server.metrics.accepted == 1 })
      }
    }

    @Test func `other methods are answered 405 with those that the path knows`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        for method in ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "post", "PRI"] {
          let response = try request(server, method, "/decrypt")
          #expect(response.status == 405, "\(method)")
          #expect(response.headers["allow"] == "POST")
        }
        for path in ["/metrics", "/ready", "/live"] {
          let response = try request(server, "POST", path, [1, 2, 3])
          #expect(response.status == 405)
          #expect(response.headers["allow"] == "GET, HEAD")
          let get = try request(server, "GET", path)
          let head = try request(server, "HEAD", path)
          #expect(get.status == 200 && head.status == 200)
          #expect(!get.body.isEmpty && head.body.isEmpty)
        }
      }
    }

    @Test func `pages in browsers and compressed bodies are refused`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        let page = try request(server.address, "POST", "/decrypt", token, headers: "Origin: http://127.0.0.1\r\n")
        #expect(page.status == 403)
        let gzip = try request(server.address, "POST", "/decrypt", token, headers: "Content-Encoding: gzip\r\n")
        #expect(gzip.status == 415)
        #expect(server.metrics.submitted == 0)
      }
    }
  }
}
