import Benchmarking
import FastDecryption
import PaymentToken

extension TokenSet {
  /// An engine for batches, which makes the table of a signer before its first use.
  func batchEngine() throws(BenchmarkFailure) -> FastDecryptor {
    try BenchmarkFailure.making("fast") { () throws(EngineError) in
      try FastDecryptor(keys: keys, anchors: anchors, kernel: .preferred, tables: .atOnce)
    }
  }
}

/// Decrypts one batch repeatedly. The initializer compares the plaintexts; later runs compare only lengths, to keep the
/// measurement undisturbed.
final class BatchCycle {
  private let engine: FastDecryptor
  private let requests: [[UInt8]]
  /// The length of each plaintext.
  private let lengths: [Int]
  private let now: UnixTime
  private let policy: VerificationPolicy
  private var workspace: BatchWorkspace

  /// A batch of the tokens of a set, in rotation.
  ///
  /// - Parameter policy: that of the set unless given.
  /// - Throws: `BenchmarkFailure` without memory, and if the batch gives other results than its tokens one by one, or
  ///   than expected.
  init(
    _ tokens: CheckedTokens, size: Int, policy: VerificationPolicy? = nil, engine: FastDecryptor
  ) throws(BenchmarkFailure) {
    guard let workspace = BatchWorkspace() else { throw BenchmarkFailure("no memory left for a batch workspace") }
    self.engine = engine
    self.workspace = workspace
    let set = tokens.set
    // Copies, because threads that share the bytes of a request would contend on its reference count.
    requests = (0..<size).map { set.entries[$0 % set.entries.count].token.map(\.self) }
    lengths = (0..<size).map { tokens.lengths[$0 % tokens.lengths.count] }
    (now, self.policy) = (set.now, policy ?? set.policy)
    for (index, result) in engine.decryptBatch(requests, at: now, under: self.policy).enumerated() {
      guard isRight(result, at: index) else { throw DecryptBenchmarks.wrongAnswer }
    }
  }

  private func isRight(_ result: Result<DecryptedToken, TokenFault>, at index: Int) -> Bool {
    let request = requests[index]
    guard case .success(let token) = result,
      let alone = try? engine.decrypt(request.span, at: now, under: policy)
    else { return false }
    return token.plaintext == alone.plaintext && token.plaintext.count == lengths[index]
  }

  /// Decrypts `count` tokens, a multiple of the batch size; a remainder is not run. Returns false if a token was
  /// rejected or a plaintext has another length.
  func run(_ count: Int) -> Bool {
    var isRight = true
    for _ in 0..<(count / requests.count) {
      let lengths = lengths
      engine.decryptBatch(
        requests, at: now, under: policy, in: &workspace,
        opened: { index, token throws(TokenFault) in isRight = isRight && token.plaintext.count == lengths[index] },
        refused: { _, _ in isRight = false })
    }
    return isRight
  }
}
