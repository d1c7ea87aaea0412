import PaymentToken

/// Decides what takes long, so that other requests need not wait for it: tokens whose certificates the engine has not
/// seen before, and tokens whose key must be unwrapped by RSA.
///
/// Verifying a chain takes as long as dozens of tokens of a batch, and an attacker can send new certificates at will;
/// unwrapping a key takes as long as ten to thirty tokens. The slow path therefore has its own thread, of low priority,
/// and a bounded queue for each kind.
///
/// - *Unknown certificates.* It verifies a limited number of chains a second (`ChainBudget`), and meanwhile unwraps
///   keys or sleeps. It decides stages 0 to 8: a chain is cached only if its leaf has signed the token, so forged
///   tokens leave no entry. A worker then decides the request from stage 0 on and finds the chain in the cache.
/// - *Wrapped keys.* It decides all stages but the replay store (14.4), and holds the token in guarded memory. A worker
///   asks the store and answers. Workers without other requests for a while decide such requests themselves.
///
/// Requests return to the workers, which call the callers back; no callback runs on a thread of low priority.
///
/// `@unchecked Sendable`: one thread runs it.
final class SlowPath: @unchecked Sendable {
  /// What the slow path has decided about a request that returns to the workers.
  enum Finding {
    case fault(TokenFault)
    /// The token meets all rules except 14.4, which is still to be checked. The worker that takes the request from the
    /// queue puts back the slot that holds the token.
    case token(HeldToken)
    /// The token could not be held.
    case outOfMemory
  }

  private let decider: any TokenDecider
  private let schedule: (any PoolSchedule)?
  private var heldStock: HeldStock
  private var taken: [Submission] = []

  /// - Parameters:
  ///   - decider: decides the requests.
  ///   - held: has the slots for decrypted tokens.
  init(_ decider: any TokenDecider, holding held: HeldPlaintexts, _ schedule: (any PoolSchedule)?) {
    (self.decider, self.schedule) = (decider, schedule)
    heldStock = HeldStock(of: held)
  }

  /// Decides requests until the queue ends it.
  ///
  /// - Parameter engine: returns the current engine.
  func run(from queue: WorkerQueue, by engine: () -> FastDecryptor) {
    var isKeysTurn = false
    while queue.nextForSlowPath(keysFirst: isKeysTurn, into: &taken) {
      let engine = engine()
      var hasVerifiedChain = false
      for submission in taken {
        hasVerifiedChain = decide(submission, by: engine)
        isKeysTurn = submission.slowReason == .unknownChain
      }
      queue.returnFromSlowPath(&taken, hasVerifiedChain: hasVerifiedChain)
    }
  }

  /// Decides a request, and returns whether it counts as a verified chain (`ChainBudget`).
  private func decide(_ submission: Submission, by engine: FastDecryptor) -> Bool {
    guard case .decide = submission.begin(for: .slowPath) else { return false }
    // If the request was cancelled meanwhile, it stays `.cancelled`, and a worker refuses it.
    defer { _ = submission.move(from: .slowPath, to: .queue) }
    if let deadline = submission.deadline, schedule.now >= deadline { return false }
    do throws(TokenFault) {
      switch submission.slowReason {
      case .unknownChain:
        return try decider.learnChain(
          of: submission.bytes, at: submission.now, under: submission.policy, by: engine)
      case .wrappedKey:
        submission.finding = try decrypt(submission, by: engine)
        return false
      }
    } catch {
      submission.finding = .fault(error)
      return submission.slowReason == .unknownChain
    }
  }

  /// Decides all rules but 14.4. Nil if the request's chain is not cached: because the engine was replaced, or the
  /// chain was evicted meanwhile.
  private func decrypt(_ submission: Submission, by engine: FastDecryptor) throws(TokenFault) -> Finding? {
    var held: HeldToken?
    let isDecided = try decider.decryptOfKnownSigner(
      submission.bytes, at: submission.now, under: submission.policy.withoutReplayStore, by: engine
    ) { token in held = heldStock.hold(token) }
    return isDecided ? held.map { .token($0) } ?? .outOfMemory : nil
  }
}

extension VerificationPolicy {
  /// The same policy without rule 14.4.
  fileprivate var withoutReplayStore: VerificationPolicy {
    guard case .window(let seconds, detectsReplays: true) = freshnessRule else { return self }
    return VerificationPolicy(
      envelope: envelope, freshness: .window(seconds: seconds), signingTimes: signingTimes, revoked: revoked,
      expectations: expectations)
  }
}

extension FastDecryptor {
  /// Decides stages 0 to 8 of a request and caches its chain if they pass. Stops and returns false if the chain is
  /// already cached.
  ///
  /// Looks in the engine's newest snapshot, like the worker that decides the request next.
  func learnChain(
    of request: Span<UInt8>, at now: UnixTime, under policy: borrowing VerificationPolicy,
    in workspace: inout Workspace
  ) throws(TokenFault) -> Bool {
    let extracted = try workspace.extract(request, from: policy.envelope)
    let decoded = try workspace.decode(extracted, of: request)
    let signedData = try workspace.signedData(of: decoded)
    workspace.heldSigners.begin(with: signers)
    let chain = try chain(of: signedData, for: decoded, in: &workspace)
    guard !chain.isKnown else { return false }
    let claim = try checkedClaim(signedData, by: chain, at: now, under: policy)
    try verifySignature(claim, of: decoded, in: &workspace)
    return true
  }
}

/// How many chains may be verified: a burst at once, then a number a second.
///
/// A token bucket, kept as the time at which it will be full (the generic cell rate algorithm of ITU-T I.371). A
/// request whose chain is cached when the slow path begins it does not count.
struct ChainBudget {
  private let interval: Duration
  private let burst: Int
  private var full: ContinuousClock.Instant

  init(_ configuration: DecryptionPool.Configuration, at now: ContinuousClock.Instant) {
    interval = .seconds(1) / configuration.unknownChainsPerSecond
    burst = configuration.unknownChainBurst
    full = now
  }

  /// When a chain may be verified, if `count` others are verified before.
  func start(after count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    max(full, now).advanced(by: interval * (count + 1 - burst))
  }

  /// Counts a chain that was verified.
  mutating func spend(at now: ContinuousClock.Instant) {
    full = max(full, now).advanced(by: interval)
  }
}
