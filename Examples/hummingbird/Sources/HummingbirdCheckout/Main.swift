import FastDecryption
import Foundation
import Hummingbird
import Logging
import MerchantKeys
import PaymentToken

@main struct Main {
  static func main() async throws {
    let engine = try FastDecryptor(keys: merchantKeys(), anchors: .apple)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 1_000_000))
    // A shop looks the order up in its database.
    let routes = PaymentRoutes(service: service) { order in
      order == "1" ? Expectations(currencyCode: "978", transactionAmount: 1_999) : nil
    }
    let logger = Logger(label: "checkout")
    // A shop first calls `MetricsSystem.bootstrap` with its metrics backend.
    let pool = PoolService(pool: service.pool, logger: logger)
    // The server starts last, so it stops first and has answered its requests when the pool is asked to stop.
    let app = Application(router: routes.router(), services: [pool], logger: logger)
    // Returns after SIGTERM and SIGINT.
    try await app.runService()
  }

  /// The key and its certificate, from the files that two environment variables name. What was read is overwritten.
  static func merchantKeys() throws -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for variable in ["APPLE_PAY_KEY", "APPLE_PAY_CERTIFICATE"] {
      let path = ProcessInfo.processInfo.environment[variable] ?? ""
      var contents = try Data(contentsOf: URL(fileURLWithPath: path))
      defer { contents.resetBytes(in: 0..<contents.count) }
      files.append(KeyFile(name: variable, bytes: Array(contents)))
    }
    return try MerchantKeySet(files: files)
  }
}
