/// The layers of a sample, innermost first. A change in one is followed by rebuilding all layers after it.
public enum Layer: Int, Comparable, Sendable, CaseIterable {
  /// The decrypted content of `data`.
  case payload
  /// The decoded fields that the signature covers: ciphertext, key, identifiers.
  case content
  /// The certificates in the CMS.
  case certificates
  /// The signed attributes.
  case attributes
  /// The CMS around them, after signing.
  case signature
  /// The token's JSON as members.
  case members
  /// The token's JSON as text.
  case tokenText
  /// The request around the token, as members.
  case request
  /// The request as text.
  case requestText
  /// Time, policy and earlier requests.
  case context

  public static func < (left: Layer, right: Layer) -> Bool { left.rawValue < right.rawValue }
}
