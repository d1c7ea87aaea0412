import PaymentToken

extension DecryptionPool {
  /// Why a request was not answered with a payment.
  public enum Refusal: Error, Hashable, Sendable {
    /// The engine's verdict.
    case token(TokenFault)
    /// As many requests wait as may wait. The same token may pass later.
    case overloaded
    /// The caller took the request back before it was decided: no replay store was asked about the token.
    case cancelled
    /// The deadline, or the policy's window, passed before the request was begun: likewise.
    case deadlineExceeded
    /// The pool takes no more requests.
    case shutDown
  }
}

extension DecryptionPool.Refusal: CustomStringConvertible {
  /// A stable word; of a verdict its code, stage and member.
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
