import FastDecryption
import Foundation
import Hummingbird
import MerchantKeys
import PaymentToken
import ServiceLifecycle

@main struct Main {
  static func main() async throws {
    let engine = try FastDecryptor(keys: MerchantKeySet(files: keyFiles()), anchors: .apple)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 1_000_000))
    // A shop looks the order up in its database.
    let routes = PaymentRoutes(service: service) { order in
      order == "1" ? Expectations(currencyCode: "978", transactionAmount: 1_999) : nil
    }
    let app = Application(router: routes.router(), services: [PoolLifetime(service: service)])
    // Returns after SIGTERM and SIGINT.
    try await app.runService()
  }

  /// The key and its certificate, from the files that two environment variables name.
  static func keyFiles() throws -> [KeyFile] {
    try ["APPLE_PAY_KEY", "APPLE_PAY_CERTIFICATE"].map { variable in
      let path = ProcessInfo.processInfo.environment[variable] ?? ""
      return KeyFile(name: variable, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
  }
}

/// Shuts the pool down with the application. Services stop in the reverse order of their start and the server starts
/// last: when this one is asked to stop, the server has answered the requests in flight.
struct PoolLifetime: Service {
  let service: TokenService

  func run() async throws {
    // Throws when the task is cancelled instead: the pool is shut down all the same.
    try? await gracefulShutdown()
    await service.stop()
  }
}
