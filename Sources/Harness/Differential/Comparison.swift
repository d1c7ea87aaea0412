import PaymentToken

/// What one engine decided about a request.
public typealias Verdict = Result<TokenUnderUnsignedPolicy, TokenFault>

/// What two engines decided about one request under the same demands.
public struct Comparison: Sendable {
  public let first: Verdict
  public let second: Verdict

  /// Asks both engines.
  ///
  /// - Parameters:
  ///   - prelude: requests both decrypt before, whose verdicts do not count: for replays.
  ///   - isUnsigned: whether the unsigned policy is asked for.
  ///   - policy: called once for each engine, so that neither sees what the other left in a replay store.
  public init(
    of request: [UInt8], after prelude: [[UInt8]] = [], by engines: (any TokenDecryptor, any TokenDecryptor),
    at now: UnixTime, isUnsigned: Bool = false, under policy: () -> VerificationPolicy
  ) {
    func verdict(_ engine: any TokenDecryptor) -> Verdict {
      let policy = policy()
      for earlier in prelude { _ = engine.verdict(of: earlier, at: now, isUnsigned: isUnsigned, under: policy) }
      return engine.verdict(of: request, at: now, isUnsigned: isUnsigned, under: policy)
    }
    first = verdict(engines.0)
    second = verdict(engines.1)
  }

  /// Same verdict; the same code, stage and member, or the same token to the last octet of its plaintext.
  public var agrees: Bool { first == second }
}

extension TokenDecryptor {
  /// The verdict on a request, of either policy.
  public func verdict(
    of request: [UInt8], at now: UnixTime, isUnsigned: Bool, under policy: VerificationPolicy
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
