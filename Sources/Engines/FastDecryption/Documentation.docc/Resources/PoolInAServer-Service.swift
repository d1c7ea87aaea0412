import FastDecryption
import PaymentToken

/// Opens tokens for the handlers of a server. One for each process.
final class TokenService: Sendable {
  /// The largest request body to read. No token, bare or in a gateway's request, is larger.
  static let largestBody = 65_536

  let pool: DecryptionPool
  let replay: any ReplayStore

  init(
    _ engine: FastDecryptor, replay: any ReplayStore, workers: Int = 1
  ) throws(DecryptionPool.StartFailure) {
    pool = try DecryptionPool(engine, configuration: DecryptionPool.Configuration(workers: workers, queueCapacity: 512))
    self.replay = replay
  }
}
