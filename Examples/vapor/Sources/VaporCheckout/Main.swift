import FastDecryption
import MerchantKeys
import PaymentToken
import Vapor

@main struct Main {
  static func main() async throws {
    let engine = try FastDecryptor(keys: MerchantKeySet(files: keyFiles()), anchors: .apple)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 1_000_000))

    var environment = try Environment.detect()
    try LoggingSystem.bootstrap(from: &environment)
    let app = try await Application.make(environment)
    do {
      // A shop looks the order up in its database.
      let routes = PaymentRoutes(service: service) { order in
        order == "1" ? Expectations(currencyCode: "978", transactionAmount: 1_999) : nil
      }
      try app.register(collection: routes)
      // Returns on SIGTERM and SIGINT.
      try await app.execute()
    } catch {
      try? await app.asyncShutdown()
      throw error
    }
    // Accepts no more connections and lets requests in flight finish; the pool must answer until then. A
    // `LifecycleHandler` would stop the pool too early: Vapor calls it before it stops the server.
    try await app.asyncShutdown()
    await service.stop()
  }

  /// The key and its certificate, from the files that two environment variables name.
  static func keyFiles() throws -> [KeyFile] {
    try ["APPLE_PAY_KEY", "APPLE_PAY_CERTIFICATE"].map { variable in
      let path = Environment.get(variable) ?? ""
      return KeyFile(name: variable, bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    }
  }
}
