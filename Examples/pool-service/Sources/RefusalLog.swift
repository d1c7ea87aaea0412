import FastDecryption
import Logging
import PaymentToken

extension Logger {
  /// Logs why a request has no payment. A refusal names a rule, never a value: it may be logged. The request may not.
  func log(_ refusal: DecryptionPool.Refusal) {
    log(level: refusal.logLevel, "token refused: \(refusal)", metadata: ["code": "\(RefusalAnswer(refusal).reason)"])
  }
}

extension DecryptionPool.Refusal {
  /// An error if the operator must act, a notice for a rejected token, debug for requests that were not decided.
  /// `PoolService` warns of overload, once for all requests.
  var logLevel: Logger.Level {
    switch self {
    case .token(let fault) where !fault.code.isVerdict: .error
    case .token: .notice
    default: .debug
    }
  }
}
