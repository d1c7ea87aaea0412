import Foundation
import Testing

extension ServerTests {
  /// Signals, also when the system gives the program no more threads or descriptors.
  struct SignalTests {
    @Test(.enabled(if: Program.withoutRights != nil && Program.canBeLimited, "setpriv or prlimit is missing"))
    func `a server whose user has no thread left ends with 0 or 70 within the bound after SIGTERM`() throws {
      let merchant = try Merchant()
      try merchant.openToAll()
      let words = Program.withoutRights ?? []
      let program = try Program(merchant.arguments + ["--grace", "1"], through: words)
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
      try program.limit("--nproc=1:1", through: words)
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(2)).status == 200)
      program.signal(SIGTERM)
      // The bound is six seconds.
      try #require(program.ends(within: .seconds(20)), "\(program.written)")
      #expect([0, 70].contains(program.waitForExit()), "\(program.written)")
    }

    @Test(.enabled(if: Program.canBeLimited, "prlimit is not installed"))
    func `SIGTERM with all descriptors in use answers what was taken, and the exit code is 0`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments.replacing("--timeout", by: "60"))
      let (client, token) = (try Client(program.address), try merchant.token(1))
      client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(client.receive()?.status == 200)
      client.send(
        Array("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n".utf8) + token[..<9])
      #expect(
        try await eventually {
          try Metrics(request(program.address, "GET", "/metrics").text)["assay_http_requests_under_way"] == 1
        })
      try program.limit("--nofile=8:1024")
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      client.send(Array(token[9...]))
      #expect(client.receive()?.status == 200)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `a bearer token that is revoked while the server drains is 401`() throws {
      let merchant = try Merchant()
      let bearers = ["a", "b"].map { String(repeating: $0, count: 40) }
      try merchant.folder.write(bearers[0], to: "bearers")
      let program = try Program(
        merchant.arguments + ["--drain", "60", "--grace", "0", "--bearer-token-file", merchant.folder.path("bearers")])
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      func status(_ index: UInt64, _ bearer: String) throws -> Int {
        try request(
          program.address, "POST", "/decrypt", try merchant.token(index), headers: "Authorization: Bearer \(bearer)\r\n"
        ).status
      }
      #expect(try bearers.map { try status(1, $0) } == [200, 401])
      try merchant.folder.write(bearers[1], to: "bearers")
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      #expect(try bearers.map { try status(2, $0) } == [401, 200])
    }

    @Test func `after the drain no file is read`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments.replacing("--timeout", by: "60") + ["--drain", "0"])
      let (client, token) = (try Client(program.address), try merchant.token(1))
      client.send(
        Array("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n".utf8) + token[..<9])
      #expect(
        try await eventually {
          try Metrics(request(program.address, "GET", "/metrics").text)["assay_http_requests_under_way"] == 1
        })
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      program.signal(SIGHUP)
      client.send(Array(token[9...]))
      #expect(client.receive()?.status == 200)
      #expect(program.waitForExit() == 0 && program.count("keys read again") == 1, "\(program.written)")
    }

    @Test func `each SIGHUP gets a line, also the second failure, and those of the watch get one`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--watch-keys", "1"])
      try merchant.folder.write("-----BEGIN", to: "merchant.key")
      // The watch tries again every second.
      func failures() throws -> Double {
        try Metrics(request(program.address, "GET", "/metrics").text)["assay_keys_loads_total{result=\"failed\"}"] ?? -1
      }
      #expect(try await eventually { try failures() >= 2 })
      #expect(program.count("the old ones stay") == 1)
      for count in 2...4 {
        program.signal(SIGHUP)
        #expect(await eventually { program.count("the old ones stay") == count }, "\(program.written)")
      }
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `SIGUSR1 and SIGUSR2 during a request in lines do not end it`() throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      let body = lines([try merchant.token(1), try merchant.token(2)])
      let client = try Client(program.address)
      client.beginLines(length: body.count)
      client.send(Array(body[..<100]))
      program.signal(SIGUSR1)
      program.signal(SIGUSR2)
      client.send(Array(body[100...]))
      #expect(try client.receive()?.outcomes() == [Outcome(1, "accepted"), Outcome(2, "accepted")])
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }
  }
}
