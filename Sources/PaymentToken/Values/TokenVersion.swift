/// The encryption scheme a token names in its `version` (Apple, "Payment token format reference").
@frozen
public enum TokenVersion: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// ECDH on P-256 and AES-256-GCM.
  case ecV1 = "EC_v1"
  /// RSA-OAEP and AES-128-GCM (mainland China).
  case rsaV1 = "RSA_v1"
}
