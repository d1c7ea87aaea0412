import MerchantKeys
import PaymentToken

extension ReferenceDecryptor {
  /// Stage 10, 10.1.
  ///
  /// - Returns: the key's index in the set.
  /// - Throws: `unknownMerchantKey`.
  static func findMerchantKey(
    _ fields: SealedFields, in keys: MerchantKeySet, trace: inout Trace
  ) throws(TokenFault) -> Int {
    trace.begin(.merchantKey)
    trace.note(.publicKeyHash(fields.publicKeyHash))
    guard let index = keys.index(of: fields.publicKeyHash, for: fields.version) else {
      throw TokenFault(.unknownMerchantKey)
    }
    return index
  }
}
