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
    // Nobody who expects application data accepts it. Apple gives the identifier no length.
    refused("", words: ["forgery-h-application-data-moved-into-the-transaction-id"], .holder, .project, .high),
    refused("", words: ["forgery-h-"], .holder, .apple, .critical),
    refused("", words: ["forgery-m-"], .holder, .apple, .high),
    refused("", words: ["forgery-j-"], .apple, .standard("sp800-38d-7.2"), .high),
    sameCurve,
    refused("", words: ["forgery-k-"], .apple, .rfc(5480, "2.1.1"), .high),
  ]

  /// Parameters of the ephemeral key that leave its point on P-256: the shared secret depends on no generator and no
  /// order, and an ECDH that takes the point as one of P-256 opens the token.
  private static let sameCurve = refused(
    "4.3 11.1",
    words: [
      "ephemeral-key-with-explicit-parameters", "explicit-parameters-in-the-ephemeral-key", "with-a-generator-of",
      "with-another-order", "without-a-cofactor", "with-a-compressed-generator", "with-another-b",
      "forgery-k-implicit-parameters", "forgery-k-no-parameters",
    ], .apple, .rfc(5480, "2.1.1"), .strictness)

  /// Where RFC 8259 leaves it to the reader: byte-order marks, lone surrogates, the depth of a payload.
  static let openTexts: [StandingRule] = [
    refused("13.1", words: ["byte-order-mark"], .apple, .rfc(8259, "8.1"), .choice),
    refused("", words: ["byte-order-mark"], .holder, .rfc(8259, "8.1"), .choice),
    refused("13.1", words: ["lone-surrogate-escape"], .apple, .rfc(8259, "8.2"), .choice),
    refused("", words: ["lone-surrogate-escape"], .holder, .rfc(8259, "8.2"), .choice),
    refused("13.1", words: ["nested-to-", "-deep"], .apple, .project, .choice),
    accepted("13.1", words: ["nested-to-", "-deep"], .apple, .project, .choice),
  ]

  /// 0, but for the rules of the token's own members in parts.
  static let envelopes: [StandingRule] = [
    // In place of a member: no signature is left, or no transactionId that it could cover.
    refused(
      "0.8 2.4", words: ["-signature-value-nested-to-", "-signature-nested-to-"], .anyone, .apple, .critical),
    refused(
      "0.8 2.4", words: ["-header-value-nested-to-", "-transaction-id-value-nested-to-", "-transaction-id-nested-to-"],
      .holder, .apple, .critical),
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
    // RFC 8259 4: names SHOULD be unique.
    refused("0.3", .holder, .rfc(8259, "4"), .choice),
    accepted("0.3", .holder, .project, .choice),
    refused("0.5", words: ["trailing-bits"], .holder, .rfc(4648, "3.5"), .choice),
    refused("0.5", words: ["needless"], .holder, .rfc(4648, "3.3"), .choice),
    refused(
      "0.5", words: ["bambora-"], without: ["value-is", "value-in", "an-empty-text", "of-base64", "of-no-json"],
      .holder,
      .rfc(4648, "4"), .strictness),
    refused(
      "0.4 0.7", words: ["around-an-empty-", "around-text-that-is-no-json", "around-the-token-and-"], .holder, .project,
      .strictness),
    // Which envelope a request has is open where more than one could be read.
    refused("0.4 0.7", words: ["by-name-is-", "-around-"], .holder, .project, .choice),
    refused("0.9", words: ["without-its-signature", "under-the-ordinary-policy"], .anyone, .apple, .critical),
    refused("0.4 0.5 0.6 0.7 0.9 0.11", .holder, .project, .strictness),
    accepted("0.5", .holder, .rfc(4648, "4")),
    accepted("0.6", words: ["in-another-object"], .holder, .project, .choice),
    accepted("0.4 0.6 0.9 0.11", .holder, .project),
    refused(
      "0.8", words: ["under-the-ordinary-policy", "without-signature", "signature-is-"],
      without: ["under-the-unsigned-policy"], .anyone, .apple, .critical),
    // Without it there is nothing that a signature could cover.
    refused(
      "0.8", words: ["worldline-without-transaction-id", "worldline-transaction-id-is-"], .holder, .apple, .critical),
    refused(
      "0.8", words: ["worldline-without-public-key-hash", "worldline-public-key-hash-is-"], .holder, .project, .choice),
    refused("0.8", words: ["seen-before"], .holder, .apple, .high),
    refused("0.8", words: ["unsigned-"], .anyone, .project, .strictness),
    refused("0.8", words: ["-too-large"], .holder, .project, .choice),
    refused("0.8", .holder, .apple, .strictness),
    accepted(
      "0.8", words: ["of-the-largest-size", "with-65-more-members", "beside-more-than"], .holder, .project, .choice),
    accepted(
      "0.8", words: ["unsigned-application-data", "unsigned-transaction-id-is-"], .anyone, .project, .choice),
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
    // Texts without the members of a token.
    refused(
      "2.6",
      words: [
        "bytes-the-first-with", "bytes-the-second-with", "that-differ-in-the-last", "and-missing-members",
        "before-a-syntax-error",
      ], .holder, .apple, .strictness),
    refused("2.6", .holder, .rfc(8259, "4"), .choice),
    accepted("2.4 2.5", .holder, .project, .choice),
    // RFC 8259 6 allows limits on the range and the precision of numbers.
    accepted(
      "2.1", words: ["number-of-json-6", "number-of-json-8", "-digits"], without: ["before-text"], .holder,
      .rfc(8259, "6"), .choice),
    accepted("2.1", words: ["number"], .holder, .rfc(8259, "6")),
    accepted("2.1", .holder, .rfc(8259, "2")),
    accepted("2.2", .holder, .rfc(8259, "8.1")),
    accepted("2.3", .holder, .rfc(8259, "7")),
    accepted("2.6", words: ["repeated-name"], .holder, .rfc(8259, "4"), .choice),
    accepted("2.6", .holder, .rfc(8259, "4")),
    // Without the member there is nothing that a signature could cover.
    refused(
      "3.1", words: ["signature-missing", "signature-is-", "signature-with-another-"], .anyone, .apple, .critical),
    refused(
      "3.1",
      words: [
        "transaction-id-missing", "transaction-id-is-", "transaction-id-with-another-", "header-missing", "header-is-",
        "header-with-another-", "empty-header", "missing-member-before",
      ], .holder, .apple, .critical),
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
    refused("4.1", words: ["public-key-hash"], without: ["before"], .holder, .project, .choice),
    refused("4.1", words: ["trailing-bit"], .holder, .rfc(4648, "3.5"), .choice),
    refused(
      "4.1", words: ["space", "line-break", "hyphen", "underscore", "exclamation-mark", "letter-beyond"], .holder,
      .rfc(4648, "3.3"), .strictness),
    refused("4.1", words: ["one-padding-more", "four-paddings-more"], .holder, .rfc(4648, "3.3"), .choice),
    // No signature is left that could be verified.
    refused(
      "4 4.1",
      words: [
        "signature-in-hexadecimal", "signature-of-", "before-the-signature", "signature-before-", "malformed-signature",
        "signature-that-",
      ], .anyone, .apple, .critical),
    refused("4", words: ["before-transaction-id-that-is-no-hex"], .holder, .apple, .critical),
    refused("4 4.1", .holder, .rfc(4648, "4"), .strictness),
    refused("4.2", .holder, .apple, .strictness),
    refused("4.3", words: ["signature-of-no-bytes"], .anyone, .apple, .critical),
    // RFC 5480 2.2: a compressed point MAY be supported.
    refused("4.3", words: ["ephemeral-public-key-compressed"], .apple, .rfc(5480, "2.2"), .choice),
    // Its tag is right.
    refused("4.3", words: ["data-of-a-tag-over-nothing"], .apple, .apple, .strictness),
    refused(
      "4.3", words: ["data-of-"], without: ["application-data"], .apple, .standard("sp800-38d-7.2"), .high),
    // Apple gives no length.
    refused(
      "4.3",
      words: ["transaction-id-of-20-", "transaction-id-of-31-", "transaction-id-of-33-", "transaction-id-of-64-"],
      .apple, .project, .choice),
    refused("4.3", words: ["wrapped-key-of-"], .apple, .rfc(8017, "7.1.2"), .strictness),
    refused("4.3", words: ["public-key-hash"], .holder, .project, .choice),
    refused("4.3", words: ["application-data-of-0-bytes"], .holder, .apple, .strictness),
    refused("4.3", .apple, .apple, .strictness),
    accepted("4.1", .holder, .rfc(4648, "4")),
    accepted("4.2", .holder, .apple),
    accepted("4.3", .apple, .apple),
  ]
}
