import FastDecryption
import PaymentToken
import RedisReplayStore

/// The answers that are verdicts.
extension Answer {
  /// An accepted token with its decrypted payment. The payment's text is JSON in which each member was checked
  /// (Docs/Verification.md, stage 13), so it is copied into the answer as it is. It never becomes a string, which could
  /// not be wiped.
  init(_ token: borrowing OpenedToken) {
    var writer = AnswerWriter(capacity: 640 + token.plaintext.count)
    writer.write("{\"schema\":\"assay.server/1\",\"accepted\":true,\"envelope\":\"")
    writer.write(token.envelope)
    writer.write("\",\"version\":\"")
    writer.write(token.version.rawValue)
    writer.write("\",\"transactionId\":\"")
    writer.write(token.transactionId.hex)
    writer.write("\",\"applicationData\":")
    writer.write(token.applicationData.map { "\"\($0.hex)\"" } ?? "null")
    writer.write(",\"signedAt\":\"")
    writer.write(token.signedAt.rfc3339)
    writer.write("\",\"verifiedAt\":\"")
    writer.write(token.verifiedAt.rfc3339)
    writer.write("\",\"sandbox\":\(token.isFromSandbox),\"publicKeyHash\":\"")
    writer.write(Base64.encode(token.publicKeyHash.bytes))
    writer.write("\",\"payment\":")
    writer.write(token.plaintext)
    writer.write("}\n")
    self.init(.ok, writer.body())
  }

  /// A refused token. Status 503 if the cause is the server and not the token: the same request may be sent again.
  ///
  /// - Parameter message: a sentence in place of the code's own.
  init(_ fault: TokenFault, message: String? = nil) {
    var writer = AnswerWriter(capacity: 512)
    writer.write("{\"schema\":\"assay.server/1\",\"accepted\":false,\"error\":{\"code\":\"")
    writer.write(fault.code.rawValue)
    writer.write("\",\"stage\":\(fault.stage.rawValue),\"member\":")
    writer.write(fault.member.map { "\"\($0.path)\"" } ?? "null")
    writer.write(",\"message\":\"")
    writer.write(message ?? fault.code.advice)
    writer.write("\"}}\n")
    let status: Status = fault.code.isVerdict ? .unprocessableContent : .serviceUnavailable
    self.init(status, writer.body(), code: fault.code.rawValue)
  }

  /// Why the pool did not open a token; nil when nobody waits for the answer.
  ///
  /// - Parameter store: the store that was asked, if it is on a server.
  init?(_ refusal: DecryptionPool.Refusal, by store: RedisReplayStore?) {
    switch refusal {
    case .token(let fault):
      let problem = fault.code == .replayStoreUnavailable ? store?.problem : nil
      // The store may have been asked before its connection failed.
      self.init(
        fault,
        message: problem.map {
          "The replay store is not ready (\($0)): try again, and look the payment up if that reports a replay."
        })
    case .overloaded: self = .overloaded
    case .deadlineExceeded: self = .deadlineExceeded
    case .shutDown: self = .shutDown
    case .cancelled: return nil
    // The token was not decided: the same request may be sent again.
    @unknown default: self = .overloaded
    }
  }
}

extension RedisReplayStore {
  /// Why the store has no usable connection; nil if it has one.
  var problem: String? {
    switch metrics.status {
    case .ready: nil
    case .connecting: "connecting"
    case .failed(let failure): failure.code
    }
  }
}
