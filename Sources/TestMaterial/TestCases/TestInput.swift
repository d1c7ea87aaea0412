public import PaymentToken

/// An engine's verdict on a request.
public typealias Verdict = Result<SignedOrUnsignedToken, TokenFault>

/// The context of a request: the time, the caller's policy, and the earlier requests.
public struct TestContext: Hashable, Sendable {
  /// The verification time.
  public var now: UnixTime
  /// The caller's policy.
  public var policy: TestPolicy
  /// Requests that are verified first, in this order, with the same time, policy and replay store; their verdicts are
  /// ignored.
  public var prelude: [[UInt8]]

  /// A context; by default with the default policy and no earlier requests.
  public init(now: UnixTime, policy: TestPolicy = TestPolicy(), prelude: [[UInt8]] = []) {
    self.now = now
    self.policy = policy
    self.prelude = prelude
  }

  /// Whether vectors can express the context. They cannot express archival mode, a choice among some envelopes, a
  /// caller's own envelope outside `Envelope.ofCallers`, and times before year 0 or after year 9999.
  public var isExpressible: Bool {
    policy.freshness != .signingTime && policy.envelope.vectorName != nil && UnixTime(rfc3339: now.rfc3339) == now
  }

  /// Whether the line protocol can express it, too. The protocol has no caller's own envelope, and no store that does
  /// not answer or has no room for the prelude and the request. It has no year 0, which most calendar libraries lack.
  public var isForOtherPrograms: Bool {
    isExpressible && policy.envelope.name != nil && hasRoom && now.secondsSinceEpoch >= Self.yearOne
  }

  /// 0001-01-01T00:00:00Z.
  private static let yearOne: Int64 = -62_135_596_800

  /// Whether the store, if there is one, answers and has room for the prelude and the request.
  public var hasRoom: Bool {
    switch policy.replay {
    case nil: true
    case .capacity(let capacity): capacity > prelude.count
    case .silent: false
    }
  }
}

/// A request and its context.
public struct TestInput: Hashable, Sendable {
  /// The request's bytes.
  public var request: [UInt8]
  /// The time, the policy and the earlier requests.
  public var context: TestContext

  /// A request in its context.
  public init(_ request: [UInt8], _ context: TestContext) {
    self.request = request
    self.context = context
  }

  /// An engine's verdict on the request, after the prelude, with a new replay store.
  public func verdict(by engine: any TokenDecryptor) -> Verdict {
    let policy = context.policy.verificationPolicy()
    func verdict(on request: [UInt8]) -> Verdict {
      engine.verdict(on: request, at: context.now, isUnsigned: context.policy.isUnsigned, under: policy)
    }
    for earlier in context.prelude { _ = verdict(on: earlier) }
    return verdict(on: request)
  }
}

extension TokenDecryptor {
  /// The verdict on a request under the signed or the unsigned policy.
  public func verdict(
    on request: [UInt8], at now: UnixTime, isUnsigned: Bool, under policy: VerificationPolicy
  ) -> Verdict {
    do {
      return .success(
        isUnsigned
          ? try decryptAllowingUnsigned(request.span, at: now, under: policy)
          : .signed(try decrypt(request.span, at: now, under: policy)))
    } catch {
      return .failure(error)
    }
  }
}
