import FastDecryption
import MerchantKeys
import PaymentToken
import ReferenceDecryption

/// The engines users choose from.
enum EngineName: String, CaseIterable {
  case fast
  case reference

  /// - Throws: `TrustAnchorError` for a root that breaks the rules for certificates.
  func make(keys: MerchantKeySet, anchors: TrustAnchors) throws(TrustAnchorError) -> any TokenDecryptor {
    switch self {
    case .fast: try FastDecryptor(keys: keys, anchors: anchors)
    case .reference: try ReferenceDecryptor(keys: keys, anchors: anchors)
    }
  }
}
