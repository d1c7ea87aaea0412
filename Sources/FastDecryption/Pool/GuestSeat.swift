import PaymentToken

/// What a caller's own thread decrypts a lone request with.
///
/// `@unchecked Sendable`: the pool lends it to one caller at a time; `tally` alone is read by others.
final class GuestSeat: @unchecked Sendable {
  let tally = Tally()
  private var workspace: Workspace

  /// Nil when there is no memory left.
  init?() {
    guard let workspace = Workspace() else { return nil }
    self.workspace = workspace
  }

  /// Decides one request as a worker and the side lane would.
  func decrypt<Value>(
    _ octets: [UInt8], at now: UnixTime, under policy: VerificationPolicy, by engine: FastDecryptor,
    submitted: ContinuousClock.Instant, reading: (borrowing OpenedToken) throws(TokenFault) -> Value
  ) throws(DecryptionPool.Refusal) -> Value {
    tally.count(.lentCaller)
    do throws(TokenFault) {
      let value = try engine.decrypt(octets.span, at: now, under: policy, in: &workspace, reading)
      tally.countAccepted(after: submitted.duration(to: .now))
      return value
    } catch {
      tally.countRefused(error, after: submitted.duration(to: .now))
      throw .token(error)
    }
  }
}
