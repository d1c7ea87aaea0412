import PaymentToken

/// Requests that are decrypted together, each with its verification time and its policy.
protocol BatchedRequests {
  var count: Int { get }

  /// Calls `body` with a request's bytes, its verification time and its policy.
  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result
}

/// Requests that share a verification time and a policy.
struct UniformRequests: BatchedRequests {
  let bytes: [[UInt8]]
  let now: UnixTime
  /// Copying it would count references that all threads share.
  let policy: UnsafePointer<VerificationPolicy>

  var count: Int { bytes.count }

  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    body(bytes[index], now, policy.pointee)
  }
}

/// How to treat a token whose chain is not in the cache.
enum UnknownChains {
  /// Verify its chain, from the root down.
  case verify
  /// Leave the token undecided: verifying a chain takes as long as dozens of tokens.
  case skip
}

/// How to treat a token that only an asynchronous replay store can still reject.
enum AsynchronousStores {
  /// Ask the store, and wait for its answer.
  case ask
  /// Leave it to the caller to ask the store.
  case postpone
}
