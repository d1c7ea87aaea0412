import FastDecryption
import PaymentToken
import Synchronization

/// The fast engine with one workspace for all its batches, as a thread of a server has it: what a batch leaves in the
/// buffers must not change the verdicts of the next.
final class BatchingEngine: BatchDecryptor {
  private let engine: FastDecryptor
  private let workspace: Mutex<BatchWorkspace>

  /// Nil if the system is out of memory.
  init?(_ engine: FastDecryptor) {
    guard let workspace = BatchWorkspace() else { return nil }
    self.engine = engine
    self.workspace = Mutex(workspace)
  }

  var name: String { engine.name }

  func decrypt(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> DecryptedToken {
    try engine.decrypt(request, at: now, under: policy)
  }

  func decryptUnsigned(
    _ request: Span<UInt8>, at now: UnixTime, under policy: VerificationPolicy
  ) throws(TokenFault) -> TokenUnderUnsignedPolicy {
    try engine.decryptUnsigned(request, at: now, under: policy)
  }

  func decryptBatch(
    _ requests: [[UInt8]], at now: UnixTime, under policy: VerificationPolicy
  ) -> [Result<DecryptedToken, TokenFault>] {
    workspace.withLock { batch in
      var results: [Result<DecryptedToken, TokenFault>] = []
      results.reserveCapacity(requests.count)
      engine.decryptBatch(
        requests, at: now, under: policy, in: &batch,
        opened: { _, token throws(TokenFault) in results.append(.success(try token.copy())) },
        refused: { _, fault in results.append(.failure(fault)) })
      return results
    }
  }
}
