import Foundation
import Testing

/// A redis-server for a test, on a Unix socket and a TCP port of the loopback or of a network namespace.
final class RedisProcess {
  let folder: TemporaryFolder
  let port: Int
  private let arguments: [String]
  private let namespace: NetworkNamespace?
  private var process = Process()

  static let isInstalled = ["redis-server", "redis-cli"].allSatisfy { RedisReplayStoreTests.isInstalled($0) }
  static let comment: Comment = "redis-server is not installed (Debian: apt-get install redis-server)"

  /// Starts a server that keeps nothing on disk, unless `arguments` say otherwise.
  ///
  /// - Parameter namespace: the network namespace of its TCP port. Its Unix socket can be reached from all namespaces.
  init(
    _ arguments: [String] = [], in folder: TemporaryFolder? = nil, isReady: Bool = true,
    namespace: NetworkNamespace? = nil
  ) throws {
    self.folder = try folder ?? TemporaryFolder()
    port = try freePort()
    self.arguments = arguments
    self.namespace = namespace
    try start(isReady: isReady)
  }

  deinit { kill() }

  var socket: String { folder.path("redis-\(port).sock") }
  /// The address for a store.
  var address: String { "unix:\(socket)" }
  var tcpAddress: String { "redis://127.0.0.1:\(port)" }

  func start(isReady: Bool = true) throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      (namespace?.prefix ?? []) + [
        "redis-server", "--port", String(port), "--bind", namespace?.inner ?? "127.0.0.1", "--unixsocket", socket,
        "--dir",
        folder.url.path, "--dbfilename", "dump-\(port).rdb", "--appenddirname", "log-\(port)", "--save", "",
        "--daemonize", "no", "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1",
      ] + arguments
    process.standardOutput = FileHandle(forWritingAtPath: "/dev/null")
    process.standardError = process.standardOutput
    try process.run()
    if isReady { try #require(becomesTrue { try cli("PING") == "PONG" }, "redis-server does not start") }
  }

  /// Runs a command. Returns its output.
  @discardableResult
  func cli(_ words: String...) throws -> String { try run("redis-cli", ["-s", socket] + words, mayFail: true) }

  /// Makes the memory seem older than a lifetime, and the server seem to have had a log all the time.
  func makeOld(settings: String = "window=300 tolerance=60") throws {
    for (key, value) in [("assay:memory", settings), ("assay:log", "1")] {
      try #require(try cli("SET", key, value, "EX", String(FakeConnection.century - 1_000_000)) == "OK")
    }
  }

  func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// Ends the server as a crash would.
  func kill() {
    guard process.isRunning else { return }
    send(SIGKILL)
    process.waitUntilExit()
  }
}
