import PaymentToken

/// Decrypts a single request on its caller's thread.
///
/// `@unchecked Sendable`: one caller at a time uses it (`WorkerQueue.claimForCaller`); other threads read only `tally`.
final class CallerWorker: @unchecked Sendable {
  let tally = Tally()
  private let decider: any TokenDecider
  private let schedule: (any PoolSchedule)?

  init(_ decider: any TokenDecider, _ schedule: (any PoolSchedule)?) {
    (self.decider, self.schedule) = (decider, schedule)
  }

  /// Decides one request as a worker would; nil if its certificates are not known.
  func decrypt<Value>(
    _ bytes: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    submitted: ContinuousClock.Instant, reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value? {
    do throws(TokenFault) {
      var value: Value?
      var end = submitted
      let isDecided = try decider.decryptOfKnownSigner(bytes, at: now, under: policy, by: engine) {
        token throws(TokenFault) in
        // As for a worker's requests, the time of the closure does not count.
        end = schedule.now
        value = try reading(token)
      }
      guard isDecided else { return nil }
      tally.count(.ranOnCallerThread)
      tally.countAccepted(after: submitted.duration(to: end))
      // A decider that has decided has called the closure, once. Without a value the request would be decided again.
      guard let value else { preconditionFailure("an accepted token is read") }
      return value
    } catch {
      tally.count(.ranOnCallerThread)
      tally.countRefused(error, after: submitted.duration(to: schedule.now))
      throw .token(error)
    }
  }
}
