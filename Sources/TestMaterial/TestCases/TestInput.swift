public import PaymentToken

/// What one engine decided about a request.
public typealias Verdict = Result<TokenUnderUnsignedPolicy, TokenFault>

/// What a request is decided under: the time, the caller's policy, and the requests that were decided before it.
public struct TestContext: Hashable, Sendable {
  /// The verification time.
  public var now: UnixTime
  /// The caller's demands, as a value.
  public var policy: TestPolicy
  /// Requests decided first, in this order, under the same time, policy and replay store; their verdicts do not count.
  public var prelude: [[UInt8]]

  /// Unless said otherwise: the default policy, and nothing decided before.
  public init(now: UnixTime, policy: TestPolicy = TestPolicy(), prelude: [[UInt8]] = []) {
    self.now = now
    self.policy = policy
    self.prelude = prelude
  }

  /// Whether files and the line protocol have words for it. They have none for archival mode, for a store without room
  /// for the prelude and the request, for envelopes that are not all of ours, and for a time before year 0 or after 9999.
  public var isExpressible: Bool {
    guard policy.freshness != .signingTime, policy.envelope.name != nil, UnixTime(rfc3339: now.rfc3339) == now else {
      return false
    }
    return policy.replayCapacity.map { $0 > prelude.count } ?? true
  }
}

/// A request and the context it is decided in.
public struct TestInput: Hashable, Sendable {
  /// The request's bytes.
  public var request: [UInt8]
  /// What it is decided under.
  public var context: TestContext

  /// A request in its context.
  public init(_ request: [UInt8], _ context: TestContext) {
    self.request = request
    self.context = context
  }

  /// What an engine says about the request, after the prelude and with a replay store that has seen nothing before it.
  public func verdict(by engine: any TokenDecryptor) -> Verdict {
    let policy = context.policy.verificationPolicy()
    for earlier in context.prelude { _ = verdict(on: earlier, by: engine, under: policy) }
    return verdict(on: request, by: engine, under: policy)
  }

  private func verdict(
    on request: [UInt8], by engine: any TokenDecryptor, under policy: VerificationPolicy
  ) -> Verdict {
    engine.verdict(on: request, at: context.now, isUnsigned: context.policy.isUnsigned, under: policy)
  }
}

extension TokenDecryptor {
  /// The verdict on a request, of either policy.
  public func verdict(
    on request: [UInt8], at now: UnixTime, isUnsigned: Bool, under policy: VerificationPolicy
  ) -> Verdict {
    do {
      return .success(
        isUnsigned
          ? try decryptUnsigned(request.span, at: now, under: policy)
          : .signed(try decrypt(request.span, at: now, under: policy)))
    } catch {
      return .failure(error)
    }
  }
}
