import FastDecryption

extension TokenService {
  /// Refuses new requests with `shutDown` and returns when every request taken has its answer.
  func stop() async {
    await pool.shutDown()
  }
}
