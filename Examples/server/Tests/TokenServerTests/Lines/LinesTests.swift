import Foundation
import Gateways
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Requests with a token on each line, and their answers.
  struct LinesTests {
    /// Bodies of all kinds: good, forged, malformed.
    private func bodies(of merchant: Merchant) throws -> [[UInt8]] {
      let text = String(decoding: try merchant.token(2), as: UTF8.self)
      let enclosed = try Gateway.all.map { gateway in
        try #require(gateway.signedForms.first).request(around: merchant.token(3))
      }
      let signature = try #require(text.firstRange(of: "\"signature\":\""))
      let forged = text.replacingCharacters(
        in: text.index(signature.upperBound, offsetBy: 2_000)..<text.index(signature.upperBound, offsetBy: 2_004),
        with: "AAAA")
      return enclosed.map { $0.filter { $0 != UInt8(ascii: "\n") } } + [
        try merchant.token(1), try Merchant(seed: 8).token(1), try merchant.token(3, merchant: 1), Array(forged.utf8),
        Array(text.replacing("EC_v1", with: "EC_v2").utf8), Array(text.replacing("\"data\"", with: "\"date\"").utf8),
        Array("{".utf8), Array("{}".utf8), Array("null".utf8), [0], [0xFF, 0xFE], Array("a=b&c=d".utf8),
        [UInt8](repeating: UInt8(ascii: "x"), count: 16_385),
        Array(Data(try merchant.token(4)).base64EncodedString().utf8),
        try merchant.token(5),
      ]
    }

    @Test func `each line is answered as it is alone, and in its order`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.replayCapacity = 0
      try await withServer(options) { server in
        let bodies = try bodies(of: merchant)
        for path in ["/decrypt", "/decrypt/apple", "/decrypt?gateway=mpgs"] {
          let answer = try linesRequest(server.address, lines(bodies), to: path)
          #expect(answer.status == 200 && answer.headers["content-type"] == "application/x-ndjson")
          let documents = answer.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          #expect(documents.count == bodies.count)
          for (index, (body, document)) in zip(bodies, documents).enumerated() {
            let alone = try request(server, "POST", path, body).text
            #expect(document == alone.dropLast(2) + ",\"line\":\(index + 1)}")
          }
        }
        let codes = Set(try linesRequest(server.address, lines(bodies)).outcomes().map(\.code))
        #expect(
          codes.isSuperset(of: ["accepted", "untrustedChain", "unknownMerchantKey", "malformedJSON"]), "\(codes)")
        #expect(codes.count >= 8, "\(codes)")
      }
    }

    @Test func `many lines are answered in order, and counted as tokens`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let minted = try (1...300).map { try merchant.minter.mint(TokenRecipe(index: UInt64($0))) }
        let documents = try linesRequest(server.address, lines(minted.map(\.bytes))).documents()
        let identifiers = documents.map { $0["transactionId"] as? String }
        #expect(identifiers == minted.map { $0.transactionId.map { String(format: "%02x", $0) }.joined() })
        #expect(documents.map { $0["line"] as? Int } == Array(1...300))
        let metrics = try await settledMetrics(server.address)
        #expect(metrics["assay_pool_submitted_total"] == 300)
        #expect(metrics["assay_pool_accepted_total"] == 300)
        #expect(metrics["assay_http_answers_total{status=\"200\"}"] == 1)
      }
    }

    @Test func `a payment with line breaks is answered on one line`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        var recipe = TokenRecipe(index: 2)
        let compact = String(decoding: try merchant.minter.mint(recipe).plaintext, as: UTF8.self)
        recipe.plaintext = Array("{\r\n\t\(compact.dropFirst().dropLast())\n}\n".utf8)
        let broken = try merchant.minter.mint(recipe).bytes
        let answer = try linesRequest(server.address, lines([merchant.token(1), broken, merchant.token(3)]))
        #expect(try answer.outcomes() == (1...3).map { Outcome($0, "accepted") })
        #expect(!answer.body.contains(0x0D) && answer.body.count { $0 == 0x0A } == 3)
      }
    }

    @Test func `a last line needs no line feed, and empty lines are counted but not answered`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        func outcomes(_ text: String) throws -> [Outcome] {
          try linesRequest(server.address, Array(text.utf8)).outcomes()
        }
        let token = String(decoding: try merchant.token(1), as: UTF8.self)
        let second = String(decoding: try merchant.token(2), as: UTF8.self)
        let last = try outcomes("\n \n\t\r\n\(token)\r\n\n{}\r\n\(second)")
        #expect(last == [Outcome(4, "accepted"), Outcome(6, "missingMember"), Outcome(7, "accepted")])
        for nothing in ["", "\n", " ", "\r", "\n\n\r\n  \n"] {
          let answer = try linesRequest(server.address, Array(nothing.utf8))
          #expect(answer.status == 200 && answer.body.isEmpty)
        }
        #expect(try outcomes("x\u{0B}") == [Outcome(1, "malformedJSON")])
        #expect(try outcomes("\u{0}\n\u{0}") == [Outcome(1, "malformedJSON"), Outcome(2, "malformedJSON")])
      }
    }

    @Test func `lines come in pieces of any size`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.replayCapacity = 0
      try await withServer(options) { server in
        let body = lines([Array("{}".utf8)] + (try (1...20).map { try merchant.token($0) }) + [Array("x".utf8)])
        let expected = [Outcome(1, "missingMember")] + (2...21).map { Outcome($0, "accepted") }
        for size in [7, 100, 3_999, 100_000] {
          let client = try Client(server.address)
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(lineType)Transfer-Encoding: chunked\r\n\r\n")
          var rest = body[...]
          while !rest.isEmpty {
            let part = rest.prefix(size)
            client.send(Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8))
            rest = rest.dropFirst(size)
          }
          client.send("0\r\n\r\n")
          let outcomes = try #require(client.receive()).outcomes()
          #expect(outcomes == expected + [Outcome(22, "malformedJSON")])
          #expect(client.isEnded())
        }
      }
    }

    @Test func `a token that stands twice in a request is opened once`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let (first, second) = (try merchant.token(1), try merchant.token(2))
        #expect(try request(server, "POST", "/decrypt", try merchant.token(3)).status == 200)
        let outcomes = try linesRequest(server.address, lines([first, second, first, second, first])).outcomes()
        #expect(outcomes.map(\.code) == ["accepted", "accepted"] + Array(repeating: "replayedTransaction", count: 3))
        #expect(try request(server, "POST", "/decrypt", first).code == "replayedTransaction")
        let again = try linesRequest(server.address, lines([second, try merchant.token(3)])).outcomes().map(\.code)
        #expect(again == ["replayedTransaction", "replayedTransaction"])
      }
    }

    @Test func `two types say that there are lines, others and several do not`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let body = lines([Array("{}".utf8), Array("{}".utf8)])
        for (type, answered) in [
          ("application/x-ndjson", "application/x-ndjson"), ("application/jsonl", "application/jsonl"),
          ("Application/X-NDJSON ; charset=utf-8", "application/x-ndjson"),
        ] {
          let response = try linesRequest(server.address, body, headers: "Content-Type: \(type)\r\n")
          #expect(response.status == 200 && response.headers["content-type"] == answered, "\(type)")
          #expect(try response.outcomes().map(\.code) == ["missingMember", "missingMember"])
        }
        for headers in [
          "", "Content-Type: application/json\r\n", "Content-Type: application/x-ndjsonx\r\n", "Content-Type:\r\n",
          "\(lineType)\(lineType)", "X-\(lineType)",
        ] {
          #expect(try linesRequest(server.address, body, headers: headers).code == "malformedJSON", "\(headers)")
        }
        // A request for a gateway is made from a single token.
        #expect(try linesRequest(server.address, body, to: "/request/mpgs").code == "malformedJSON")
        #expect(try request(server.address, "GET", "/decrypt", headers: lineType).status == 405)
        #expect(try request(server.address, "HEAD", "/decrypt", headers: lineType).status == 405)
      }
    }

    @Test func `lines are taken of known callers, of those who wait to send, and by HTTP 1 0`() async throws {
      let merchant = try Merchant()
      let bearer = "0123456789abcdef0123456789abcdef"
      try merchant.folder.write("\(bearer)\n", to: "bearers")
      var options = merchant.options
      options.files.bearerTokens = merchant.folder.path("bearers")
      options.replayCapacity = 0
      try await withServer(options) { server in
        let body = lines(try (1...30).map { try merchant.token($0) })
        #expect(try linesRequest(server.address, body).status == 401)
        let client = try Client(server.address)
        let headers = "Authorization: Bearer \(bearer)\r\ntraceparent: 00-\(trace)-01\r\nX-Request-Id: many\r\n"
        client.beginLines(length: body.count, headers: "Expect: 100-continue\r\n\(headers)")
        #expect(client.receive()?.status == 100)
        client.send(body)
        let response = try #require(client.receive())
        #expect(try response.outcomes() == (1...30).map { Outcome($0, "accepted") })
        #expect(response.headers["traceparent"] == "00-\(trace)-01" && response.headers["x-request-id"] == "many")
        // The connection stays open.
        client.post("/decrypt", body, headers: "\(lineType)\(headers)")
        #expect(try client.receive()?.outcomes().count == 30)
        let old = try Client(server.address)
        old.send("POST /decrypt HTTP/1.0\r\n\(lineType)\(headers)Content-Length: \(body.count)\r\n\r\n")
        old.send(body)
        #expect(try old.receive()?.outcomes().count == 30)
        #expect(old.isEnded())
      }
    }

    private var trace: String { "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7" }

    @Test func `the access log has one line for all, with what became of them`() async throws {
      let merchant = try Merchant()
      try merchant.folder.write("", to: "access.log")
      let program = try Program(merchant.arguments + ["--access-log", merchant.folder.path("access.log")])
      let token = try merchant.token(1)
      let body = lines([token, token, Array("{}".utf8), [UInt8](repeating: 1, count: 70_000), []])
      let response = try linesRequest(program.address, body, to: "/decrypt/apple")
      #expect(try response.outcomes().last == Outcome(4, "tooLarge"))
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
      let text = try String(contentsOfFile: merchant.folder.path("access.log"), encoding: .utf8)
      let object = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      for (name, value) in [
        ("lines", 4), ("accepted", 1), ("rejected", 2), ("status", 200), ("received", body.count),
        ("sent", response.body.count),
      ] {
        #expect(object[name] as? Int == value, "\(name)")
      }
      #expect(object["path"] as? String == "/decrypt" && object["delivered"] as? Bool == true)
    }
  }
}
