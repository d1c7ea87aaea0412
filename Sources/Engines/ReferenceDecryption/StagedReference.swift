import MerchantKeys
import PaymentToken

/// One token whose stages can be done again in groups, to learn what each costs: the functions that `decrypt` calls, in its
/// order.
///
/// Holds a plaintext for as long as it lives: for tokens of test keys.
package final class StagedReference {
  /// A part of the way from token to payment.
  package enum Group: String, CaseIterable, Sendable {
    /// Stages 1 to 4.
    case jsonEncodings = "json+encodings"
    /// Stages 5 to 9.
    case cmsChainSignature = "cms+chain+signature"
    /// Stages 10 to 12.
    case keyDecryption = "key+decryption"
    /// Stages 13 and 14.
    case payload
  }

  private let engine: ReferenceDecryptor
  private let token: [UInt8]
  private let now: UnixTime
  private let policy: VerificationPolicy
  private var fields: TokenFields?
  private var decrypted: WipedBytes?
  private var trace = Trace()

  package init(_ token: [UInt8], engine: ReferenceDecryptor, at now: UnixTime, under policy: VerificationPolicy) {
    self.engine = engine
    self.token = token
    self.now = now
    self.policy = policy
  }

  deinit {
    decrypted?.wipe()
  }

  /// Does one group; those before it must have been done.
  package func run(_ group: Group) throws(TokenFault) {
    trace = Trace()
    switch group {
    case .jsonEncodings:
      let token = token
      fields = try ReferenceDecryptor.readFields(.request, in: token.span, trace: &trace)
    case .cmsChainSignature: try engine.verify(try done(fields), at: now, under: policy, trace: &trace)
    case .keyDecryption:
      decrypted?.wipe()
      decrypted = nil
      decrypted = try engine.decrypt(try done(fields).sealed, trace: &trace)
    case .payload: try readPayload(try done(decrypted), fields: try done(fields))
    }
  }

  /// The bytes of the plaintext.
  package var plaintext: [UInt8] { decrypted.map { Array($0.all) } ?? [] }

  private func done<Value>(_ value: Value?) throws(TokenFault) -> Value {
    guard let value else { throw TokenFault(.missingMember) }
    return value
  }

  private func readPayload(_ plaintext: WipedBytes, fields: TokenFields) throws(TokenFault) {
    let document = try ReferenceDecryptor.readPayloadJSON(plaintext, trace: &trace)
    defer { document.wipe() }
    let payload = try ReferenceDecryptor.readPayload(document, version: fields.version)
    try ReferenceDecryptor.checkExpectations(
      policy, fields: fields, transactionFields: [], payload: payload, now: now, trace: &trace)
    _ = payload.payment
  }
}
