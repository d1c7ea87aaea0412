import FastDecryption
import PaymentToken

extension TokenOpener {
  /// Verifies a token and returns its amount in minor units. Nothing of the card is copied: the decrypted bytes stay in
  /// the workspace and are wiped before this returns.
  func amount(
    in token: [UInt8], at now: UnixTime, under policy: VerificationPolicy, using workspace: inout Workspace
  ) throws(TokenFault) -> Int64 {
    try engine.decrypt(token.span, at: now, under: policy, in: &workspace) { opened throws(TokenFault) in
      opened.fields.transactionAmount
    }
  }
}
