import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// TLS, and certificates of clients.
  @Suite(.enabled(if: Tool.areForTLS)) struct TLSTests {
    /// A server's certificate by one authority, clients' by another.
    private struct Setting {
      let merchant: Merchant
      let (servers, clients): (Authority, Authority)
      var folder: TemporaryFolder { merchant.folder }

      init() throws {
        merchant = try Merchant()
        servers = try Authority("servers", in: merchant.folder)
        clients = try Authority("clients", in: merchant.folder)
        try servers.issue("server", names: "IP:127.0.0.1", use: "serverAuth")
        try clients.issue("good", names: "DNS:proxy.example,URI:spiffe://shop/proxy")
      }

      var arguments: [String] {
        merchant.arguments + ["--tls-cert", folder.path("server.pem"), "--tls-key", folder.path("server.key")]
      }

      var mutual: [String] { arguments + ["--client-ca", clients.certificate] }

      /// The status of an answer to curl, with a client's certificate or none; 0 where there is no answer.
      func status(_ program: Program, _ client: String?, path: String = "/live", _ options: [String] = []) throws -> Int
      {
        Int(try statuses(program, client, path: path, options)) ?? 0
      }

      /// The statuses of several answers, joined.
      func statuses(_ program: Program, _ client: String?, path: String, _ options: [String] = []) throws -> String {
        let shown = client.map { ["--cert", folder.path("\($0).pem"), "--key", folder.path("\($0).key")] } ?? []
        let words = ["curl", "-sS", "--max-time", "10", "-o", folder.path("answer"), "-w", "%{http_code}"]
        let url = "https://\(program.address)\(path)"
        return try #require(try Tool(words + ["--cacert", servers.certificate] + shown + options + [url])).output
      }
    }

    @Test func `tokens are opened by TLS, in versions 1 2 and 1 3`() async throws {
      let setting = try Setting()
      let program = try Program(setting.arguments + ["--metrics-listen", "127.0.0.1:0"])
      try String(decoding: try setting.merchant.token(1), as: UTF8.self).write(
        toFile: setting.folder.path("token"), atomically: true, encoding: .utf8)
      let body = ["--data-binary", "@\(setting.folder.path("token"))"]
      #expect(try setting.status(program, nil, path: "/decrypt", body) == 200)
      let answer = try String(contentsOfFile: setting.folder.path("answer"), encoding: .utf8)
      #expect(answer.contains("applicationPrimaryAccountNumber"))
      for version in ["1.2", "1.3"] {
        #expect(
          try setting.status(program, nil, path: "/nowhere", ["--tlsv\(version)", "--tls-max", version]) == 404)
      }
      // At security level 0 OpenSSL also offers older versions.
      for (version, isSpoken) in [("-tls1_2", true), ("-tls1_1", false), ("-tls1", false)] {
        let connection = try TLSConnection(program.address, [version, "-cipher", "ALL:@SECLEVEL=0"])
        let text = connection.get("/nowhere", until: "notFound")
        #expect(text.contains("404") == isSpoken, "\(version)")
      }
      // Plain HTTP gets no answer at this address, but one at the address of metrics.
      let plain = try Client(program.address)
      plain.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(plain.receive(seconds: 3) == nil)
      #expect(try request(try #require(program.metricsAddress), "GET", "/metrics").status == 200)
      // Many requests on one connection.
      #expect(
        try setting.statuses(program, nil, path: "/nowhere?[1-300]") == String(repeating: "404", count: 300))
    }

    @Test func `lines are opened by TLS, also while others have to be answered first`() throws {
      let setting = try Setting()
      let program = try Program(setting.arguments)
      let body = lines(try (1...300).map { try setting.merchant.token($0) })
      try setting.folder.write(String(decoding: body, as: UTF8.self), to: "lines")
      for headers in [[], ["-H", "Transfer-Encoding: chunked"]] {
        let options = ["-H", "Content-Type: application/x-ndjson", "--data-binary", "@\(setting.folder.path("lines"))"]
        #expect(try setting.status(program, nil, path: "/decrypt", options + headers) == 200)
        let answer = try String(contentsOfFile: setting.folder.path("answer"), encoding: .utf8)
        let code = headers.isEmpty ? "\"accepted\":true" : "replayedTransaction"
        #expect(answer.split(separator: "\n").count { $0.contains(code) } == 300)
      }
    }

    @Test func `clients without a certificate that is vouched for get no answer`() async throws {
      let setting = try Setting()
      let program = try Program(setting.mutual + ["--metrics-listen", "127.0.0.1:0"])
      let (clients, servers) = (setting.clients, setting.servers)
      try clients.issue("expired", days: -1)
      try clients.issue("purpose", use: "serverAuth")
      try servers.issue("foreign")
      try Authority("clients2", in: setting.folder).issue("unknown", subject: "/CN=client")
      #expect(try setting.status(program, "good", path: "/nowhere") == 404)
      for client in [nil, "expired", "purpose", "foreign", "unknown", "clients2"] {
        for version in ["1.2", "1.3"] {
          let status = try setting.status(program, client, path: "/nowhere", ["--tls-max", version])
          #expect(status == 0, "\(client ?? "none") \(version)")
        }
      }
      #expect(try setting.status(program, "good", path: "/nowhere") == 404)
      let metrics = try Metrics(request(try #require(program.metricsAddress), "GET", "/metrics").text)
      #expect(metrics["assay_http_answers_total{status=\"404\"}"] == 2)
    }

    @Test func `a client's certificate has to have a name that is allowed`() async throws {
      let setting = try Setting()
      let program = try Program(
        setting.mutual + [
          "--client-name", "proxy.example", "--client-name=spiffe://shop/other", "--client-name", "bare",
          "--client-name", "till@shop.example",
        ])
      let clients = setting.clients
      try clients.issue("uri", names: "URI:spiffe://shop/other")
      try clients.issue("bare", names: "DNS:bare")
      try clients.issue("mail", names: "email:till@shop.example")
      for client in ["good", "uri", "bare", "mail"] {
        #expect(try setting.status(program, client, path: "/nowhere") == 404, "\(client)")
      }
      try clients.issue("other", names: "DNS:other.example")
      // The constraints of an authority do not bind its common names, nor names of other kinds.
      try clients.issue("common", subject: "/CN=bare")
      try clients.issue("both", subject: "/CN=bare", names: "DNS:other.example")
      try clients.issue("mailbox", names: "email:bare")
      try clients.issue("domain", names: "URI:proxy.example")
      try clients.issue("wildcard", names: "DNS:*.example")
      try clients.issue("longer", names: "DNS:proxy.example.other")
      try clients.issue("shorter", names: "DNS:proxy.exampl")
      try clients.issue("nul", names: "DER:300F820D70726F78792E6578616D706C65")
      #expect(try setting.status(program, "nul", path: "/nowhere") == 404)
      try clients.issue("nul", names: "DER:3011820F70726F78792E6578616D706C650078")
      try clients.issue("address", names: "IP:127.0.0.1")
      try clients.issue("none", subject: "/O=bare")
      for client in [
        "other", "common", "both", "mailbox", "domain", "wildcard", "longer", "shorter", "nul", "address", "none",
      ] {
        #expect(try setting.status(program, client, path: "/nowhere") == 403, "\(client)")
        #expect(
          try String(contentsOfFile: setting.folder.path("answer"), encoding: .utf8).contains("clientNotAllowed"))
      }
    }

    @Test func `new files hold for new connections, and live ones end with their next answer`() async throws {
      let setting = try Setting()
      let folder = setting.folder
      let program = try Program(setting.mutual)
      let shown = ["-cert", folder.path("good.pem"), "-key", folder.path("good.key")]
      let live = try TLSConnection(program.address, shown)
      let other = try TLSConnection(program.address, shown)
      #expect(live.get("/live", until: "alive\n").contains("200 OK"))
      #expect(other.get("/live", until: "alive\n").contains("200 OK"))

      // A server's certificate by an authority that curl is not told of, and other authorities for clients.
      let (newServers, newClients) = (try Authority("new", in: folder), try Authority("newer", in: folder))
      try newServers.issue("server", names: "IP:127.0.0.1", use: "serverAuth")
      try newClients.issue("late")
      #expect(try setting.status(program, "good") == 200)
      try FileManager.default.removeItem(atPath: setting.clients.certificate)
      try FileManager.default.copyItem(atPath: newClients.certificate, toPath: setting.clients.certificate)
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      #expect(try setting.status(program, "late") == 0)
      #expect(try setting.status(program, "late", ["--cacert", newServers.certificate]) == 200)
      #expect(try setting.status(program, "good", ["--cacert", newServers.certificate]) == 0)
      let last = live.get("/live", until: "alive\n")
      #expect(last.contains("200 OK") && last.lowercased().contains("connection: close"))
      #expect(live.get("/live", until: "alive\n").isEmpty)

      // Files that do not fit each other change nothing.
      try newServers.issue("stranger", use: "serverAuth")
      try FileManager.default.removeItem(atPath: folder.path("server.key"))
      try FileManager.default.copyItem(atPath: folder.path("stranger.key"), toPath: folder.path("server.key"))
      program.signal(SIGHUP)
      #expect(program.wait(for: "the old ones stay") != nil)
      #expect(try setting.status(program, "late", ["--cacert", newServers.certificate]) == 200)
      #expect(try Program.refusal(setting.mutual).status == 2)
    }

    @Test func `a client whose authority is withdrawn has no token opened from then on, also of lines under way`()
      async throws
    {
      let setting = try Setting()
      let (folder, merchant) = (setting.folder, setting.merchant)
      let newer = try Authority("newer", in: folder)
      try newer.issue("late")
      func allow(_ authorities: [Authority]) throws {
        let files = try authorities.map { try String(contentsOfFile: $0.certificate, encoding: .utf8) }
        try folder.write(files.joined(), to: "authorities")
      }
      try allow([setting.clients, newer])
      var options = merchant.options
      options.files.tlsCertificate = folder.path("server.pem")
      options.files.tlsKey = folder.path("server.key")
      options.files.clientAuthority = folder.path("authorities")
      try await withServer(options) { server in
        // Each client has one connection for lines, and one for a single token.
        let connections = try ["good", "late", "good", "late"].map { client in
          try TLSConnection(
            server.address, ["-cert", folder.path("\(client).pem"), "-key", folder.path("\(client).key")])
        }
        let bodies = try ([1...20, 21...40] as [ClosedRange<UInt64>]).map {
          try lines($0.map { try merchant.token($0) })
        }
        // Twelve lines, and a part of the next one.
        let begun = try lines((1...12).map { try merchant.token($0) }).count + 1_000
        func head(_ size: Int, _ fields: String = "") -> [UInt8] {
          Array("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(size)\r\n\r\n".utf8)
        }
        for (connection, body) in zip(connections, bodies) {
          connection.send(head(body.count, lineType) + body[..<begun])
        }
        for connection in connections[2...] { _ = connection.get("/live", until: "alive\n") }
        #expect(await eventually { server.metrics.accepted == 24 })
        try allow([newer])
        try server.reloadKeys()
        for (connection, body) in zip(connections, bodies) { connection.send(Array(body[begun...])) }
        let outcomes = try connections[..<2].map { connection in
          let body = connection.receive(until: "\"line\":20}\n").components(separatedBy: "\r\n\r\n").last ?? ""
          return try Response(status: 200, headers: [:], body: Array(body.utf8)).outcomes()
        }
        #expect(outcomes[0] == (1...20).map { Outcome($0, $0 <= 12 ? "accepted" : "clientNotAllowed") })
        #expect(outcomes[1] == (1...20).map { Outcome($0, "accepted") })
        let answers = try zip(connections[2...], [13, 41] as [UInt64]).map { connection, index in
          let token = try merchant.token(index)
          connection.send(head(token.count) + token)
          return connection.receive(until: "}\n")
        }
        #expect(answers.map { $0.prefix(12) } == ["HTTP/1.1 403", "HTTP/1.1 200"])
        #expect(answers[0].contains("No authority of clients vouches"))
        // No further token of the refused client was opened.
        #expect(server.metrics.submitted == 33)
      }
    }

    @Test func `a connection whose client certificate expires gets 403 for its next request and its next line`()
      async throws
    {
      let setting = try Setting()
      let (folder, merchant) = (setting.folder, setting.merchant)
      let program = try Program(setting.mutual.replacing("--timeout", by: "120"))
      let tokens = try (1...4).map { try merchant.token($0) }
      let body = lines(tokens)
      func head(_ size: Int, _ fields: String = "") -> [UInt8] {
        Array("POST /decrypt HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: \(size)\r\n\r\n".utf8)
      }
      // A slow machine needs a longer validity to connect before its end.
      for seconds in [4, 8, 16, 32, 64] {
        try setting.clients.issue("short", seconds: seconds)
        // `end` is not earlier than the end of the validity.
        let end = Int(time(nil)) + seconds
        let shown = ["-cert", folder.path("short.pem"), "-key", folder.path("short.key")]
        let (single, many) = (try TLSConnection(program.address, shown), try TLSConnection(program.address, shown))
        guard single.get("/live", until: "alive\n").contains("200 OK"),
          many.get("/live", until: "alive\n").contains("200 OK")
        else { continue }
        many.send(head(body.count, lineType) + body[..<(tokens[0].count + 9)])
        while time(nil) <= end { try await Task.sleep(for: .milliseconds(50)) }
        single.send(head(tokens[1].count) + tokens[1])
        let answer = single.receive(until: "}\n")
        #expect(answer.hasPrefix("HTTP/1.1 403") && answer.contains("has expired"), "\(answer)")
        #expect(answer.lowercased().contains("connection: close"))
        #expect(single.get("/live", until: "alive\n").isEmpty)
        many.send(Array(body[(tokens[0].count + 9)...]))
        let text = many.receive(until: "\"line\":4}\n").components(separatedBy: "\r\n\r\n").last ?? ""
        let outcomes = try Response(status: 200, headers: [:], body: Array(text.utf8)).outcomes()
        #expect(Array(outcomes.dropFirst()) == (2...4).map { Outcome($0, "clientNotAllowed") })
        return
      }
      Issue.record("no connection was made within a certificate's validity")
    }

    @Test func `an expired certificate that the client's chain does not need ends no connection`() throws {
      let setting = try Setting()
      let (folder, merchant) = (setting.folder, setting.merchant)
      try setting.clients.issue("old", days: -1)
      try setting.clients.issue("new")
      let program = try Program(setting.mutual)
      let connection = try TLSConnection(
        program.address,
        ["-cert", folder.path("new.pem"), "-key", folder.path("new.key"), "-cert_chain", folder.path("old.pem")])
      for index in 1...3 as ClosedRange<UInt64> {
        let token = try merchant.token(index)
        let head = "POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(token.count)\r\n\r\n"
        connection.send(Array(head.utf8) + token)
        let answer = connection.receive(until: "}\n")
        #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.lowercased().contains("connection: close"), "\(answer)")
      }
    }

    @Test func `half a handshake is cut off`() async throws {
      let setting = try Setting()
      var options = setting.merchant.options
      options.files.tlsCertificate = setting.folder.path("server.pem")
      options.files.tlsKey = setting.folder.path("server.key")
      options.metricsListen = .loopback(port: 0)
      options.limits.timeout = 1
      try await withServer(options) { server in
        let clients = try (0..<10).map { _ in try Client(server.address) }
        for (index, client) in clients.enumerated() { client.send(Array([0x16, 3, 1, 2, 0, 1, 0][..<min(index, 7)])) }
        for client in clients { #expect(client.isEnded()) }
        let metrics = try #require(server.metricsAddress)
        #expect(
          try await eventually { try Metrics(request(metrics, "GET", "/metrics").text)["assay_http_connections"] == 0 })
      }
    }

    @Test func `options of TLS that do not fit each other are refused`() throws {
      let setting = try Setting()
      let (plain, folder) = (setting.merchant.arguments, setting.folder)
      for arguments in [
        plain + ["--tls-cert", folder.path("server.pem")], plain + ["--tls-key", folder.path("server.key")],
        plain + ["--client-ca", setting.clients.certificate], setting.arguments + ["--client-name", "a"],
        setting.mutual + ["--client-name", ""],
      ] {
        #expect(try Program.refusal(arguments).status == 64)
      }
      for arguments in [
        setting.arguments.replacing("--tls-key", by: folder.path("good.key")),
        setting.arguments + ["--client-ca", "/nowhere"],
        setting.arguments + ["--client-ca", folder.path("server.key")],
      ] {
        let refusal = try Program.refusal(arguments)
        #expect(refusal.status == 2, "\(refusal.text)")
      }
    }
  }
}
