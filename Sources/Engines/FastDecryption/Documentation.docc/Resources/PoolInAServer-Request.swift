import FastDecryption
import Gateways
import PaymentToken

/// What this server keeps of an opened token.
struct OpenedPayment: Equatable, Sendable {
  /// The transaction identifier, in hexadecimal: safe to log.
  let transactionId: String
  /// Minor units.
  let amount: Int64
}

extension TokenService {
  /// Opens the token in a request body, bare or in any gateway's request.
  ///
  /// - Parameter now: the wall clock when the request arrived.
  func open(
    _ body: [UInt8], at now: UnixTime, for order: Expectations
  ) async throws(DecryptionPool.Refusal) -> OpenedPayment {
    let policy = VerificationPolicy(
      envelope: .automatic, freshness: .window(seconds: 300, replay: replay), expectations: order)
    return try await pool.decrypt(body, at: now, under: policy, deadline: .now + .milliseconds(500)) {
      opened throws(TokenFault) in
      OpenedPayment(transactionId: opened.transactionId.hex, amount: opened.fields.transactionAmount)
    }
  }
}
