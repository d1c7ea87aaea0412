import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// Callers that must show a bearer token.
  struct BearerTests {
    private let old = "old-0123456789abcdef0123456789abcd"
    private let new = "new+0123456789abcdef0123456789ab/=="

    private func status(_ address: String, _ token: [UInt8], _ headers: String) throws -> Response {
      try request(address, "POST", "/decrypt", token, headers: headers)
    }

    @Test func `only who shows one of them has tokens opened`() async throws {
      let merchant = try Merchant()
      try merchant.folder.write("\(old)\n\(new)\n", to: "bearers")
      var options = merchant.options
      options.files.bearerTokens = merchant.folder.path("bearers")
      options.replayCapacity = 0
      try await withServer(options) { server in
        let token = try merchant.token(1)
        for headers in [
          "", "Authorization: Bearer\r\n", "Authorization: Bearer \r\n", "Authorization: \(old)\r\n",
          "Authorization: Basic \(old)\r\n", "Authorization: Bearer \(old)x\r\n", "Authorization: Bearer  \(old)\r\n",
          "Authorization: Bearer \(old.dropLast())\r\n", "Authorization: Bearer \(old.uppercased())\r\n",
          "Authorization: Bearer \(old),\(new)\r\n", "Authorization: Bearer \(old)\n\(new)\r\n",
          "Authorization: Bearer \(old)\r\nAuthorization: Bearer \(old)\r\n",
          "Authorization: Bearer \(old)\r\nauthorization: x\r\n", "X-Authorization: Bearer \(old)\r\n",
          "Authorization: Bearer \(String(repeating: "x", count: 8_000))\r\n", "Authorization: Bearer\(old)\r\n",
        ] {
          let response = try status(server.address, token, headers)
          #expect(response.status == 401 || (response.status == 400 && headers.contains("\(old)\n")), "\(headers)")
          #expect(response.headers["www-authenticate"] == "Bearer" || response.status == 400, "\(headers)")
        }
        #expect(server.metrics.submitted == 0)
        for headers in [
          "Authorization: Bearer \(old)\r\n", "authorization: bearer \(new)\r\n", "AUTHORIZATION:\tBEARER \(new)\r\n",
          "Authorization: Bearer \(old) \t \r\n",
        ] {
          let response = try status(server.address, token, headers)
          #expect(response.status == 200, "\(headers)")
        }
        #expect(try request(server, "POST", "/request/mpgs", token).status == 401)
        #expect(try request(server, "POST", "/nowhere", token).status == 404)
        for path in ["/live", "/ready", "/metrics"] { #expect(try request(server, "GET", path).status == 200) }
      }
    }

    @Test func `they are changed without a pause, and a file that cannot be used changes nothing`() async throws {
      let merchant = try Merchant()
      let (folder, log) = (merchant.folder, merchant.folder.path("access.log"))
      try folder.write(old, to: "bearers")
      let program = try Program(
        merchant.arguments + [
          "--bearer-token-file", folder.path("bearers"), "--watch-keys", "1", "--replay", "0", "--access-log", log,
        ])
      let token = try merchant.token(1)
      func isAdmitted(_ bearer: String) throws -> Bool {
        try status(program.address, token, "Authorization: Bearer \(bearer)\r\n").status == 200
      }
      #expect(try isAdmitted(old))
      #expect(try !isAdmitted(new))
      try folder.write("\(new)\n\(old)\n", to: "bearers")
      #expect(program.wait(for: "keys read again") != nil)
      #expect(try isAdmitted(old))
      #expect(try isAdmitted(new))
      try folder.write("\(new)\nshort\n", to: "bearers")
      #expect(program.wait(for: "the old ones stay") != nil)
      #expect(try isAdmitted(old))
      try folder.write("\(new)\n", to: "bearers")
      #expect(try await eventually { try !isAdmitted(old) })
      #expect(try isAdmitted(new))
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
      let lines = try String(contentsOfFile: log, encoding: .utf8)
      #expect(lines.contains("\"status\":401,\"code\":\"unknownCaller\""))
      for secret in [old, new, "short"] { #expect(!lines.contains(secret) && !program.written.contains(secret)) }
    }

    @Test func `a file that is no list of bearer tokens is refused, and not shown`() throws {
      let merchant = try Merchant()
      let arguments = merchant.arguments + ["--bearer-token-file", merchant.folder.path("bearers")]
      for text in [
        "", "\n\n", String(repeating: "a", count: 31), "\(old)\nshort", String(repeating: "a", count: 513),
        "\(old) ", "\(old)\r\n", "=\(old)", "\(old)é", "\(old)\u{0}", "\"\(old)\"",
        String(repeating: "\(old)\n", count: 17),
      ] {
        try merchant.folder.write(text, to: "bearers")
        let refusal = try Program.refusal(arguments)
        #expect(refusal.status == 2 && refusal.text.contains("bearers has"), "\(refusal.text)")
        #expect(!refusal.text.contains(old) && !refusal.text.contains("short"))
      }
      try merchant.folder.write(String(repeating: "a", count: 32), to: "bearers")
      let program = try Program(arguments)
      #expect(try request(program.address, "GET", "/live").status == 200)
      #expect(try Program.refusal(merchant.arguments + ["--bearer-token-file", "/nowhere"]).status == 2)
    }

    @Test func `a pipe is read to its end, and nobody waits for a writer that is silent`() throws {
      let merchant = try Merchant()
      let pipe = merchant.folder.path("bearers")
      let arguments = merchant.arguments + ["--bearer-token-file", pipe]
      try #require(mkfifo(pipe, 0o600) == 0)
      #expect(try Program.refusal(arguments).text.contains("bearers has"))
      let writer = open(pipe, O_RDWR)
      defer { close(writer) }
      #expect(try Program.refusal(arguments).text.contains("bearers could not be read"))
    }
  }
}
