import PaymentToken

/// Requests that are decrypted together, each with its verification time and its policy.
protocol BatchedRequests {
  var count: Int { get }

  /// Calls `body` with a request's bytes, its verification time and its policy.
  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result

  /// Calls `body` with a request's verification time and its policy, without retaining the request's bytes.
  func withPolicy<Result>(_ index: Int, _ body: (UnixTime, borrowing VerificationPolicy) -> Result) -> Result
}

/// Requests that share a verification time and a policy.
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

  func withPolicy<Result>(_ index: Int, _ body: (UnixTime, borrowing VerificationPolicy) -> Result) -> Result {
    body(now, policy)
  }
}

/// Requests that each have their own time and policy, as in a pool. Only the harness (Differential) uses them.
struct MixedRequests: BatchedRequests {
  let requests: [FastDecryptor.TimedRequest]

  var count: Int { requests.count }

  func withRequest<Result>(
    _ index: Int, _ body: ([UInt8], UnixTime, borrowing VerificationPolicy) -> Result
  ) -> Result {
    body(requests[index].bytes, requests[index].now, requests[index].policy)
  }

  func withPolicy<Result>(_ index: Int, _ body: (UnixTime, borrowing VerificationPolicy) -> Result) -> Result {
    body(requests[index].now, requests[index].policy)
  }
}

/// How to treat tokens that take long.
package enum SlowTokens: Sendable {
  /// Decide them all.
  case decide
  /// Leave a token undecided if its chain is not in the cache.
  case skipUnknownChains
  /// Leave every token that has a `SlowReason` undecided.
  case skip
}

/// Why a token takes long.
package enum SlowReason: Sendable {
  /// Its chain is not in the cache. Verifying one takes as long as dozens of tokens of a batch.
  case unknownChain
  /// Its key must be unwrapped by RSA, which takes as long as ten to thirty tokens of a batch.
  case wrappedKey
}

/// How to treat a token that only an asynchronous replay store can still reject.
enum AsynchronousStores {
  /// Ask the store, and wait for its answer.
  case ask
  /// Leave it to the caller to ask the store.
  case leaveToCaller
}
