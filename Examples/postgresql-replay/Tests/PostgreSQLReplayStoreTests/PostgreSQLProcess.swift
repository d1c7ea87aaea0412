import Foundation
import PostgreSQLReplayStore
import Testing

extension PostgreSQLReplayStore: TestedStore {}

/// A PostgreSQL server for a test, on a Unix socket and on a port of the loopback or of a network namespace. It trusts
/// whoever connects, so it listens on no other address.
final class PostgreSQLProcess {
  let folder: TemporaryFolder
  let port: Int
  private let namespace: NetworkNamespace?
  private var process = Process()

  static let isInstalled = ["initdb", "postgres", "pg_basebackup", "psql", "setpriv", "ps"].allSatisfy {
    PostgreSQLReplayStoreTests.isInstalled($0)
  }
  static let comment: Comment = "PostgreSQL is not installed (Debian: apt-get install postgresql)"

  /// Starts a new server, or a standby of another one.
  ///
  /// - Parameters:
  ///   - settings: lines of its configuration.
  ///   - rules: lines of pg_hba.conf before all others. The others trust this machine.
  ///   - primary: the connection string of the server that it follows.
  init(
    _ settings: [String] = [], rules: [String] = [], following primary: String? = nil,
    namespace: NetworkNamespace? = nil
  ) throws {
    folder = try TemporaryFolder()
    port = try freePort()
    self.namespace = namespace
    if Self.isRoot { try run("chown", ["postgres:", folder.url.path]) }
    if let primary {
      try run(Self.user + ["pg_basebackup", "-d", primary, "-D", data, "-R", "-X", "stream", "-c", "fast"])
    } else {
      try run(Self.user + ["initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8"])
      let rules = rules + (namespace.map { ["host all all \($0.outer)/32 trust"] } ?? [])
      for rule in rules.reversed() { try run(Self.user + ["sed", "-i", "1i \(rule)", "\(data)/pg_hba.conf"]) }
    }
    let lines =
      ["port = \(port)", "unix_socket_directories = '\(folder.url.path)'"]
      + ["listen_addresses = '\(namespace?.inner ?? "localhost")'"]
      + ["shared_buffers = '32MB'", "max_connections = 60", "wal_level = replica", "hot_standby = on"] + settings
    try run(Self.user + ["sh", "-c", "printf '%s\\n' \"$@\" >> \(data)/postgresql.conf", "sh"] + lines)
    try start()
  }

  deinit { kill() }

  private var data: String { folder.path("data") }
  private static let isRoot = geteuid() == 0
  /// The server refuses to run as root.
  private static let user =
    isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []

  /// The connection string for a store.
  var address: String { "host=\(folder.url.path) port=\(port) dbname=postgres user=postgres" }
  /// The connection string over TCP.
  func address(host: String = "127.0.0.1", port: Int? = nil) -> String {
    "host=\(host) port=\(port ?? self.port) dbname=postgres user=postgres sslmode=disable"
  }

  func start() throws {
    // The shared memory of a server that was killed may still be in use for a moment.
    try #require(
      try becomesTrue {
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = (namespace?.prefix ?? []) + Self.user + ["postgres", "-D", data]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: log) ?? FileHandle.nullDevice
        try process.run()
        return becomesTrue { !process.isRunning || isAnswering } && process.isRunning
      }, "PostgreSQL does not start")
  }

  private var log: String {
    let path = folder.path("log")
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    return path
  }

  private var isAnswering: Bool { (try? query("SELECT 1")) == "1" }

  /// Runs statements. Returns their output, also if they fail.
  @discardableResult
  func query(_ text: String) throws -> String {
    try run("psql", ["-X", "-q", "-A", "-t", "-d", address, "-c", text], mayFail: true)
  }

  func promote() throws {
    try query("SELECT pg_promote()")
    try #require(try becomesTrue { try query("SELECT pg_is_in_recovery()") == "f" })
  }

  /// The server and its processes.
  private var processes: [Int32] {
    let children = (try? run("ps", ["-o", "pid=", "--ppid", String(process.processIdentifier)], mayFail: true)) ?? ""
    return [process.processIdentifier] + children.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
  }

  func send(_ signal: Int32) {
    for each in processes { Foundation.kill(each, signal) }
  }

  /// Ends the server as a crash would.
  func kill() {
    guard process.isRunning else { return }
    send(SIGKILL)
    process.waitUntilExit()
  }

  private func run(_ words: [String]) throws {
    try PostgreSQLReplayStoreTests.run(words[0], Array(words.dropFirst()))
  }

  @discardableResult
  private func run(_ program: String, _ arguments: [String], mayFail: Bool = false) throws -> String {
    try PostgreSQLReplayStoreTests.run(program, arguments, mayFail: mayFail)
  }
}

/// Short times, for tests.
func configuration(_ connection: String) -> PostgreSQLReplayStore.Configuration {
  var configuration = PostgreSQLReplayStore.Configuration(connection: connection)
  configuration.connections = 2
  configuration.timeLimit = .milliseconds(300)
  configuration.replyTimeLimit = .milliseconds(600)
  configuration.requiredSynchronousStandbys = 0
  configuration.initialBackoff = .milliseconds(5)
  configuration.maximumBackoff = .milliseconds(50)
  return configuration
}

/// Makes the table and a store, and waits until the store is ready.
func ready(_ configuration: PostgreSQLReplayStore.Configuration) throws -> PostgreSQLReplayStore {
  let store = try PostgreSQLReplayStore(configuration)
  try store.maintain(at: now)
  try #require(store.waitUntilReady(for: .seconds(10)), "\(String(describing: store.metrics.lastFailure))")
  return store
}
