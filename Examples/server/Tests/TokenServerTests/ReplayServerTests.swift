import Foundation
import Minting
import PaymentToken
import Testing
import TokenServer

extension ServerTests {
  /// Several servers that ask one Redis server about transactions.
  @Suite(.enabled(if: Redis.isInstalled, "redis-server is not installed (Debian: apt-get install redis-server)"))
  struct ReplayServerTests {
    /// Mints tokens that are signed now, because the store compares the time of requests with its server's clock.
    private struct Shop {
      let merchant: Merchant
      let minter: Minter

      init() throws {
        merchant = try Merchant()
        minter = try Minter(seed: 7, at: UnixTime(secondsSinceEpoch: Int64(Date().timeIntervalSince1970)))
        try merchant.folder.write(minter.anchors.certificates.map(PEM.certificate).joined(), to: "root.pem")
        let key = minter.merchants[0].keys[0]
        try merchant.folder.write(key.pkcs8PEM, to: "merchant.key")
        try merchant.folder.write(key.certificatePEM, to: "merchant.pem")
      }

      func token(_ index: UInt64) throws -> [UInt8] { try minter.mint(TokenRecipe(index: index)).bytes }

      func program(
        _ redis: Redis, _ rest: [String] = [], beforeStart: [String] = ["--replay-before-start", "accept"]
      ) throws -> Program {
        let files = merchant.files
        return try Program(
          [
            "--key", files.keys[0], "--cert", files.certificates[0], "--root", files.roots[0], "--listen",
            "127.0.0.1:0", "--replay", redis.address,
          ] + beforeStart + rest)
      }
    }

    private func becomesReady(_ program: Program) async throws -> Bool {
      try await eventually { try request(program.address, "GET", "/ready").status == 200 }
    }

    @Test func `a token is accepted by one of two servers`() async throws {
      let (shop, redis) = (try Shop(), try Redis())
      let programs = try (0..<2).map { _ in try shop.program(redis) }
      for program in programs { #expect(try await becomesReady(program)) }
      for index in 1...20 as ClosedRange<UInt64> {
        let token = try shop.token(index)
        let order = index % 2 == 0 ? programs : programs.reversed()
        #expect(try request(order[0].address, "POST", "/decrypt", token).status == 200)
        let second = try request(order[1].address, "POST", "/decrypt", token)
        #expect(second.status == 422)
        #expect(second.code == "replayedTransaction")
      }
      let metrics = try await settledMetrics(programs[0].address)
      #expect(metrics["assay_replay_store_ready"] == 1)
      #expect(metrics["assay_replay_store_answers_total{verdict=\"fresh\"}"] == 10)
      #expect(metrics["assay_replay_store_answers_total{verdict=\"replayed\"}"] == 10)
      #expect(metrics["assay_pool_awaiting_store"] == 0)
      #expect(metrics["assay_pool_ran_on_caller_thread_total"] == 0)
      withExtendedLifetime(programs) {}
    }

    @Test func `at the same moment too`() async throws {
      let (shop, redis) = (try Shop(), try Redis())
      let programs = try (0..<2).map { _ in try shop.program(redis) }
      for program in programs { #expect(try await becomesReady(program)) }
      let clients = try programs.map { try Client($0.address) }
      for index in 1...200 as ClosedRange<UInt64> {
        let token = try shop.token(index)
        for client in clients { client.post("/decrypt", token) }
        let statuses = clients.map { $0.receive()?.status }
        #expect(statuses.contains(200) && statuses.contains(422), "\(statuses)")
      }
      let answers = try programs.map { try Metrics(try request($0.address, "GET", "/metrics").text) }
      #expect(answers.map { $0["assay_pool_accepted_total"] ?? 0 }.reduce(0, +) == 200)
      withExtendedLifetime(programs) {}
    }

    @Test func `without its store a server refuses with 503, is not ready, and recovers`() async throws {
      let (shop, redis) = (try Shop(), try Redis(["--appendonly", "yes", "--appendfsync", "always"]))
      let program = try shop.program(redis)
      #expect(try await becomesReady(program))
      let (first, second) = (try shop.token(1), try shop.token(2))
      #expect(try request(program.address, "POST", "/decrypt", first).status == 200)
      redis.kill()
      #expect(
        try await eventually { try request(program.address, "GET", "/ready").text.hasPrefix("replay store: ") })
      #expect(try request(program.address, "GET", "/ready").status == 503)
      #expect(try request(program.address, "GET", "/live").status == 200)
      for token in [first, second] {
        let answer = try request(program.address, "POST", "/decrypt", token)
        #expect(answer.status == 503)
        #expect(answer.code == "replayStoreUnavailable")
        #expect(answer.headers["retry-after"] != nil)
      }
      let metrics = try await settledMetrics(program.address)
      #expect(metrics["assay_replay_store_ready"] == 0)
      #expect(metrics["assay_pool_refused_total{code=\"replayStoreUnavailable\"}"] == 2)
      #expect(metrics["assay_replay_store_unavailable_total{cause=\"notConnected\"}"] == 2)

      try redis.start()
      #expect(try await becomesReady(program))
      #expect(try request(program.address, "POST", "/decrypt", first).code == "replayedTransaction")
      #expect(try request(program.address, "POST", "/decrypt", second).status == 200)
    }

    @Test func `a server starts without its store, says why, and needs a password from a file`() async throws {
      let (shop, redis) = (try Shop(), try Redis(["--requirepass", "open sesame"]))
      let without = try shop.program(redis)
      let line = try #require(without.wait(for: "no token is accepted until"))
      #expect(line.contains("password"))
      #expect(try request(without.address, "GET", "/ready").text == "replay store: passwordRefused\n")

      try shop.merchant.folder.write("open sesame\n", to: "password")
      let file = shop.merchant.folder.path("password")
      let program = try shop.program(redis, ["--replay-password-file", file])
      #expect(try await becomesReady(program))
      #expect(try request(program.address, "POST", "/decrypt", try shop.token(1)).status == 200)
      for each in [without, program] { #expect(!each.written.contains("sesame")) }
    }

    @Test(arguments: [[], ["--replay-before-start", "refuse"]])
    func `a replay server that is new is not asked, unless the first start says so`(_ beforeStart: [String])
      async throws
    {
      let (shop, redis) = (try Shop(), try Redis())
      let program = try shop.program(redis, beforeStart: beforeStart)
      #expect(try #require(program.wait(for: "no token is accepted until")).contains("wait 72"))
      let answer = try request(program.address, "POST", "/decrypt", try shop.token(1))
      #expect(answer.status == 503 && answer.code == "replayStoreUnavailable")
      #expect(answer.text.contains("(mayHaveForgotten)"), "\(answer.text)")
      let first = try shop.program(redis)
      #expect(try await becomesReady(first))
      #expect(try request(first.address, "POST", "/decrypt", try shop.token(1)).status == 200)
    }

    @Test func `replicas that do not acknowledge make the store unavailable`() async throws {
      let (shop, redis) = (try Shop(), try Redis())
      let program = try shop.program(redis, ["--replay-wait", "1"])
      #expect(try await becomesReady(program))
      let answer = try request(program.address, "POST", "/decrypt", try shop.token(1))
      #expect(answer.status == 503)
      #expect(answer.code == "replayStoreUnavailable")
    }

    @Test func `options that contradict each other are refused`() throws {
      let cases = [
        ["--replay", "redis://:sesame@localhost"], ["--replay", "redis://localhost", "--window", "off"],
        ["--replay", "redis://localhost", "--now", noon.rfc3339], ["--replay-wait", "1"],
        ["--replay", "http://localhost"], ["--replay-password-file", "/dev/null"],
      ]
      for arguments in cases {
        let refusal = try Program.refusal(["--key", "a", "--cert", "b"] + arguments)
        #expect(refusal.status == 64, "\(arguments)")
        #expect(!refusal.text.contains("sesame"))
      }
    }
  }
}

/// A redis-server for a test, on a Unix socket.
private final class Redis {
  private let folder: TemporaryFolder
  private let arguments: [String]
  private var process = Process()

  static let isInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/redis-server")
  }

  init(_ arguments: [String] = []) throws {
    folder = try TemporaryFolder()
    // With an append-only file, as the README.md of redis-replay asks for.
    self.arguments = arguments.contains("--appendonly") ? arguments : arguments + ["--appendonly", "yes"]
    try start()
  }

  deinit { kill() }

  var address: String { "unix:\(folder.path("s"))" }

  func start() throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["redis-server", "--port", "0", "--unixsocket", folder.path("s"), "--dir", folder.url.path, "--save", ""]
      + arguments
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
    try process.run()
  }

  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
