import MerchantKeys
import PaymentToken

extension ReferenceDecryptor {
  /// Stage 11 of RSA_v1: refuses nothing, whatever the wrapped key is.
  ///
  /// - Returns: the AES key, or a random one for a wrapped key that gives none (11.5); the caller wipes it.
  static func unwrapSymmetricKey(
    _ fields: SealedFields, from keys: MerchantKeySet, at index: Int, trace: inout Trace
  ) -> WipedBytes {
    trace.begin(.symmetricKey)
    // Another kind of key here would be a fault of stage 10, and no token's.
    guard case .rsa(let modulus, _) = keys[index].publicKey else {
      preconditionFailure("stage 10 finds keys of the version's kind")
    }
    return keys.withRSAKey(at: index) { KeyUnwrapping.key(from: fields.keyField, privateKey: $0, modulus: modulus) }
  }
}
