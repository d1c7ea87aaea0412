/// The limits of Docs/Verification.md on sizes and counts, for test cases and mutations at the limits.
package enum RuleLimits {
  /// Bytes of a token (1.1).
  package static let token = 16_384
  /// Bytes of a request (0.1).
  package static let request = 65_536
  /// Levels of JSON (2.4).
  package static let nesting = 32
  /// Members and elements of a document (2.4).
  package static let values = 2_048
  /// Members of an object (2.5, 13.1).
  package static let members = 64
  /// Bytes of a certificate (5.8).
  package static let certificate = 4_096
}
