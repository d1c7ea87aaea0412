import PaymentToken

/// Verifies certificates that the engine has not seen before, so that requests of known signers need not wait for it.
///
/// Verifying a chain takes as long as dozens of tokens, and an attacker can send new certificates at will. The slow
/// path therefore has its own thread, of low priority, and its own bounded queue. It decides stages 0 to 8: a chain is
/// cached only if its leaf has signed the token, so forged tokens leave no entry. Requests then return to the workers,
/// which decide the remaining stages and call the callers back; no callback runs on a thread of low priority.
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

  /// Verifies requests until the queue ends it.
  ///
  /// - Parameter engine: returns the current engine.
  func run(from queue: WorkerQueue, by engine: () -> FastDecryptor) {
    while queue.nextUnverified(into: &taken) {
      let engine = engine()
      for submission in taken { verify(submission, by: engine) }
      queue.returnFromSlowPath(&taken)
    }
  }

  private func verify(_ submission: Submission, by engine: FastDecryptor) {
    guard case .begun = submission.begin() else { return }
    defer { _ = submission.requeue() }
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
  /// Decides stages 0 to 8 of a request and caches its chain if they pass. Does nothing more if the chain is cached by
  /// now.
  ///
  /// Clears the workspace's chains first: the worker that decides the request next looks in the shared cache.
  func learnChain(
    of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace
  ) throws(TokenFault) {
    let extracted = try workspace.extract(request, from: policy.envelope)
    let decoded = try workspace.decode(extracted, of: request)
    let signedData = try workspace.signedData(of: decoded)
    workspace.chains.removeAll()
    workspace.tables.trim()
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    guard !chain.isKnown else { return }
    let claim = try claim(signedData, by: chain, at: now, under: policy)
    try verifySignature(claim, of: decoded, in: &workspace)
  }
}
