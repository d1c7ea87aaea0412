import Foundation
import PaymentToken
import RedisReplayStore
import Testing

/// TLS: which servers a store trusts.
@Suite(.serialized, .enabled(if: RedisProcess.isInstalled, RedisProcess.comment)) struct TLSTests {
  private let folder: TemporaryFolder
  private let server: RedisProcess
  private let port: Int

  init() throws {
    folder = try TemporaryFolder()
    port = try freePort()
    for name in ["authority", "other"] { try Self.certify(folder, name, "/CN=\(name)", []) }
    let signed = ["-CA", folder.path("authority.pem"), "-CAkey", folder.path("authority.key")]
    try Self.certify(folder, "server", "/CN=server", signed + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"])
    try Self.certify(
      folder, "elsewhere", "/CN=localhost", signed + ["-addext", "subjectAltName=DNS:redis.example.com"])
    try Self.certify(folder, "client", "/CN=client", signed)
    server = try RedisProcess(
      [
        "--tls-port", String(port), "--tls-cert-file", folder.path("server.pem"), "--tls-key-file",
        folder.path("server.key"), "--tls-ca-cert-file", folder.path("authority.pem"), "--tls-auth-clients", "optional",
      ], in: folder)
  }

  private static func certify(_ folder: TemporaryFolder, _ name: String, _ subject: String, _ rest: [String]) throws {
    try run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
        subject, "-keyout", folder.path(name + ".key"), "-out", folder.path(name + ".pem"),
      ] + rest)
  }

  private func configuration(host: String = "localhost", authority: String? = "authority") throws
    -> RedisReplayStore.Configuration
  {
    var configuration = try RedisReplayStoreTests.configuration("rediss://\(host):\(port)")
    configuration.authorityFile = authority.map { folder.path($0 + ".pem") }
    return configuration
  }

  private func isRefused(_ configuration: RedisReplayStore.Configuration, _ failures: [RedisReplayStore.Failure]) throws
  {
    let store = try RedisReplayStore(configuration)
    #expect(
      becomesTrue {
        guard case .failed(let failure) = store.metrics.status else { return false }
        return failures.contains(failure)
      }, "\(store.metrics.status)")
    #expect(store.insert(id(1), at: now, window: 300) == .unavailable)
    #expect(store.metrics.connections == 0)
  }

  @Test func `a server that the authority vouches for is asked, by name and by address`() throws {
    for host in ["localhost", "127.0.0.1"] {
      let store = try RedisReplayStore(configuration(host: host))
      try #require(store.waitUntilReady(for: .seconds(10)), "\(store.metrics.status)")
      #expect(ask(store, 0..<5_000).allSatisfy { $0 == (host == "localhost" ? .fresh : .replayed) })
    }
  }

  @Test func `another authority's server, another host's and one without TLS are refused`() throws {
    try isRefused(configuration(authority: "other"), [.certificateRefused])
    // The system does not trust this test's authority.
    try isRefused(configuration(authority: nil), [.certificateRefused])
    try server.cli(
      "CONFIG", "SET", "tls-cert-file", folder.path("elsewhere.pem"), "tls-key-file", folder.path("elsewhere.key"))
    for host in ["localhost", "127.0.0.1"] { try isRefused(configuration(host: host), [.certificateRefused]) }
    var plain = try RedisReplayStoreTests.configuration("rediss://localhost:\(server.port)")
    plain.authorityFile = folder.path("authority.pem")
    try isRefused(plain, [.tlsFailed, .closedByServer, .connectTimedOut])
  }

  @Test func `a server that demands a client's certificate gets it`() throws {
    try server.cli("CONFIG", "SET", "tls-auth-clients", "yes")
    try isRefused(configuration(), [.closedByServer, .tlsFailed])
    var configuration = try configuration()
    (configuration.certificateFile, configuration.keyFile) = (folder.path("client.pem"), folder.path("client.key"))
    let store = try RedisReplayStore(configuration)
    try #require(store.waitUntilReady(for: .seconds(10)), "\(store.metrics.status)")
    #expect(store.insert(id(1), at: now, window: 300) == .fresh)
    configuration.keyFile = folder.path("other.key")
    #expect(throws: RedisReplayStore.ConfigurationError.self) { try RedisReplayStore(configuration) }
  }

  /// OpenSSL's own callback asks on the terminal, or reads standard input where there is none.
  @Test func `nobody is asked for the passphrase of an encrypted key`() throws {
    var configuration = try configuration()
    (configuration.certificateFile, configuration.keyFile) = (folder.path("client.pem"), folder.path("encrypted.key"))
    try run(
      "openssl",
      [
        "pkcs8", "-topk8", "-in", folder.path("client.key"), "-passout", "pass:secret", "-out",
        folder.path("encrypted.key"),
      ])
    let (input, passphrase) = (dup(0), Pipe())
    try passphrase.fileHandleForWriting.write(contentsOf: Data("secret\n".utf8))
    try passphrase.fileHandleForWriting.close()
    dup2(passphrase.fileHandleForReading.fileDescriptor, 0)
    defer {
      dup2(input, 0)
      close(input)
    }
    #expect(throws: RedisReplayStore.ConfigurationError.self) { try RedisReplayStore(configuration) }
    #expect(try passphrase.fileHandleForReading.readToEnd() == Data("secret\n".utf8))
  }
}
