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
  /// An error where the operator has to act, a notice for a token that is rejected. `PoolService` warns of overload,
  /// once for all requests; what else nobody decided is of use to developers.
  var logLevel: Logger.Level {
    switch self {
    case .token(let fault) where !fault.code.isVerdict || fault.code == .replayStoreFull: .error
    case .token: .notice
    default: .debug
    }
  }
}
