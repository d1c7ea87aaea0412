import Foundation
import Testing
import TokenServer

extension ServerTests {
  /// What the system, an operator or a shell does to the program.
  struct SurroundingsTests {
    @Test func `a key or a password that was pasted in place of a path is not repeated`() throws {
      let merchant = try Merchant()
      let secret = try String(contentsOfFile: merchant.files.keys[0], encoding: .utf8)
      let options = [
        "--key", "--cert", "--p12", "--root", "--password-file", "--bearer-token-file", "--tls-cert", "--tls-key",
        "--client-ca", "--access-log", "--now", "--workers", "--listen", "--replay-before-start", "--replay",
      ]
      let tls = ["--tls-cert", merchant.files.certificates[0], "--tls-key", merchant.files.keys[0]]
      let rest = ["--tls-cert": ["--tls-key", "/nowhere"], "--tls-key": Array(tls.prefix(2)), "--client-ca": tls]
      for option in options {
        let refusal = try Program.refusal(merchant.arguments + (rest[option] ?? []) + [option, secret])
        #expect(refusal.status == 2 || refusal.status == 64, "\(option)")
        #expect(refusal.text.contains(option) && !refusal.text.contains("MIG"), "\(refusal.text)")
      }
      let server = Array(merchant.arguments.prefix(4)) + ["--replay", "rediss://127.0.0.1:1"]
      let refusal = try Program.refusal(server + ["--replay-ca", secret])
      #expect(refusal.status == 2 && !refusal.text.contains("MIG"), "\(refusal.text)")
      for word in [secret, "--\(secret)", "\(secret)=1"] {
        let refusal = try Program.refusal(merchant.arguments + [word])
        #expect(refusal.status == 64 && !refusal.text.contains("MIG"), "\(refusal.text)")
      }
    }

    @Test(.disabled(if: Program.isSanitized)) func `a crash shows no memory`() throws {
      let merchant = try Merchant()
      let program = try Program(merchant.arguments)
      program.signal(SIGSEGV)
      _ = program.waitForExit()
      #expect(program.written.contains("listening on"))
      #expect(!program.written.contains("rax") && !program.written.contains("Crash") && !program.written.contains("0x"))
    }

    @Test func `files that could not be read are read again without a change`() throws {
      let merchant = try Merchant()
      var watch = KeyWatch(merchant.files)
      let reads = [false, true, true, false].map { watch.demandsReading(hasFailed: $0) }
      #expect(reads == [false, true, true, false])
      // Another owner or mode is a change: an unreadable file becomes readable.
      try #require(chmod(merchant.files.keys[0], 0o640) == 0)
      let changes = (0..<3).map { _ in watch.demandsReading(hasFailed: false) }
      #expect(changes == [false, true, false])
    }

    #if os(Linux)
      @Test func `a log at the limit of file sizes ends nothing, and each line is written or counted`() async throws {
        let merchant = try Merchant()
        let log = merchant.folder.path("log")
        let program = try Program(merchant.arguments + ["--access-log", log, "--metrics-listen", "127.0.0.1:0"])
        let tool = Process()
        tool.executableURL = URL(filePath: "/usr/bin/prlimit")
        tool.arguments = ["--pid", "\(program.processIdentifier)", "--fsize=1000"]
        try tool.run()
        tool.waitUntilExit()
        try #require(tool.terminationStatus == 0)
        // Many at once, so that the file takes some of the lines that are written together.
        let client = try Client(program.address)
        client.send(String(repeating: "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n", count: 50))
        for _ in 0..<50 { #expect(client.receive()?.status == 404) }
        let isCounted = try await eventually {
          let metrics = try Metrics(request(try #require(program.metricsAddress), "GET", "/metrics").text)
          let written = try String(contentsOfFile: log, encoding: .utf8).count { $0 == "\n" }
          return written > 0 && metrics["assay_access_log_dropped_total"] == Double(50 - written)
        }
        #expect(isCounted)
        #expect(try request(program.address, "POST", "/decrypt", try merchant.token(1)).status == 200)
        program.signal(SIGTERM)
        #expect(program.waitForExit() == 0, "\(program.written)")
      }

      @Test(.enabled(if: Program.isReadable && !Program.isSanitized, "needs CAP_SYS_PTRACE and no sanitizer"))
      func `a key file that is too large leaves nothing in memory`() async throws {
        let merchant = try Merchant()
        let program = try Program(merchant.arguments)
        let path = merchant.files.keys[0]
        try merchant.folder.write((1_000_000..<1_200_000).map { "\($0)\n" }.joined(), to: "merchant.key")
        // The allocator returns the first buffer to the system. It keeps later ones, and with them what was not wiped.
        for count in 1...3 {
          program.signal(SIGHUP)
          let hasFailed = try await eventually {
            let metrics = try Metrics(request(program.address, "GET", "/metrics").text)
            return metrics["assay_keys_loads_total{result=\"failed\"}"] == Double(count)
          }
          #expect(hasFailed)
        }
        #expect(try program.memoryContains(path))
        #expect(try !program.memoryContains("1050000\n1050001\n"))
      }

      /// Otherwise idle connections would keep a revoked bearer token valid, because its file could not be opened.
      @Test func `connections leave files for keys and the log`() throws {
        let merchant = try Merchant()
        for (connections, threads) in [(3_600, 1), (1_000, 64)] {
          let program = try Program(
            merchant.arguments + ["--max-connections", "\(connections)", "--http-threads", "\(threads)"])
          let process = "/proc/\(program.processIdentifier)"
          let limits = try String(contentsOfFile: "\(process)/limits", encoding: .utf8).split(separator: "\n")
          let line = try #require(limits.first { $0.hasPrefix("Max open files") })
          let limit = try #require(Int(line.split(separator: " ")[3]))
          let open = try FileManager.default.contentsOfDirectory(atPath: "\(process)/fd").count
          #expect(limit >= open + connections + 32, "\(open) of \(limit)")
        }
      }
    #endif
  }
}
