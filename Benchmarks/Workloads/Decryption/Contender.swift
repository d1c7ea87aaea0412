import Benchmarking
import PaymentToken

/// An engine under measurement.
struct Contender: Sendable {
  /// Verifies and decrypts a token. Returns the length of the plaintext; nil if it is refused.
  typealias Opener = (_ token: [UInt8]) -> Int?

  /// The engine's name, as in benchmark names.
  let name: String
  /// Makes an engine with empty caches.
  let engine: @Sendable (TokenSet) throws(EngineError) -> any TokenDecryptor
  /// Makes a closure that decrypts tokens on one thread; several threads may share an engine.
  let opener: @Sendable (any TokenDecryptor, TokenSet) -> Opener
  /// The engine whose answers to most altered tokens are checked: it may reuse results of signature checks.
  var checked: @Sendable (any TokenDecryptor, TokenSet) throws(EngineError) -> any TokenDecryptor = {
    engine, _ throws(EngineError) in engine
  }
}

extension Contender {
  static let all = [fast, reference]
}
