import PaymentToken

/// Decides batches and single requests, for a `PoolSchedule` that replaces the engine.
package typealias PoolDecider = BatchDecider & TokenDecider

/// Decides the batches of a worker with an engine, in its own buffers.
package protocol BatchDecider: AnyObject {
  /// Reports one outcome for each request, as `FastDecryptor.decryptBatch` does.
  func decryptBatch(
    _ requests: SubmittedRequests, by engine: FastDecryptor, slowTokens: SlowTokens,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    awaitingStore: (Int, borrowing OpenedToken, AskableStore) -> Void,
    refused: (Int, TokenFault) -> Void, skipped: (Int, SlowReason) -> Void)
}

/// Decides single requests with an engine, in its own buffers.
package protocol TokenDecider: AnyObject {
  /// Decides all stages if the chain is cached, and passes an accepted token to `body`.
  ///
  /// - Returns: whether the chain is cached. If it is not, only stages 0 to 5 are decided, without the certificates.
  func decryptOfKnownSigner(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) -> Bool

  /// Decides stages 0 to 8 and caches the chain if they pass; stops at a chain that is already cached.
  ///
  /// - Returns: whether the chain was verified; false if it was already cached.
  func learnChain(
    of request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor
  ) throws(TokenFault) -> Bool
}

final class BatchBuffers: BatchDecider {
  private var workspace: BatchWorkspace

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = BatchWorkspace() else { return nil }
    self.workspace = workspace
  }

  func decryptBatch(
    _ requests: SubmittedRequests, by engine: FastDecryptor, slowTokens: SlowTokens,
    opened: (Int, borrowing OpenedToken) throws(TokenFault) -> Void,
    awaitingStore: (Int, borrowing OpenedToken, AskableStore) -> Void,
    refused: (Int, TokenFault) -> Void, skipped: (Int, SlowReason) -> Void
  ) {
    engine.decryptBatch(
      requests, in: &workspace, slowTokens: slowTokens, stores: .leaveToCaller, opened: opened,
      awaitingStore: awaitingStore, refused: refused, skipped: skipped)
  }
}

final class TokenBuffers: TokenDecider {
  private var workspace: Workspace

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }

  func decryptOfKnownSigner(
    _ request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    _ body: (borrowing OpenedToken) throws(TokenFault) -> Void
  ) throws(TokenFault) -> Bool {
    try engine.decryptOfKnownSigner(request.span, at: now, under: policy, in: &workspace, body) != nil
  }

  func learnChain(
    of request: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor
  ) throws(TokenFault) -> Bool {
    try engine.learnChain(of: request.span, at: now, under: policy, in: &workspace)
  }
}

/// The requests of one batch, for the engine.
package struct SubmittedRequests: BatchedRequests {
  let submissions: [Submission]

  package var count: Int { submissions.count }

  package func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    let submission = submissions[index]
    return body(submission.bytes, submission.now, submission.policy)
  }

  package func withPolicy<Result>(_ index: Int, _ body: (UnixTime, borrowing VerificationPolicy) -> Result) -> Result {
    let submission = submissions[index]
    return body(submission.now, submission.policy)
  }
}
