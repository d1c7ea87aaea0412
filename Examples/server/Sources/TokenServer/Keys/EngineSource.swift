import FastDecryption
import PaymentToken

/// Makes the engine from files, at the start and at each reload.
final class EngineSource: Sendable {
  private let files: KeyFileNames
  /// The roots of the engine made last.
  private let roots = Guarded<TrustAnchors?>(nil)

  init(_ files: KeyFileNames) {
    self.files = files
  }

  /// An engine with the keys and roots that the files have now. If the roots are unchanged, it shares the caches of
  /// `predecessor`, so that no chain is verified again.
  ///
  /// - Throws: `KeyLoadingError`; then nothing has changed.
  func load(after predecessor: FastDecryptor?) throws(KeyLoadingError) -> FastDecryptor {
    let keys = try files.loadKeys()
    let anchors = try files.loadRoots()
    let areSame = roots.withLock { $0 == anchors }
    if let predecessor, areSame { return predecessor.replacingKeys(with: keys) }
    do {
      let engine = try FastDecryptor(keys: keys, anchors: anchors)
      roots.withLock { $0 = anchors }
      return engine
    } catch {
      throw KeyLoadingError(message: "\(error.reason).")
    }
  }
}
