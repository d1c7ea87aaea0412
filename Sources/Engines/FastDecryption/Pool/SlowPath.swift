import PaymentToken

/// Verifies certificates that have not been seen yet, so that requests of known signers need not wait for it.
///
/// Verifying takes as long as dozens of tokens, and anybody can send new certificates. So it has a thread of its own that gives
/// way to the workers, and a queue of its own that is bounded. It decides stages 0 to 8, so that a chain is remembered only for
/// a token that its leaf signed, and workers spend nothing on forgeries. Requests come back to the workers, which decide the rest
/// and answer them: callers are never called from a thread of low priority.
///
/// `@unchecked Sendable`: one thread runs it.
final class SlowPath: @unchecked Sendable {
  private var workspace: Workspace
  private var taken: [Submission] = []

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }

  /// Verifies until the queue has no more for it.
  ///
  /// - Parameter engine: the present one.
  func run(from queue: WorkerQueue, by engine: () -> FastDecryptor) {
    while queue.nextCold(into: &taken) {
      let engine = engine()
      for submission in taken { verify(submission, by: engine) }
      queue.takeBack(&taken)
    }
  }

  private func verify(_ submission: Submission, by engine: FastDecryptor) {
    guard case .begun = submission.begin() else { return }
    defer { _ = submission.putBack() }
    if let deadline = submission.deadline, ContinuousClock.now >= deadline { return }
    let bytes = submission.bytes
    do throws(TokenFault) {
      try engine.learnChain(of: bytes.span, at: submission.now, under: submission.policy, in: &workspace)
    } catch {
      submission.fault = error
    }
  }
}

extension FastDecryptor {
  /// Stages 0 to 8 for a request whose chain the shared cache may lack: one that passes them leaves its chain there.
  ///
  /// A request whose chain is there by now is left undecided. The workspace's own last chain does not count: whoever asks for
  /// this looks in the cache again.
  func learnChain(
    of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace
  ) throws(TokenFault) {
    let extracted = try workspace.extract(request, from: policy.envelope)
    let decoded = try workspace.decode(extracted, of: request)
    let signedData = try workspace.signedData(of: decoded)
    workspace.lastChain = nil
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    guard !chain.isKnown else { return }
    let claim = try claim(signedData, by: chain, at: now, under: policy)
    try verifySignature(claim, of: decoded, table: claim.key.table(among: tables), in: &workspace)
  }
}
