import Foundation
import Minting
import PaymentToken
import Synchronization
import Testing
import TokenServer

let noon = UnixTime(secondsSinceEpoch: 1_795_000_000)

/// All tests run one after the other: they block threads that others would need, and measure time.
@Suite(.serialized) struct ServerTests {}

/// A folder that `deinit` removes.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "token-server-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
  }
}

/// Minted keys in files, and the minter for tokens.
struct Merchant {
  let minter: Minter
  let folder: TemporaryFolder
  let files: KeyFileNames

  init(seed: UInt64 = 7) throws {
    minter = try Minter(seed: seed, at: noon)
    folder = try TemporaryFolder()
    try folder.write(minter.anchors.certificates.map(PEM.certificate).joined(), to: "root.pem")
    var files = KeyFileNames()
    files.keys = [folder.path("merchant.key")]
    files.certificates = [folder.path("merchant.pem")]
    files.roots = [folder.path("root.pem")]
    self.files = files
    try writeKey(0)
  }

  /// Writes the key and certificate of one of the minter's merchants to the files.
  func writeKey(_ merchant: Int) throws {
    let key = minter.merchants[merchant].keys[0]
    try folder.write(key.pkcs8PEM, to: "merchant.key")
    try folder.write(key.certificatePEM, to: "merchant.pem")
  }

  /// Lets each user of the system read the files, which are keys for tests.
  func openToAll() throws {
    for path in [folder.path("")] + files.keys + files.certificates + files.roots {
      guard chmod(path, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
  }

  func token(_ index: UInt64, merchant: Int = 0) throws -> [UInt8] {
    var recipe = TokenRecipe(index: index)
    recipe.merchant = merchant
    return try minter.mint(recipe).bytes
  }

  var options: ServerOptions {
    var options = ServerOptions()
    options.files = files
    options.listen = .loopback(port: 0)
    options.now = noon
    options.limits.timeout = 2
    return options
  }

  /// Arguments of the program for the same options.
  var arguments: [String] {
    [
      "--key", files.keys[0], "--cert", files.certificates[0], "--root", files.roots[0], "--listen", "127.0.0.1:0",
      "--now",
      noon.rfc3339, "--timeout", "2",
    ]
  }
}

/// Runs a server in this process during `body`. With a gate, the server has accepted a token before, so it knows the
/// minted certificates, and the gate is closed.
func withServer(
  _ options: ServerOptions, replay: Gate? = nil, _ body: (Server) async throws -> Void
) async throws {
  let server = try Server(options, replay: replay)
  do {
    if let replay {
      #expect(try request(server, "POST", "/decrypt", try Merchant().token(1_000_000)).status == 200)
      replay.close()
    }
    try await body(server)
  } catch {
    replay?.open()
    await server.stop()
    throw error
  }
  replay?.open()
  await server.stop()
}

/// Waits until something holds; false after ten seconds.
func eventually(_ condition: () throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < end {
    if try condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return false
}

/// The metrics when the pool has counted everything: a client may have its answer before the pool counts the token.
func settledMetrics(_ address: String) async throws -> Metrics {
  while true {
    let metrics = try Metrics(try request(address, "GET", "/metrics").text)
    if metrics["assay_pool_in_flight"] == 0 { return metrics }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// A replay store that blocks its callers while it is closed, so that requests stay with the pool.
final class Gate: ReplayStore {
  private let isOpen = Atomic<Bool>(true)
  let asked = Atomic<Int>(0)

  func open() { isOpen.store(true, ordering: .releasing) }

  func close() {
    asked.store(0, ordering: .relaxed)
    isOpen.store(false, ordering: .releasing)
  }

  func insert(_ transactionId: Bytes32, at now: UnixTime, window: UInt32) -> ReplayVerdict {
    asked.add(1, ordering: .relaxed)
    while !isOpen.load(ordering: .acquiring) { usleep(1_000) }
    return .fresh
  }
}
