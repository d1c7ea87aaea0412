import Benchmarking
import PaymentToken

/// An engine as benchmarks use it.
struct Contender: Sendable {
  /// Verifies and opens a token, and tells the length of the plaintext; nil when it refuses it.
  typealias Opener = (_ token: [UInt8]) -> Int?

  /// The engine's name, as in benchmark names.
  let name: String
  /// Makes an engine with nothing cached.
  let engine: @Sendable (TokenSet) throws(TrustAnchorError) -> any TokenDecryptor
  /// Makes something for one thread to open tokens with; several may share an engine.
  let opener: @Sendable (any TokenDecryptor, TokenSet) -> Opener
}

extension Contender {
  static let all = [fast, reference]

  static func named(_ name: String) -> Contender? { all.first { $0.name == name } }
}
