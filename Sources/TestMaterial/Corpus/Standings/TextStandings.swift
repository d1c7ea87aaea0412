import TestCases

/// Standings of what is decided before the signature is read: stages 0 to 4.
extension StandingRule {
  /// The classic forgeries, by their letters, in any stage.
  static let forgeries: [StandingRule] = [
    refused(
      "", words: ["forgery-a-", "forgery-b-", "forgery-c-", "forgery-d-", "forgery-e-", "forgery-f-"], .anyone, .apple,
      .critical),
    refused(
      "", words: ["forgery-g-ciphertext-bit-flipped-under-the-old-tag-and-signed"], .apple, .standard("sp800-38d-7.2"),
      .high),
    refused("", words: ["forgery-g-"], .anyone, .apple, .critical),
    // Apple gives no length; all that is known has 32 bytes.
    refused(
      "", words: ["forgery-h-"], without: ["-moved-into-application-data", "-as-application-data"], .holder, .project,
      .critical),
    refused("", words: ["forgery-h-"], .holder, .apple, .critical),
    refused("", words: ["forgery-m-"], .holder, .apple, .high),
    refused("", words: ["forgery-j-"], .apple, .standard("sp800-38d-7.2"), .high),
    sameCurve,
    refused("", words: ["forgery-k-"], .apple, .rfc(5480, "2.1.1"), .high),
  ]

  /// Explicit parameters of the ephemeral key that leave the curve P-256: the shared secret depends on neither the
  /// generator nor the order.
  private static let sameCurve = refused(
    "4.3",
    words: [
      "ephemeral-key-with-explicit-parameters", "explicit-parameters-in-the-ephemeral-key", "with-a-generator-of",
      "with-another-order", "without-a-cofactor", "with-a-compressed-generator",
    ], .apple, .rfc(5480, "2.1.1"), .strictness)

  /// 0, but for the rules of the token's own members in parts.
  static let envelopes: [StandingRule] = [
    refused("13.1", words: ["nested-to-"], .apple, .project, .choice),
    accepted("13.1", words: ["nested-to-"], .apple, .project, .choice),
    refused("0.1 1.1", .holder, .project, .choice),
    accepted("0.1 1.1", .holder, .project, .choice),
    refused(
      "",
      words: ["nested-to-", "nested-arrays", "nested-objects", "reaches-depth-", "token-of-depth-", "callers-depth-"],
      .holder, .project, .choice),
    accepted(
      "", words: ["nested-to-", "nested-arrays", "reaches-depth-", "token-of-depth-", "callers-depth-"], .holder,
      .project,
      .choice),
    refused("0.2", words: ["in-an-array"], .holder, .project, .strictness),
    refused("0.2", .holder, .rfc(8259, "2"), .strictness),
    accepted("0.2", .holder, .rfc(8259, "2")),
    accepted("0.7", .holder, .rfc(8259, "7")),
    refused("0.3", .holder, .rfc(8259, "4"), .strictness),
    accepted("0.3", .holder, .project, .choice),
    refused("0.5", words: ["trailing-bits"], .holder, .rfc(4648, "3.5"), .choice),
    refused("0.5", words: ["needless"], .holder, .rfc(4648, "3.3"), .choice),
    refused("0.5", words: ["bambora-"], without: ["value-is", "value-in"], .holder, .rfc(4648, "4"), .strictness),
    // Which envelope a request has is open where more than one could be read.
    refused("0.4 0.7", words: ["by-name-is-", "-around-"], .holder, .project, .choice),
    refused("0.4 0.5 0.6 0.7 0.9 0.11", .holder, .project, .strictness),
    accepted("0.5", .holder, .rfc(4648, "4")),
    accepted("0.6", words: ["in-another-object"], .holder, .project, .choice),
    accepted("0.4 0.6 0.9 0.11", .holder, .project),
    refused(
      "0.8", words: ["under-the-ordinary-policy", "without-signature", "signature-is-"], .anyone, .apple, .critical),
    refused("0.8", words: ["unsigned-"], .anyone, .project, .strictness),
    refused("0.8", words: ["-too-large"], .holder, .project, .choice),
    refused("0.8", .holder, .apple, .strictness),
    accepted(
      "0.8", words: ["of-the-largest-size", "with-65-more-members", "beside-more-than"], .holder, .project, .choice),
    accepted("0.8", words: ["unsigned-application-data"], .anyone, .project, .choice),
    accepted("0.8", .holder, .project),
  ]

  /// 2 and 3.
  static let texts: [StandingRule] = [
    refused("2.1", .holder, .rfc(8259, "2"), .strictness),
    refused("2.2", .holder, .rfc(8259, "8.1"), .strictness),
    // The grammar allows lone surrogates; what a reader makes of them is open.
    refused("2.3", words: ["surrogate", "escape-of-d", "dbff", "dc00", "dfff"], .holder, .rfc(8259, "8.2"), .choice),
    refused("2.3", .holder, .rfc(8259, "7"), .strictness),
    refused("2.4 2.5", .holder, .project, .choice),
    // RFC 8259 4: names SHOULD be unique.
    refused("2.6", .holder, .rfc(8259, "4"), .choice),
    accepted("2.4 2.5", .holder, .project, .choice),
    accepted("2.1", words: ["number", "fractions"], .holder, .rfc(8259, "6")),
    accepted("2.1", .holder, .rfc(8259, "2")),
    accepted("2.2", .holder, .rfc(8259, "8.1")),
    accepted("2.3", .holder, .rfc(8259, "7")),
    accepted("2.6", .holder, .rfc(8259, "4")),
    // Without the member there is nothing that a signature could cover.
    refused("3.1", words: ["signature-missing", "signature-is-"], .anyone, .apple, .critical),
    refused(
      "3.1", words: ["transaction-id-missing", "transaction-id-is-", "header-missing", "header-is-"], .holder, .apple,
      .critical),
    // The hash is not signed: a decryptor may as well try the keys that it has.
    refused("3.1", words: ["public-key-hash-"], .holder, .project, .choice),
    refused("3.1 3.2", .holder, .apple, .strictness),
    refused(
      "3.3",
      words: ["-beside-the-", "with-an-escaped-name", "conflicting-members", "callers-parts-with-a-wrapped-key"],
      .holder, .project, .strictness),
    refused("3.3", .holder, .apple, .strictness),
    refused("3.4", .holder, .project, .strictness),
    accepted("3.1 3.2 3.3 3.4", .holder, .rfc(8259, "4")),
  ]

  /// 4.
  static let encodings: [StandingRule] = [
    refused("4.1", words: ["trailing-bit"], .holder, .rfc(4648, "3.5"), .choice),
    refused(
      "4.1", words: ["space", "line-break", "hyphen", "underscore", "exclamation-mark", "letter-beyond"], .holder,
      .rfc(4648, "3.3"), .strictness),
    refused("4.1", words: ["one-padding-more"], .holder, .rfc(4648, "3.3"), .choice),
    refused("4 4.1", .holder, .rfc(4648, "4"), .strictness),
    refused("4.2", .holder, .apple, .strictness),
    refused(
      "4.3", words: ["data-of-"], without: ["application-data"], .apple, .standard("sp800-38d-7.2"), .high),
    refused("4.3", words: ["public-key-hash"], .holder, .project, .choice),
    refused("4.3", words: ["application-data-of-0-bytes"], .holder, .apple, .strictness),
    refused("4.3", .apple, .apple, .strictness),
    accepted("4.1", .holder, .rfc(4648, "4")),
    accepted("4.2", .holder, .apple),
    accepted("4.3", .apple, .apple),
  ]
}
