import PaymentToken

/// What one engine decided about a token.
public typealias Verdict = Result<DecryptedToken, TokenFault>

/// What two engines decided about one token under the same demands.
public struct Comparison: Sendable {
  public let first: Verdict
  public let second: Verdict

  /// Asks both engines.
  ///
  /// - Parameters:
  ///   - prelude: tokens both decrypt before, whose verdicts do not count: for replays.
  ///   - policy: called once for each engine, so that neither sees what the other left in a replay store.
  public init(
    of token: [UInt8], after prelude: [[UInt8]] = [], by engines: (any TokenDecryptor, any TokenDecryptor),
    at now: UnixTime, under policy: () -> VerificationPolicy
  ) {
    first = Self.verdict(of: token, after: prelude, by: engines.0, at: now, under: policy())
    second = Self.verdict(of: token, after: prelude, by: engines.1, at: now, under: policy())
  }

  /// Same verdict; the same code, stage and member, or the same token to the last octet of its plaintext.
  public var agrees: Bool { first == second }

  private static func verdict(
    of token: [UInt8], after prelude: [[UInt8]], by engine: any TokenDecryptor, at now: UnixTime,
    under policy: VerificationPolicy
  ) -> Verdict {
    for earlier in prelude { _ = verdict(of: earlier, after: [], by: engine, at: now, under: policy) }
    do {
      return .success(try engine.decrypt(token.span, at: now, under: policy))
    } catch {
      return .failure(error)
    }
  }
}
