import FastDecryption
import PaymentToken

/// The HTTP response to a refusal.
struct RefusalAnswer: Equatable, Sendable {
  /// The status code.
  let status: Int
  /// A stable code for clients and logs. It contains no part of the token.
  let reason: String
  /// Seconds for `Retry-After`; nil if the same request cannot succeed.
  let retryAfter: Int?

  init(_ refusal: DecryptionPool.Refusal) {
    switch refusal {
    case .token(let fault) where !fault.code.isVerdict:
      (status, reason, retryAfter) = (503, fault.code.rawValue, 5)
    case .token(let fault): (status, reason, retryAfter) = (422, fault.code.rawValue, nil)
    case .overloaded: (status, reason, retryAfter) = (503, "overloaded", 1)
    case .deadlineExceeded: (status, reason, retryAfter) = (504, "deadlineExceeded", 1)
    // Cancelled, shut down, and what later versions add.
    default: (status, reason, retryAfter) = (503, refusal.description, 1)
    }
  }
}
