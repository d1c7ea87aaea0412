import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// What the access log says about requests, and what it must not say.
  struct AccessLogTests {
    /// The lines of a log, each a JSON object with all members.
    private func lines(_ path: String) throws -> [[String: Any]] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
        let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        #expect(
          object.keys.sorted() == [
            "code", "delivered", "id", "microseconds", "path", "received", "sent", "status", "time", "traceparent",
          ])
        return object
      }
    }

    private func stop(_ program: Program) {
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `each request has a line, with nothing of the payment, the query or the head`() async throws {
      let merchant = try Merchant()
      let log = merchant.folder.path("access.log")
      let program = try Program(merchant.arguments + ["--access-log", log, "--metrics-listen", "127.0.0.1:0"])
      let token = try merchant.token(1)
      let opened = try request(
        program.address, "POST", "/decrypt?secret=1", token,
        headers: "X-Request-Id: abc-1\r\nAuthorization: secret\r\nCookie: secret\r\n")
      #expect(opened.status == 200 && opened.headers["x-request-id"] == "abc-1")
      // A client may have its answer before its line is in the log, so the next request waits for the line.
      #expect(try await eventually { try lines(log).count == 1 })
      #expect(try request(program.address, "POST", "/request/mpgs", token).code == "replayedTransaction")
      #expect(try await eventually { try lines(log).count == 2 })
      #expect(try request(program.address, "POST", "/decrypt/secret", token).status == 404)
      #expect(try await eventually { try lines(log).count == 3 })
      #expect(try request(program.address, "GET", "/secret").status == 404)
      #expect(try await eventually { try lines(log).count == 4 })
      #expect(try request(try #require(program.metricsAddress), "GET", "/metrics").status == 200)
      let gone = try Client(program.address)
      gone.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\nsecr")
      #expect(
        try await eventually {
          let text = try request(try #require(program.metricsAddress), "GET", "/metrics").text
          return try Metrics(text)["assay_http_requests_under_way"] == 1
        })
      gone.close()
      #expect(try await eventually { try lines(log).count == 5 })
      stop(program)

      let all = try lines(log)
      #expect(all.map { $0["path"] as? String } == ["/decrypt", "/request", "/decrypt", nil, "/decrypt"])
      #expect(all.map { $0["status"] as? Int } == [200, 422, 404, 404, nil])
      #expect(
        all.map { $0["code"] as? String } == [nil, "replayedTransaction", "unknownGateway", "notFound", nil])
      #expect(all.map { $0["delivered"] as? Bool } == [true, true, true, true, false])
      #expect(all.map { $0["received"] as? Int } == [token.count, token.count, token.count, 0, 4])
      #expect(all[0]["sent"] as? Int == opened.body.count && all[0]["id"] as? String == "abc-1")
      #expect(Set(all.compactMap { $0["id"] as? String }).count == 5)
      let text = try String(contentsOfFile: log, encoding: .utf8)
      let payment = try #require(try opened.json()["payment"] as? [String: Any])
      let number = try #require(payment["applicationPrimaryAccountNumber"] as? String)
      #expect(!text.contains("secr") && !text.contains(number) && opened.text.contains(number))
      var facts = stat()
      #expect(stat(log, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
    }

    @Test func `identifiers of clients are passed on if they are safe`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        func identifier(_ headers: String) throws -> String? {
          try request(server.address, "GET", "/live", headers: headers).headers["x-request-id"]
        }
        for id in ["a", "0-A_b.c~9", String(repeating: "x", count: 128)] {
          let passed = try identifier("X-Request-ID: \(id)\r\n")
          #expect(passed == id)
        }
        var made: Set<String> = []
        for headers in [
          "", "X-Request-Id:\r\n", "X-Request-Id: \(String(repeating: "x", count: 129))\r\n", "X-Request-Id: a b\r\n",
          "X-Request-Id: a\",\"status\":200\r\n", "X-Request-Id: a\\u0000\r\n", "X-Request-Id: é\r\n",
          "X-Request-Id: a\u{7F}\r\n", "X-Request-Id: a\r\nX-Request-Id: a\r\n", "X-Request-Id: \u{1B}[2J\r\n",
        ] {
          let id = try #require(try identifier(headers))
          #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil, "\(headers) \(id)")
          made.insert(id)
        }
        #expect(made.count == 10)
      }
    }

    @Test func `a trace is passed on if it is valid`() async throws {
      let merchant = try Merchant()
      try await withServer(merchant.options) { server in
        func parent(_ value: String) throws -> String? {
          try request(server.address, "GET", "/live", headers: "traceparent: \(value)\r\n").headers["traceparent"]
        }
        let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
        let valid = "00-\(trace)-\(span)-01"
        let same = try parent(valid)
        #expect(same == valid)
        for later in ["cc-\(trace)-\(span)-01", "01-\(trace)-\(span)-01-what-comes-later", "fe-\(trace)-\(span)-01-"] {
          #expect(try parent(later) == valid)
        }
        for invalid in [
          "", "00", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-", "00-\(trace)-\(span)-01-x",
          "01-\(trace)-\(span)-01x", "00-\(trace)-\(span)-1", "00-\(trace.uppercased())-\(span)-01",
          "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-\(String(repeating: "0", count: 16))-01",
          "00-\(trace)_\(span)-01", "0g-\(trace)-\(span)-01", "00-\(trace)-\(span)-0\"",
          "\(valid)\r\ntraceparent: \(valid)",
        ] {
          #expect(try parent(invalid) == nil, "\(invalid)")
        }
      }
    }

    @Test func `a pipe that nobody reads delays no request, and lines that are lost are counted`() async throws {
      let merchant = try Merchant()
      let pipe = merchant.folder.path("pipe")
      try #require(mkfifo(pipe, 0o600) == 0)
      #expect(try Program.refusal(merchant.arguments + ["--access-log", pipe]).text.contains("could not be opened"))
      let reader = open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let program = try Program(merchant.arguments.replacing("--timeout", by: "60") + ["--access-log", pipe])
      let client = try Client(program.address)
      let requests = String(repeating: "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", count: 100)
      var dropped = 0.0
      for _ in 0..<600 where dropped == 0 {
        client.send(requests)
        for _ in 0..<100 { #expect(client.receive()?.status == 404) }
        dropped = try Metrics(request(program.address, "GET", "/metrics").text)["assay_access_log_dropped_total"] ?? -1
      }
      #expect(dropped > 0)
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
      // The pipe has only whole lines.
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = read(reader, &bytes, bytes.count)
      let lines = bytes.prefix(count).split(separator: UInt8(ascii: "\n"))
      #expect(lines.count > 100 && lines.allSatisfy { (try? JSONSerialization.jsonObject(with: Data($0))) != nil })
      stop(program)
    }

    @Test func `after SIGHUP the new file gets lines although the old pipe is full`() async throws {
      let merchant = try Merchant()
      let log = merchant.folder.path("access.log")
      try #require(mkfifo(log, 0o600) == 0)
      let reader = open(log, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      let program = try Program(merchant.arguments + ["--access-log", log])
      let client = try Client(program.address)
      func ask(_ count: Int) {
        client.send(String(repeating: "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", count: count))
        for _ in 0..<count { #expect(client.receive()?.status == 404) }
      }
      // More lines than a pipe holds, and fewer than may wait.
      for _ in 0..<10 { ask(100) }
      try FileManager.default.moveItem(atPath: log, toPath: "\(log).1")
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      ask(20)
      #expect(await eventually { (try? lines(log).count) ?? 0 > 20 })
      stop(program)
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = read(reader, &bytes, bytes.count)
      let old = bytes.prefix(max(count, 0)).count { $0 == UInt8(ascii: "\n") }
      // Each line is in the old file or in the new one.
      #expect(try old > 100 && old + lines(log).count == 1_020)
    }

    @Test func `a line that was cut off is kept apart from the next`() throws {
      let merchant = try Merchant()
      try merchant.folder.write("{\"ti", to: "access.log")
      let program = try Program(merchant.arguments + ["--access-log", merchant.folder.path("access.log")])
      #expect(try request(program.address, "GET", "/live").status == 200)
      stop(program)
      let lines = try String(contentsOfFile: merchant.folder.path("access.log"), encoding: .utf8).split(separator: "\n")
      #expect(lines.first == "{\"ti")
      #expect(lines.count == 2 && lines.last?.contains("\"status\":200") == true)
    }

    @Test func `the file may be moved away, and no line is lost`() async throws {
      let merchant = try Merchant()
      let (log, moved) = (merchant.folder.path("access.log"), merchant.folder.path("access.log.1"))
      let program = try Program(merchant.arguments + ["--access-log", log])
      for _ in 0..<10 { #expect(try request(program.address, "GET", "/live").status == 200) }
      try FileManager.default.moveItem(atPath: log, toPath: moved)
      #expect(try request(program.address, "GET", "/live").status == 200)
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      for _ in 0..<10 { #expect(try request(program.address, "GET", "/live").status == 200) }
      stop(program)
      #expect(try lines(log).count >= 10)
      #expect(try lines(log).count + lines(moved).count == 21)
    }

    @Test func `a link is not followed, and standard output is one`() async throws {
      let merchant = try Merchant()
      let (target, link) = (merchant.folder.path("target"), merchant.folder.path("link"))
      try merchant.folder.write("", to: "target")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      let refusal = try Program.refusal(merchant.arguments + ["--access-log", link])
      #expect(refusal.status == 2 && refusal.text.contains("--access-log"))
      let program = try Program(merchant.arguments + ["--access-log", "-"])
      #expect(
        try request(program.address, "GET", "/live", headers: "X-Request-Id: to-output\r\n").status == 200)
      #expect(program.wait(for: "\"id\":\"to-output\"") != nil)
      stop(program)
    }
  }
}
