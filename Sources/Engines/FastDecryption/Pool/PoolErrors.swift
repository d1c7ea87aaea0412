import PaymentToken

extension DecryptionPool {
  /// Why a request was not answered with a payment.
  @nonexhaustive
  public enum Refusal: Error, Hashable, Sendable {
    /// The token was rejected: by the engine, by its replay store or because that did not answer in time, or by the
    /// closure that got the token.
    case token(TokenFault)
    /// A queue is full, too many requests wait for a store, there is no memory for a token that waits, or the request's
    /// new certificates would be verified only after its deadline. No replay store was asked about the token, and the
    /// request can be repeated.
    case overloaded
    /// The caller cancelled the request before a worker began it, or before the slow path returned it. No replay store
    /// was asked about the token.
    case cancelled
    /// The deadline, or the policy's window, passed before a worker began the request, or before the slow path returned
    /// it. No replay store was asked about the token.
    case deadlineExceeded
    /// The pool is shutting down and admits no more requests.
    case shutDown
  }

  /// Why a pool could not start.
  @nonexhaustive
  public enum StartFailure: Error, Hashable, Sendable {
    /// A count of the configuration is below one or too large, a duration is negative, or `storeTimeLimit` is zero.
    case invalidConfiguration
    /// There is not enough memory for the workers' buffers.
    case outOfMemory
    /// The system refused to create a thread.
    case threadCreationFailed
    /// The process may not run on this CPU, or no CPU has this number.
    case unavailableCPU(Int)
  }
}

extension DecryptionPool.Refusal: CustomStringConvertible {
  /// The name of the case; for `token`, the fault's code, stage and member. Contains nothing of the request.
  public var description: String {
    switch self {
    case .token(let fault): fault.description
    case .overloaded: "overloaded"
    case .cancelled: "cancelled"
    case .deadlineExceeded: "deadlineExceeded"
    case .shutDown: "shutDown"
    }
  }
}
