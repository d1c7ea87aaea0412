import PaymentToken

/// Requests that are decrypted together, each with its time and its demands.
protocol BatchedRequests {
  var count: Int { get }

  /// Lends one request's bytes, its verification time and its demands.
  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result
}

/// Requests with one time and the same demands of all.
struct UniformRequests: BatchedRequests {
  let bytes: [[UInt8]]
  let now: UnixTime
  let policy: VerificationPolicy

  var count: Int { bytes.count }

  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    body(bytes[index], now, policy)
  }
}

/// What becomes of a token whose certificates are not known yet.
enum UnknownChains {
  /// They are verified now, from the root down.
  case verified
  /// It is left undecided: verifying takes as long as dozens of tokens.
  case left
}
