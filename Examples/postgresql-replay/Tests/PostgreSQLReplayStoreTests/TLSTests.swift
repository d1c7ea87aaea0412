import Foundation
import PostgreSQLReplayStore
import Testing

/// Certificates for a test, made by openssl: of a server called localhost, of a client called replay, of their root,
/// and of another root.
final class TLSFiles {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for root in ["root", "other"] {
      try openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(root).key -out \(root).pem "
          + "-subj /CN=\(root) -days 2")
    }
    try Data("subjectAltName = DNS:localhost\n".utf8).write(to: folder.url.appending(path: "names"))
    for (name, subject) in [("server", "localhost"), ("client", "replay")] {
      try openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout \(name).key -out \(name).csr "
          + "-subj /CN=\(subject)")
      try openssl(
        "x509 -req -in \(name).csr -CA root.pem -CAkey root.key -CAcreateserial -extfile names -days 2 "
          + "-out \(name).pem")
    }
    if geteuid() == 0 { try run("chown", ["postgres:", path("server.key")]) }
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Lines for a server's configuration, which asks for client certificates. `rules` demand one of the user `replay`.
  var settings: [String] {
    ["ssl = on", "ssl_cert_file = '\(path("server.pem"))'", "ssl_key_file = '\(path("server.key"))'"]
      + ["ssl_ca_file = '\(path("root.pem"))'"]
  }
  static let rules = ["hostssl all replay all cert", "host all replay all reject"]

  private func openssl(_ words: String) throws {
    let arguments = words.split(separator: " ").map(String.init)
    try run("sh", ["-c", #"cd "$0" && exec openssl "$@" 2>/dev/null"#, folder.url.path] + arguments)
  }
}

/// Which servers a store trusts, and which clients a server trusts.
@Suite(.serialized, .enabled(if: PostgreSQLProcess.isInstalled && isInstalled("openssl"), PostgreSQLProcess.comment))
struct TLSTests {
  private let files: TLSFiles
  private let server: PostgreSQLProcess

  init() throws {
    files = try TLSFiles()
    server = try PostgreSQLProcess(files.settings, rules: TLSFiles.rules)
  }

  private func address(host: String = "localhost", user: String = "postgres", root: String?) -> String {
    let root = root.map { " sslrootcert=\(files.path($0))" } ?? ""
    return "host=\(host) port=\(server.port) dbname=postgres user=\(user)\(root)"
  }

  private func isRefused(_ address: String) throws -> Bool {
    let store = try PostgreSQLReplayStore(configuration(address))
    let hasFailed = becomesTrue { store.metrics.lastFailure == .unreachable }
    return hasFailed && store.metrics.connections == 0 && store.insert(id(1), at: now, window: 300) == .unavailable
  }

  @Test func `the server is asked over TLS if its root and its name are those that are expected`() throws {
    let store = try ready(configuration(address(root: "root.pem")))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    #expect(store.insert(id(1), at: now, window: 300) == .replayed)
    let versions = try server.query(
      "SELECT DISTINCT version FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'assay'")
    #expect(versions == "TLSv1.3")
  }

  @Test func `a server of another root, of another name or of no known root is not asked`() throws {
    #expect(try isRefused(address(root: "other.pem")))
    #expect(try isRefused(address(host: "127.0.0.1", root: "root.pem")))
    #expect(try isRefused(address(root: nil)))
    #expect(try !isRefused(address(root: "root.pem")))
  }

  @Test func `a client is known by its certificate`() throws {
    try server.query("CREATE ROLE replay LOGIN; GRANT ALL ON SCHEMA public TO replay")
    let address = address(user: "replay", root: "root.pem")
    #expect(try isRefused(address))
    let client = " sslcert=\(files.path("client.pem")) sslkey=\(files.path("client.key"))"
    let store = try ready(configuration(address + client))
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    // The server refuses this user without encryption.
    #expect(try isRefused(address + client + " sslmode=disable"))
  }
}
