import TestCases

/// Finds what a public folder must never contain: certificates under Apple's own root.
public enum GenuineMaterial {
  /// The beginning of the common names of Apple's roots. Every intermediate has such a name as its issuer.
  private static let issuer = Array("Apple Root CA".utf8)
  /// The issuer of genuine leaves.
  private static let integration = Array("Apple Application Integration CA".utf8)

  /// Whether Apple's root or a certificate under it is in these bytes, or in base64 in them.
  public static func isIn(_ bytes: [UInt8]) -> Bool {
    EmbeddedBytes.all(in: bytes).contains { $0.contains(issuer) || $0.contains(integration) }
  }
}
