import PaymentToken

/// Decides what takes long, so that other requests need not wait for it: tokens whose certificates the engine has not
/// seen before, and tokens whose key must be unwrapped by RSA.
///
/// Verifying a chain takes as long as dozens of tokens, and an attacker can send new certificates at will; unwrapping a
/// key takes as long as ten to thirty tokens. The slow path therefore has its own thread, of low priority, and a
/// bounded queue for each kind, from which it takes one request in turn.
///
/// - *Unknown certificates.* It decides stages 0 to 8: a chain is cached only if its leaf has signed the token, so
///   forged tokens leave no entry. The workers decide the remaining stages.
/// - *Wrapped keys.* It decides all stages but the replay store (14.4), and holds the token in guarded memory. A worker
///   asks the store and answers. Workers without other requests for a while decide such requests themselves.
///
/// Requests return to the workers, which call the callers back; no callback runs on a thread of low priority.
///
/// `@unchecked Sendable`: one thread runs it.
final class SlowPath: @unchecked Sendable {
  /// What the slow path knows of a request that returns to the workers.
  enum Finding {
    case fault(TokenFault)
    /// The token meets all rules except 14.4, which is still to be checked. The worker that takes the request from the
    /// queue puts the held token back.
    case token(HeldToken)
    /// The token could not be held.
    case outOfMemory
  }

  private let decider: any TokenDecider
  private let schedule: (any PoolSchedule)?
  private var places: HeldStock
  private var taken: [Submission] = []

  /// - Parameters:
  ///   - decider: decides the requests.
  ///   - held: has the places for decrypted tokens.
  init(_ decider: any TokenDecider, holding held: HeldPlaintexts, _ schedule: (any PoolSchedule)?) {
    (self.decider, self.schedule) = (decider, schedule)
    places = HeldStock(of: held)
  }

  /// Decides requests until the queue ends it.
  ///
  /// - Parameter engine: returns the current engine.
  func run(from queue: WorkerQueue, by engine: () -> FastDecryptor) {
    var turn = SlowReason.unknownChain
    while queue.nextForSlowPath(first: turn, into: &taken) {
      let engine = engine()
      for submission in taken {
        decide(submission, by: engine)
        turn = submission.slowReason == .wrappedKey ? .unknownChain : .wrappedKey
      }
      queue.returnFromSlowPath(&taken)
    }
  }

  private func decide(_ submission: Submission, by engine: FastDecryptor) {
    guard case .decide = submission.begin(for: .slowPath) else { return }
    // If the request was cancelled meanwhile, it stays `.cancelled`, and a worker refuses it.
    defer { _ = submission.move(from: .slowPath, to: .queue) }
    if let deadline = submission.deadline, schedule.now >= deadline { return }
    do throws(TokenFault) {
      switch submission.slowReason {
      case .unknownChain:
        try decider.learnChain(of: submission.bytes, at: submission.now, under: submission.policy, by: engine)
      case .wrappedKey:
        submission.finding = try decrypt(submission, by: engine).map { .token($0) } ?? .outOfMemory
      }
    } catch {
      submission.finding = .fault(error)
    }
  }

  /// Decides all stages of a request but 14.4; nil if there is no memory for the token.
  private func decrypt(_ submission: Submission, by engine: FastDecryptor) throws(TokenFault) -> HeldToken? {
    var held: HeldToken?
    try decider.decrypt(
      submission.bytes, at: submission.now, under: submission.policy.withoutReplayStore, by: engine
    ) { token in held = places.hold(token) }
    return held
  }
}

extension VerificationPolicy {
  /// The same rules but 14.4.
  fileprivate var withoutReplayStore: VerificationPolicy {
    guard case .window(let seconds, detectsReplays: true) = freshnessRule else { return self }
    return VerificationPolicy(
      envelope: envelope, freshness: .window(seconds: seconds), revoked: revoked, expectations: expectations)
  }
}

extension FastDecryptor {
  /// Decides stages 0 to 8 of a request and caches its chain if they pass. Does nothing more if the chain is cached by
  /// now.
  ///
  /// Looks in the engine's newest snapshot, as the worker does that decides the request next.
  func learnChain(
    of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace
  ) throws(TokenFault) {
    let extracted = try workspace.extract(request, from: policy.envelope)
    let decoded = try workspace.decode(extracted, of: request)
    let signedData = try workspace.signedData(of: decoded)
    workspace.heldSigners.begin(with: signers)
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    guard !chain.isKnown else { return }
    let claim = try claim(signedData, by: chain, at: now, under: policy)
    try verifySignature(claim, of: decoded, in: &workspace)
  }
}
