import Foundation
import Gateways
import Minting
import Testing

extension ServerTests {
  /// The program as it is run.
  struct ProgramTests {
    @Test func `it answers, stops at a signal, and says nothing of tokens`() async throws {
      let merchant = try Merchant()
      for number in [SIGTERM, SIGINT] {
        let program = try Program(merchant.arguments)
        let response = try request(program.address, "POST", "/decrypt", try merchant.token(1))
        #expect(response.status == 200)
        let accountNumber = try #require(
          (try response.json()["payment"] as? [String: Any])?["applicationPrimaryAccountNumber"] as? String)
        #expect(try request(program.address, "POST", "/decrypt?secret", Array("{\"secret\":1}".utf8)).status == 422)
        program.signal(number)
        #expect(program.waitForExit() == 0, "\(program.written)")
        #expect(!program.written.contains(accountNumber) && !program.written.contains("secret"))
        // The lines are about --now, what a restart forgets, where it listens, "stopping" and "stopped".
        #expect(program.written.split(separator: "\n").count == 5)
      }
    }

    @Test func `stopping answers what was taken, and takes no more`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      let (first, second) = (try merchant.token(1), try merchant.token(2))
      let (half, idle) = (try Client(program.address), try Client(program.address))
      half.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: \(first.count)\r\n\r\n")
      half.send(Array(first.prefix(100)))
      idle.send("GET /ready HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(idle.receive()?.status == 200)
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      #expect(await eventually { isRefused(program) })
      idle.post("/decrypt", second)
      let late = idle.receive()
      #expect(late?.status == 503)
      #expect(late?.code == "shutDown")
      half.send(Array(first.dropFirst(100)))
      #expect(half.receive()?.status == 200)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    /// Whether a new connection is refused at once, as by a closed port, rather than accepted and not answered.
    private func isRefused(_ program: Program) -> Bool { (try? Client(program.address)) == nil }

    @Test func `before it stops listening it can say for a while that it is not ready`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--drain", "1"])
      #expect(try request(program.address, "GET", "/ready").text == "ready\n")
      program.signal(SIGTERM)
      #expect(program.wait(for: "stopping") != nil)
      #expect(await eventually { (try? request(program.address, "GET", "/ready").status) == 503 })
      #expect(try request(program.address, "GET", "/live").status == 200)
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `half a request does not keep it from stopping`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments.replacing("--timeout", by: "60") + ["--grace", "1"])
      let client = try Client(program.address)
      client.send("POST /decrypt HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc")
      try await Task.sleep(for: .milliseconds(100))
      let begin = ContinuousClock.now
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
      #expect(ContinuousClock.now - begin < .seconds(3))
    }

    @Test func `keys are read again at SIGHUP, and those that cannot be read change nothing`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      func status(_ index: UInt64, of merchantNumber: Int) throws -> Int {
        try request(program.address, "POST", "/decrypt", try merchant.token(index, merchant: merchantNumber)).status
      }
      #expect(try status(1, of: 0) == 200)
      #expect(try status(2, of: 1) == 422)
      try merchant.writeKey(1)
      #expect(try status(3, of: 0) == 200)
      program.signal(SIGHUP)
      #expect(program.wait(for: "keys read again") != nil)
      #expect(try status(4, of: 0) == 422)
      #expect(try status(5, of: 1) == 200)

      try merchant.folder.write("-----BEGIN PRIVATE KEY-----\nMIG\n", to: "merchant.key")
      program.signal(SIGHUP)
      let line = try #require(program.wait(for: "the old ones stay"))
      #expect(line.contains("merchant.key") && line.contains("malformedPEM"))
      #expect(try status(6, of: 1) == 200)
      let metrics = try await settledMetrics(program.address)
      #expect(metrics["assay_keys_loads_total{result=\"ok\"}"] == 2)
      #expect(metrics["assay_keys_loads_total{result=\"failed\"}"] == 1)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `changed keys are noticed, also where a link is moved to them`() async throws {
      let merchant = try Merchant()
      // As Kubernetes does: the files are links into ..data, which is a link to a folder.
      let (folder, manager) = (merchant.folder, FileManager.default)
      func publish(_ merchantNumber: Int) throws {
        let version = "..version-\(merchantNumber)"
        try manager.createDirectory(atPath: folder.path(version), withIntermediateDirectories: false)
        let key = merchant.minter.merchants[merchantNumber].keys[0]
        try folder.write(key.pkcs8PEM, to: "\(version)/merchant.key")
        try folder.write(key.certificatePEM, to: "\(version)/merchant.pem")
        try manager.createSymbolicLink(atPath: folder.path("..new"), withDestinationPath: version)
        try #require(rename(folder.path("..new"), folder.path("..data")) == 0)
      }
      try publish(0)
      for name in ["merchant.key", "merchant.pem"] {
        try manager.removeItem(atPath: folder.path(name))
        try manager.createSymbolicLink(atPath: folder.path(name), withDestinationPath: "..data/\(name)")
      }
      let program = try Program(merchant.arguments + ["--watch-keys", "1"])
      func status(_ index: UInt64, of merchantNumber: Int) throws -> Int {
        try request(program.address, "POST", "/decrypt", try merchant.token(index, merchant: merchantNumber)).status
      }
      #expect(try status(1, of: 0) == 200)
      try publish(1)
      #expect(program.wait(for: "keys read again") != nil)
      #expect(try status(2, of: 0) == 422)
      #expect(try status(3, of: 1) == 200)

      // A file that is written in place, and cannot be used.
      try "-----BEGIN".write(toFile: folder.path("..version-1/merchant.key"), atomically: false, encoding: .utf8)
      #expect(program.wait(for: "the old ones stay") != nil)
      #expect(try status(4, of: 1) == 200)
      #expect(program.written.components(separatedBy: "keys read again").count == 2)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `rotation under load refuses no token of a key that stays`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--replay", "0"])
      let token = try merchant.token(1)
      let client = try Client(program.address)
      var count = 0
      while count < 5_000 {
        if count.isMultiple(of: 100) { program.signal(SIGHUP) }
        client.post("/decrypt", token)
        guard client.receive()?.status == 200 else { break }
        count += 1
      }
      #expect(count == 5_000)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test(.enabled(if: Tool.isInstalled("openssl"), "openssl is not installed"))
    func `a .p12 file is read, with its password`() async throws {
      let merchant = try Merchant()
      try merchant.folder.write("geheim\n", to: "password")
      let tool = try Tool([
        "openssl", "pkcs12", "-export", "-inkey", merchant.files.keys[0], "-in", merchant.files.certificates[0], "-out",
        merchant.folder.path("merchant.p12"), "-passout", "file:\(merchant.folder.path("password"))",
      ])
      try #require(tool?.status == 0)
      let rest = Array(merchant.arguments.dropFirst(4))
      let p12 = ["--p12", merchant.folder.path("merchant.p12")]
      let program = try Program(rest + p12 + ["--password-file=\(merchant.folder.path("password"))"])
      #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
      let refusal = try Program.refusal(rest + p12)
      #expect(refusal.status == 2 && refusal.text.contains("passwordNeeded"))
    }

    @Test func `what it cannot start with is said in one line`() async throws {
      let merchant = try Merchant()
      let running = try Program(merchant.arguments)
      for (arguments, status, text) in [
        ([], 64, "--key or --p12"), (["--colour", "blue"], 64, "no option --colour"),
        (["--key"], 64, "--key needs a value"),
        (merchant.arguments + ["--workers", "0"], 64, "--workers"),
        (merchant.arguments.replacing("--listen", by: "localhost:1"), 64, "--listen"),
        (merchant.arguments + ["--max-body", "65537"], 64, "--max-body"),
        (merchant.arguments + ["--window", "-1"], 64, "--window"),
        (merchant.arguments + ["--window", "300", "--window", "300"], 64, "--window is given twice"),
        (merchant.arguments + ["--replay=5", "--replay", "redis://localhost"], 64, "--replay is given twice"),
        (merchant.arguments + ["--window", "off", "--replay", "5"], 64, "--replay needs a window"),
        (merchant.arguments + ["--replay-before-start", "maybe"], 64, "accept or refuse"),
        (merchant.arguments + ["--replay-before-start", "refuse", "--window", "off"], 64, "is not asked"),
        (merchant.arguments + ["--replay-before-start", "refuse", "--replay", "0"], 64, "is not asked"),
        (merchant.arguments.replacing("--listen", by: running.address), 2, "cannot be listened on"),
        (merchant.arguments + ["--cpus", "60000"], 2, "CPU"),
        (merchant.arguments + ["--key", "/nowhere"], 2, "the file of --key, number 2, could not be opened"),
      ] {
        let refusal = try Program.refusal(arguments)
        #expect(refusal.status == Int32(status), "\(refusal.text)")
        #expect(refusal.text.contains(text), "\(refusal.text)")
      }
      let help = try Program.refusal(["--help"])
      #expect(help.status == 0 && help.text.contains("--deadline-ms"))
    }

    @Test func `requests on many connections at one moment are all answered soon`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments.replacing("--timeout", by: "30") + ["--max-connections", "256"])
      var clients: [Client] = []
      func ask(_ client: Client) { client.send("GET /live HTTP/1.1\r\nHost: a\r\n\r\n") }
      for count in 120...134 {
        while clients.count < count {
          let client = try Client(program.address)
          ask(client)
          #expect(client.receive()?.status == 200)
          clients.append(client)
        }
        // All requests that arrive while the process is stopped are there at once when it continues.
        program.signal(SIGSTOP)
        for client in clients { ask(client) }
        program.signal(SIGCONT)
        let answered = clients.count { $0.receive(seconds: 2)?.status == 200 }
        #expect(answered == count)
      }
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }

    @Test func `ten thousand bad requests are all answered, and leave nothing`() async throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments + ["--replay", "0", "--max-connections", "64"])
      let seed = UInt64.random(in: 0...UInt64.max)
      var generator = SeededGenerator(seed: seed)
      let tokens = try (1...20).map { try merchant.token(UInt64($0)) }
      let forms = Gateway.all.flatMap(\.signedForms)
      let paths = ["/decrypt"] + Gateway.all.map { "/decrypt/\($0.name)" }

      /// Sends `count` bad requests, each of which must be answered. Returns how many were accepted all the same.
      func send(_ count: Int) throws -> Int {
        var accepted = 0
        var client = try Client(program.address)
        for number in 0..<count {
          if number.isMultiple(of: 500) { client = try Client(program.address) }
          var body: [UInt8]
          switch number % 4 {
          case 0:
            body = (0..<Int.random(in: 0...8_000, using: &generator)).map { _ in
              UInt8.random(in: 0...255, using: &generator)
            }
          case 1: body = tokens[number % 20]
          case 2: body = forms[number % forms.count].request(around: tokens[number % 20])
          default: body = Array(tokens[number % 20].prefix(Int.random(in: 0..<tokens[0].count, using: &generator)))
          }
          if number % 4 != 0, !body.isEmpty {
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
              body[Int.random(in: body.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
          }
          client.post(paths[Int.random(in: paths.indices, using: &generator)], body)
          let response = try #require(client.receive(), "seed \(seed), number \(number)")
          #expect([200, 422].contains(response.status), "seed \(seed), number \(number): \(response.status)")
          if response.status == 200 { accepted += 1 }
        }
        return accepted
      }

      var accepted = try send(2_000)
      let before = program.residentBytes
      accepted += try send(10_000)
      let after = program.residentBytes
      print(
        "resident before \(before), after 10,000 bad requests \(after); accepted unharmed \(accepted); seed \(seed)")
      if !Program.isSanitized { #expect(after - before < 4 << 20) }
      let metrics = try await settledMetrics(program.address)
      #expect(metrics["assay_pool_submitted_total"] == 12_000)
      #expect((metrics["assay_pool_accepted_total"] ?? 0) + metrics.sum("assay_pool_refused_total") == 12_000)
      #expect(metrics["assay_pool_accepted_total"] == Double(accepted))
      #expect(metrics["assay_pool_in_flight"] == 0)
      program.signal(SIGTERM)
      #expect(program.waitForExit() == 0, "\(program.written)")
    }
  }
}
