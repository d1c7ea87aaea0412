import Benchmarking
import FastDecryption
import PaymentToken

/// The requests of a batch, with the lengths of their plaintexts, their keys and their policy.
struct BatchRequests: Sendable {
  let requests: [[UInt8]]
  /// The length of each plaintext.
  let lengths: [Int]
  /// The tokens with their keys, roots and time; also the source of the policy, unless another is given.
  let tokens: TokenSet
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
      lengths: (0..<size).map { tokens.lengths[$0 % tokens.lengths.count] }, tokens: set, policy: policy ?? set.policy)
  }

  /// The same requests in memory of their own: threads that share the bytes of a request would contend on its reference
  /// count.
  func copied() -> BatchRequests {
    BatchRequests(requests: requests.map { $0.map(\.self) }, lengths: lengths, tokens: tokens, policy: policy)
  }

  func makeEngine() throws(BenchmarkFailure) -> FastDecryptor {
    try BenchmarkFailure.making("fast") { () throws(EngineError) in
      try FastDecryptor(keys: tokens.keys, anchors: tokens.anchors, kernel: .preferred, tables: .atOnce)
    }
  }
}

/// Decrypts one batch repeatedly. The initializer compares the plaintexts; later runs compare only lengths, to keep the
/// measurement undisturbed.
final class BatchCycle {
  private let engine: FastDecryptor
  private let batch: BatchRequests
  private var workspace: BatchWorkspace

  /// - Throws: `BenchmarkFailure` without memory, and if the batch gives other results than its tokens one by one, or
  ///   than expected.
  init(_ batch: BatchRequests, engine: FastDecryptor) throws(BenchmarkFailure) {
    guard let workspace = BatchWorkspace() else { throw BenchmarkFailure("no memory left for a batch workspace") }
    self.engine = engine
    self.workspace = workspace
    self.batch = batch.copied()
    for (index, result) in engine.decryptBatch(batch.requests, at: batch.tokens.now, under: batch.policy).enumerated() {
      guard isRight(result, at: index) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private func isRight(_ result: Result<DecryptedToken, TokenFault>, at index: Int) -> Bool {
    let request = batch.requests[index]
    guard case .success(let token) = result,
      let alone = try? engine.decrypt(request.span, at: batch.tokens.now, under: batch.policy)
    else { return false }
    return token.plaintext == alone.plaintext && token.plaintext.count == batch.lengths[index]
  }

  /// Decrypts `count` tokens, a multiple of the batch size; a remainder is not run. Returns false if a token was
  /// rejected or a plaintext has another length.
  func run(_ count: Int) -> Bool {
    var isRight = true
    for _ in 0..<(count / batch.requests.count) {
      let lengths = batch.lengths
      engine.decryptBatch(
        batch.requests, at: batch.tokens.now, under: batch.policy, in: &workspace,
        opened: { index, token throws(TokenFault) in isRight = isRight && token.plaintext.count == lengths[index] },
        refused: { _, _ in isRight = false })
    }
    return isRight
  }
}
