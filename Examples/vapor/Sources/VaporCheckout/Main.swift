import FastDecryption
import MerchantKeys
import PaymentToken
import ServiceLifecycle
import Vapor

@main struct Main {
  static func main() async throws {
    let engine = try FastDecryptor(keys: merchantKeys(), anchors: .apple)
    let service = try TokenService(engine, replay: MemoryReplayStore(capacity: 1_000_000))

    var environment = try Environment.detect()
    try LoggingSystem.bootstrap(from: &environment)
    let app = try await Application.make(environment)
    // A shop looks the order up in its database.
    let routes = PaymentRoutes(service: service) { order in
      order == "1" ? Expectations(currencyCode: "978", transactionAmount: 1_999) : nil
    }
    // A shop first calls `MetricsSystem.bootstrap` with its metrics backend.
    let pool = PoolService(pool: service.pool, logger: app.logger)
    // Services stop in the reverse order: the pool must answer until the server has stopped. A `LifecycleHandler` would
    // stop it too early, since Vapor calls that before it stops the server.
    let services = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(service: pool),
          .init(service: VaporServer(app: app, routes: routes), successTerminationBehavior: .gracefullyShutdownGroup),
        ], logger: app.logger))
    try await services.run()
  }

  /// The key and its certificate, from the files that two environment variables name. What was read is overwritten.
  static func merchantKeys() throws -> MerchantKeySet {
    var files: [KeyFile] = []
    defer { for index in files.indices { files[index].wipe() } }
    for variable in ["APPLE_PAY_KEY", "APPLE_PAY_CERTIFICATE"] {
      let path = Environment.get(variable) ?? ""
      var contents = try Data(contentsOf: URL(fileURLWithPath: path))
      defer { contents.resetBytes(in: 0..<contents.count) }
      files.append(KeyFile(name: variable, bytes: Array(contents)))
    }
    return try MerchantKeySet(files: files)
  }
}

/// Vapor as a service. It listens for SIGTERM and SIGINT itself.
struct VaporServer: Service {
  let app: Application
  let routes: PaymentRoutes

  func run() async throws {
    do {
      try app.register(collection: routes)
      try await withTaskCancellationOrGracefulShutdownHandler {
        try await app.execute()
      } onCancelOrGracefulShutdown: {
        app.running?.stop()
      }
    } catch {
      try? await app.asyncShutdown()
      throw error
    }
    // Accepts no more connections and lets requests in flight finish.
    try await app.asyncShutdown()
  }
}
