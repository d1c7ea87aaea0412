import Benchmarking
import FastDecryption
import PaymentToken

/// The requests of a batch, with the length of each plaintext.
struct BatchRequests: Sendable {
  let requests: [[UInt8]]
  let lengths: [Int]
  /// Keys, roots and time.
  let set: TokenSet
  let policy: VerificationPolicy
}

extension BatchRequests {
  /// A batch of the tokens of a set, in rotation.
  ///
  /// - Parameter policy: that of the set unless given.
  init(_ tokens: CheckedTokens, size: Int, policy: VerificationPolicy? = nil) {
    let set = tokens.set
    self.init(
      requests: (0..<size).map { set.entries[$0 % set.entries.count].token },
      lengths: (0..<size).map { tokens.lengths[$0 % tokens.lengths.count] }, set: set, policy: policy ?? set.policy)
  }

  /// The same requests in memory of their own: threads that share the bytes of a request would count its references
  /// together.
  func copied() -> BatchRequests {
    BatchRequests(requests: requests.map { $0.map(\.self) }, lengths: lengths, set: set, policy: policy)
  }

  func makeEngine() throws(BenchmarkFailure) -> FastDecryptor {
    try BenchmarkFailure.making("fast") { () throws(EngineError) in
      try FastDecryptor(keys: set.keys, anchors: set.anchors, kernel: .preferred, tables: .atOnce)
    }
  }
}

/// Opens the same batch again and again, and checks the answers as far as that costs nothing.
final class BatchCycle {
  private let engine: FastDecryptor
  private let batch: BatchRequests
  private var workspace: BatchWorkspace

  /// - Throws: `BenchmarkFailure` if the batch gives other results than its tokens one by one, or than expected.
  init(_ batch: BatchRequests, engine: FastDecryptor) throws(BenchmarkFailure) {
    guard let workspace = BatchWorkspace() else { throw BenchmarkFailure("no memory left for a batch workspace") }
    self.engine = engine
    self.workspace = workspace
    self.batch = batch.copied()
    for (index, result) in engine.decryptBatch(batch.requests, at: batch.set.now, under: batch.policy).enumerated() {
      guard isRight(result, at: index) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private func isRight(_ result: Result<DecryptedToken, TokenFault>, at index: Int) -> Bool {
    let request = batch.requests[index]
    guard case .success(let token) = result,
      let alone = try? engine.decrypt(request.span, at: batch.set.now, under: batch.policy)
    else { return false }
    return token.plaintext == alone.plaintext && token.plaintext.count == batch.lengths[index]
  }

  /// Decrypts `count` tokens, a multiple of the batch. Returns false if a result was not the expected one.
  func run(_ count: Int) -> Bool {
    var isRight = true
    for _ in 0..<(count / batch.requests.count) {
      let lengths = batch.lengths
      engine.decryptBatch(
        batch.requests, at: batch.set.now, under: batch.policy, in: &workspace,
        opened: { index, token throws(TokenFault) in isRight = isRight && token.plaintext.count == lengths[index] },
        refused: { _, _ in isRight = false })
    }
    return isRight
  }
}
