import FastDecryption
import MerchantKeys
import PaymentToken

/// Opens the payment tokens of one merchant.
struct TokenOpener: Sendable {
  let engine: FastDecryptor

  /// - Parameters:
  ///   - keys: the merchant's keys.
  ///   - roots: Apple's root in production, the minter's in tests.
  init(keys: MerchantKeySet, roots: TrustAnchors = .apple) throws(EngineError) {
    engine = try FastDecryptor(keys: keys, anchors: roots)
  }
}
