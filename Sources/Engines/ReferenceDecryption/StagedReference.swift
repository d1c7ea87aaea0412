import MerchantKeys
import PaymentToken

/// Runs stages 1 to 14 of one token in groups, repeatedly, to measure each group. It calls the functions that `decrypt`
/// calls, in the same order.
///
/// Keeps the plaintext as long as it lives, so use it only with test keys.
package final class StagedReference {
  /// A group of consecutive stages.
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

  /// Prepares `token` for `engine`; the parameters are those of `decrypt`.
  package init(_ token: [UInt8], engine: ReferenceDecryptor, at now: UnixTime, under policy: VerificationPolicy) {
    self.engine = engine
    self.token = token
    self.now = now
    self.policy = policy
  }

  deinit {
    decrypted?.wipe()
  }

  /// Runs one group. The groups before it must have run.
  ///
  /// - Throws: the first fault of the group's stages.
  package func run(_ group: Group) throws(TokenFault) {
    trace = Trace()
    switch group {
    case .jsonEncodings:
      let token = token
      fields = try ReferenceDecryptor.readFields(.request, in: token.span, trace: &trace)
    case .cmsChainSignature: try engine.verify(required(fields), at: now, under: policy, trace: &trace)
    case .keyDecryption:
      decrypted?.wipe()
      decrypted = nil
      decrypted = try engine.decrypt(required(fields).sealed, trace: &trace)
    case .payload: try readPayload(required(decrypted), fields: required(fields))
    }
  }

  /// A copy of the plaintext; empty before `keyDecryption` has run.
  package var plaintext: [UInt8] { decrypted.map { Array($0.all) } ?? [] }

  private func required<Value>(_ value: Value?) -> Value {
    guard let value else { preconditionFailure("a group before this one has not run") }
    return value
  }

  private func readPayload(_ plaintext: WipedBytes, fields: TokenFields) throws(TokenFault) {
    let document = try ReferenceDecryptor.readPayloadJSON(plaintext, trace: &trace)
    defer { document.wipe() }
    let payload = try ReferenceDecryptor.readPayload(document, version: fields.version, trace: &trace)
    try ReferenceDecryptor.checkExpectations(
      policy, fields: fields, transactionFields: [], payload: payload, now: now, trace: &trace)
    _ = payload.payment
  }
}
