import Benchmarking
import Differential
import FastDecryption
import PaymentToken
import ReferenceDecryption

/// An engine under measurement.
enum Contender: Sendable {
  /// The fast engine with a workspace per thread; decrypted tokens are borrowed, not copied.
  case fast
  /// The fast engine with all curve arithmetic by libcrypto.
  case portable
  case reference

  static let all = [fast, reference]

  /// Verifies and decrypts a token. Returns the length of the plaintext; nil if it is refused.
  typealias Opener = (_ token: [UInt8]) -> Int?

  /// The engine's name, as in benchmark names.
  var name: String { self == .reference ? "reference" : "fast" }

  /// Makes an engine with empty caches.
  func makeEngine(for set: TokenSet) throws(BenchmarkFailure) -> any TokenDecryptor {
    try BenchmarkFailure.making(name) { () throws(EngineError) -> any TokenDecryptor in
      switch self {
      case .fast: try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: .preferred)
      case .portable: try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: .portable)
      case .reference: try ReferenceDecryptor(keys: set.keys, anchors: set.anchors)
      }
    }
  }

  /// The engine that is asked about most altered tokens: in place of the reference, one that reuses results of
  /// signature checks.
  func checked(_ engine: any TokenDecryptor, for set: TokenSet) throws(BenchmarkFailure) -> any TokenDecryptor {
    guard self == .reference else { return engine }
    return try BenchmarkFailure.making(name) { () throws(EngineError) -> any TokenDecryptor in
      try ReferenceDecryptor(keys: set.keys, anchors: set.anchors, reusing: ResultCache().check)
    }
  }

  /// Makes a closure that decrypts tokens on one thread; several threads may share an engine.
  func opener(_ engine: any TokenDecryptor, _ set: TokenSet) -> Opener {
    guard let engine = engine as? FastDecryptor else { return { try? engine.plaintext(of: $0, in: set).count } }
    guard let workspace = WorkspaceBox() else { return { _ in nil } }
    return { try? engine.plaintextCount(of: $0, in: set, workspace) }
  }
}

extension FastDecryptor {
  fileprivate func plaintextCount(
    of token: [UInt8], in set: TokenSet, _ box: WorkspaceBox
  ) throws(TokenFault) -> Int? {
    guard set.isUnsigned else {
      return try decrypt(token.span, at: set.now, under: set.policy, in: &box.workspace) {
        opened throws(TokenFault) in opened.plaintext.count
      }
    }
    return try decryptAllowingUnsigned(
      token.span, at: set.now, under: set.policy, in: &box.workspace,
      // An unsigned token cannot give a signed result.
      signed: { _ throws(TokenFault) in nil },
      unsigned: { opened throws(TokenFault) in opened.plaintext.count })
  }
}

/// A workspace that a closure can capture.
private final class WorkspaceBox {
  var workspace: Workspace

  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }
}

extension BenchmarkFailure {
  /// Returns the engine that a closure makes, and throws its error as a `BenchmarkFailure` that names it.
  static func making<Engine>(
    _ name: String, _ make: () throws(EngineError) -> Engine
  ) throws(BenchmarkFailure) -> Engine {
    do { return try make() } catch { throw BenchmarkFailure("the \(name) engine cannot be made: \(error.reason)") }
  }
}
