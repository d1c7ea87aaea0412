/// The root certificates a chain may end in, as DER. Never taken from a token.
///
/// An engine parses them by the rules that bind certificates in tokens when it is made, and refuses what breaks them.
public struct TrustAnchors: Hashable, Sendable {
  /// Each root's complete DER.
  public let certificates: [[UInt8]]

  /// Trusts exactly these roots; none at all when empty.
  public init(certificates: [[UInt8]]) {
    self.certificates = certificates
  }

  /// Apple Root CA - G3, the root of Apple's payment token signatures.
  public static var apple: TrustAnchors { TrustAnchors(certificates: [appleRootCAG3]) }
}

/// A root that breaks the rules for certificates (Docs/Verification.md, stage 5).
public struct TrustAnchorError: Error, Hashable, Sendable {
  /// The root's position in `TrustAnchors.certificates`.
  public let index: Int

  public init(index: Int) {
    self.index = index
  }
}
