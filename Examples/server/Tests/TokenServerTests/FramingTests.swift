import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// The boundaries of requests, and malformed heads.
  struct FramingTests {
    @Test func `a request that says its length twice is refused, and nothing after it is read`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = String(decoding: try merchant.token(1), as: UTF8.self)
        let hidden = "POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.utf8.count)\r\n\r\n\(token)"
        for (headers, status) in [
          ("Content-Length: 4\r\nTransfer-Encoding: chunked", 400),
          ("Transfer-Encoding: chunked\r\nContent-Length: 4", 400),
          ("Content-Length: 0\r\nContent-Length: 4", 400), ("Content-Length: 4\r\nContent-Length: 4", 400),
          ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
          ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", 400), ("Transfer-Encoding: gzip, chunked", 501),
          ("Transfer-Encoding: identity", 501), ("Transfer-Encoding: \u{0B}chunked", 501),
          ("Transfer-Encoding: chunked, chunked", 501),
          ("Content-Length: 4, 4", 400), ("Content-Length: -1", 400), ("Content-Length: +4", 400),
          ("Content-Length: 0x4", 400),
          ("Content-Length: 4 4", 400), ("Content-Length: ", 400), ("Content-Length: 99999999999999999999", 413),
          ("Content-Length: 18446744073709551615", 413), ("Content-Length : 4", 400),
          ("Content-Length\u{0}: 4", 400), ("Content-Length: 4\u{0}\r\nX: 1", 400), ("Content-Length: 4\u{0}5", 400),
          ("Transfer-Enco: chunked\r\n ding", 400), ("Transfer-Encodin:     chunked\r\n\tg", 400),
          ("X: 1\r\n 2\r\nContent-Length: 4", 400),
          ("Content-Length: 4\nX: 1", 400), ("Transfer-Encoding: chunked\u{0}x", 400),
          ("Transfer-Encoding : chunked", 400), ("X\"Y: 1\r\nContent-Length: 4", 400),
          ("Content-Length:\r\n 4\r\n 5", 400),
          // Lines that a lenient reader takes for the empty one.
          (": x\r\nContent-Length: 4", 400), (":\r\nX: 1", 400), ("::", 400), (":\t\r\nX: 1", 400),
          ("\u{0}\r\nX: 1", 400), ("\u{0}x", 400), ("X: 1\r\n\u{0}: x", 400), ("X: 1\n\r\nX: 1", 400),
          ("Content-Length: 4\u{0}", 400),
        ] {
          let client = try Client(server.address)
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n0\r\n\r\n\(hidden)")
          let response = client.receive()
          #expect(response?.status == status, "\(headers) \(response?.status ?? 0)")
          let second = client.receive(seconds: 2)?.status
          #expect(second == nil, "\(headers)")
          #expect(client.isEnded(), "\(headers)")
        }
        #expect(server.metrics.submitted == 0)
      }
    }

    @Test(arguments: [
      "POST /decrypt HTTP/1.1\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST /decrypt HTTP/1.1\r\nHost: a\r\n\n",
      "POST /decrypt\u{0}x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
      "POST /decrypt\u{0}?gateway=a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
      "GET /live HTTP/1.1\r\n: x\r\n\r\n", "GET /live HTTP/1.1\r\n\u{0}\r\n\r\n",
    ]) func `a head with a bare LF, a NUL or an empty name is refused, and nothing after it is read`(head: String)
      async throws
    {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let client = try Client(server.address)
        client.send("\(head)GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive()?.status == 400)
        #expect(client.receive(seconds: 2) == nil)
        #expect(client.isEnded())
        // Requests without the fault are answered.
        let other = try Client(server.address)
        let paths = ["/live", "/live?a=b", "/live?", "/live?a", "/live?a=&b", "/live?="]
        other.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for path in paths { #expect(other.receive()?.status == 200, "\(path)") }
      }
    }

    @Test func `a NUL at each position of the request line, and a CR at each of a value, is 400 and closes`() throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      let (line, field) = ("POST /decrypt?a=b&gateway=apple HTTP/1.1", "X: 1\t2")
      func head(_ line: String, _ field: String) -> String {
        "\(line)\r\nHost: a\r\n\(field)\r\nContent-Length: 0\r\n\r\n"
      }
      func heads(_ text: String, from first: Int, _ added: String, _ head: (String) -> String) -> [String] {
        (first...text.utf8.count).map { place in
          var changed = text
          changed.insert(contentsOf: added, at: text.utf8.index(text.startIndex, offsetBy: place))
          return head(changed)
        }
      }
      let bad =
        ["\u{0}", "\u{0}\u{0}"].flatMap { heads(line, from: 0, $0) { head($0, field) } }
        + heads("POST /decrypt HTTP/1.1", from: 0, "\u{0}") { head($0, field) }
        + ["\r", "\u{0}", "\rContent-Length: 4"].flatMap { heads(field, from: 2, $0) { head(line, $0) } }
        + [head("POST /decrypt?gateway=apple&gateway=mpgs HTTP/1.1", field), head(line, "Host: a")]
      for head in bad {
        let client = try Client(program.address)
        client.send("\(head)GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
        let (name, response) = (head.debugDescription, client.receive())
        #expect(response?.status == 400 || response?.status == 505, "\(name) \(response?.status ?? 0)")
        #expect(client.receive(seconds: 2) == nil && client.isEnded(), "\(name)")
      }
      // Requests without the fault are answered.
      let good = try Client(program.address)
      for target in ["/decrypt?a=b&gateway=apple", "/decrypt?", "/decrypt?gateway=apple&b"] {
        good.send(head("POST \(target) HTTP/1.1", field))
        #expect(good.receive()?.code == "malformedJSON", "\(target)")
      }
      good.send(head(line, "Content-Encoding: gzip\r\nContent-Encoding: identity"))
      #expect(good.receive()?.status == 415)
    }

    @Test func `chunked bodies are taken in any pieces, malformed ones not`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        var index: UInt64 = 0
        for size in [1, 7, 100, 4_000, 100_000] {
          index += 1
          let client = try Client(server.address)
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
          var rest = try merchant.token(index)[...]
          while !rest.isEmpty {
            let part = rest.prefix(size)
            client.send(Array("\(String(part.count, radix: 16));extension=1\r\n".utf8) + part + Array("\r\n".utf8))
            rest = rest.dropFirst(size)
          }
          client.send("0\r\nTrailer: 1\r\n\r\n")
          let response = client.receive()
          #expect(response?.status == 200)
          #expect(response?.headers["connection"]?.lowercased() == "close")
          #expect(client.isEnded())
        }
        for body in ["x\r\n", "-1\r\n", "4\r\nabcdefgh\r\n", "ffffffffffffffffff\r\n"] {
          let client = try Client(server.address)
          client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
          let status = client.receive()?.status
          #expect(status == 400 || status == 413, "\(body) \(status ?? 0)")
          #expect(client.isEnded())
        }
        #expect(server.metrics.submitted == index)
      }
    }

    @Test func `bodies that are too large are refused, and the connection lives if they were read`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.limits.body = 10_000
      try await withServer(options) { server in
        let large = [UInt8](repeating: 1, count: 10_001)
        let client = try Client(server.address)
        client.post("/decrypt", large)
        #expect(client.receive()?.status == 413)
        client.post("/decrypt", try merchant.token(1))
        #expect(client.receive()?.status == 200)
        client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2711\r\n")
        client.send(large + Array("\r\n0\r\n\r\n".utf8))
        #expect(client.receive()?.status == 413)
        #expect(client.isEnded())

        // A body that is announced as enormous is refused before it is read.
        let other = try Client(server.address)
        other.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n")
        #expect(other.receive()?.status == 413)
        #expect(other.isEnded())
        // A chunked body announces no size; it is read up to the limit.
        let endless = try Client(server.address)
        endless.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        var sent = 0
        while sent < 1_000, endless.send(Array("2711\r\n".utf8) + large + Array("\r\n".utf8)) { sent += 1 }
        #expect(sent < 1_000)
        #expect(server.metrics.submitted == 1)
      }
    }

    @Test func `a client that waits to send its body hears at once whether it is wanted`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        func ask(_ path: String, _ length: Int) throws -> Client {
          let client = try Client(server.address)
          client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: \(length)\r\n\r\n")
          return client
        }
        let client = try ask("/decrypt", token.count)
        #expect(client.receive()?.status == 100)
        client.send(token)
        #expect(client.receive()?.status == 200)
        #expect(try ask("/nowhere", token.count).receive()?.status == 404)
        #expect(try ask("/decrypt", 300_000).receive()?.status == 413)
        #expect(try ask("/ready", token.count).receive()?.status == 405)
      }
    }

    @Test func `requests that are sent at once are answered in order`() async throws {
      let merchant = try Merchant()
      let gate = Gate()
      try await withServer(merchant.options, replay: gate) { server in
        let client = try Client(server.address)
        var all: [UInt8] = []
        for index in 1...20 {
          let token = try merchant.token(UInt64(index))
          all += Array("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n".utf8) + token
          if index.isMultiple(of: 5) { all += Array("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n".utf8) }
        }
        client.send(all)
        #expect(await eventually { gate.asked.load(ordering: .relaxed) == 1 })
        #expect(server.metrics.inFlight == 1)
        gate.open()
        for index in 1...20 {
          let response = try #require(client.receive())
          let minted = try merchant.minter.mint(.init(index: UInt64(index)))
          let id = try response.json()["transactionId"] as? String
          #expect(id == minted.transactionId.map { String(format: "%02x", $0) }.joined())
          if index.isMultiple(of: 5) { #expect(client.receive()?.text == "ready\n") }
        }
      }
    }

    @Test func `heads that are too large or malformed are answered or cut off`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        for head in [
          "GET /ready HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n",
          "GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
          "GET /ready HTTP/1.1\r\n\(String(repeating: "X: 1\r\n", count: 20_000))\r\n",
          "GET /ready?\(String(repeating: "a&", count: 40_000)) HTTP/1.1\r\nHost: a\r\n\r\n",
          String(repeating: "a", count: 200_000),
          "GET /ready HTTP/1.1\r\n\r\n",  // no Host
          "GET /ready HTTP/9.9\r\nHost: a\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n",
          "\u{16}\u{3}\u{1}\r\n\r\n",
        ] {
          let client = try Client(server.address)
          client.send(head)
          if let response = client.receive(seconds: 5) { #expect(response.status != 200 && response.status >= 400) }
          client.close()
        }
        #expect(try request(server, "GET", "/ready").status == 200)
      }
    }

    @Test func `heads of many sizes are read, in pieces and at once`() async throws {
      let merchant = try Merchant()
      var options = merchant.options
      options.replayCapacity = 0
      try await withServer(options) { server in
        let token = try merchant.token(1)
        let client = try Client(server.address)
        for size in [0, 1, 100, 1_000, 1_900, 3_000, 9_000, 14_000, 20_000] {
          for piece in [size + 10_000, 1_001] {
            let fields = stride(from: 0, to: size, by: 500).map {
              "X-\($0):\t \(String(repeating: "v", count: min(480, size - $0)))\r\n"
            }
            let head =
              "POST /decrypt HTTP/1.1\r\nHost: a\r\nEmpty:\r\n\(fields.joined())Content-Length: \(token.count)\r\n\r\n"
            var rest = (Array(head.utf8) + token)[...]
            while !rest.isEmpty {
              client.send(Array(rest.prefix(piece)))
              rest = rest.dropFirst(piece)
              if piece == 1_001 { usleep(2_000) }
            }
            let status = client.receive()?.status
            #expect(status == 200, "\(size) \(piece)")
          }
        }
      }
    }

    @Test func `HTTP 1 0 is spoken`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        let token = try merchant.token(1)
        let client = try Client(server.address)
        client.send(Array("POST /decrypt HTTP/1.0\r\nContent-Length: \(token.count)\r\n\r\n".utf8) + token)
        #expect(client.receive()?.status == 200)
        #expect(client.isEnded())
      }
    }
  }
}
