/// The layers of a sample, the innermost first: what is changed in one is wrapped anew in all that follow.
public enum Layer: Int, Comparable, Sendable, CaseIterable {
  /// What `data` holds once opened.
  case payload
  /// What the signature covers: ciphertext, keys, identifiers, decoded.
  case content
  /// The certificates in the CMS.
  case certificates
  /// The signed attributes.
  case attributes
  /// The CMS around them, once it is signed.
  case signature
  /// The token's JSON as members.
  case members
  /// The token's JSON as text.
  case tokenText
  /// The request around the token, as members.
  case request
  /// The request as text.
  case requestText
  /// Time, policy and what was decided before.
  case context

  public static func < (left: Layer, right: Layer) -> Bool { left.rawValue < right.rawValue }
}
