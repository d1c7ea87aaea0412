import TestCases

/// Standings of the CMS, the certificates and the signature: stages 5 to 9.
extension StandingRule {
  /// Words of cases about what Apple alone can write: attributes that it signs, certificates that it issues.
  private static let signedByApple = [
    "leaf", "intermediate", "root", "attribute", "message-digest", "signing-time", "protection", "certificate",
  ]

  /// 5.1 to 5.12.
  static let signatureShapes: [StandingRule] = [
    accepted(
      "", words: ["long-form-wrappers", "-length-bytes", "in-the-long-form", "wrappers-of-four-bytes"], .holder,
      .project,
      .choice, spelled: true),
    refused("5.1", words: ["in-the-parameters-of-the-leaf-s-key"], .apple, .project, .strictness),
    refused("5.1", words: ["values-deep", "high-tag-number"], .apple, .project, .choice),
    accepted("5.1", .apple, .project, .choice),
    refused(
      "5.1", words: ["after-the-content-info", "second-content-info", "in-pem"], .holder, .rfc(5652, "3"), .strictness),
    // All that is missing is half of the last end-of-contents.
    refused("5.1", words: ["a-signature-cut-by-one-byte"], .holder, .standard("x690-8.1.5"), .strictness),
    // No signature is left that could be verified.
    refused(
      "5.1 5.6", words: ["cut-", "signature-of-", "content-missing", "content-empty"],
      without: ["of-the-content-missing"], .anyone, .apple, .critical),
    refused("", words: ["a-signature-whose-last-element-is-"], .anyone, .apple, .critical),
    refused("5.2", words: ["-length-bytes"], .holder, .project, .choice),
    refused("5.2", .holder, .standard("x690-8.1.3"), .strictness),
    accepted(
      "5.2", words: ["digest-algorithms", "encapsulated-content", "signer-infos"], .holder, .project, .choice),
    accepted("5.2", .holder, .rfc(5652, "5.1")),
    // BER allows other lengths than the shortest; DER, which attributes and certificates have, does not.
    refused("5.3", words: ["leaf", "intermediate", "root"], .apple, .rfc(5280, "4.1"), .strictness),
    refused("5.3", words: signedByApple, without: ["signed-attributes"], .apple, .rfc(5652, "5.3"), .strictness),
    refused(
      "5.3", words: ["longer-than-what-is-left", "than-its-contents"], .holder, .standard("x690-8.1.3"), .strictness),
    refused("5.3", .holder, .project, .choice),
    refused("5.4", words: ["an-external", "an-embedded-pdv", "universal-zero"], .apple, .project, .choice),
    refused("5.4", words: ["signature-value-as-a-constructed"], .holder, .project, .choice),
    refused("5.4 5.5", words: ["leaf", "intermediate", "root"], .apple, .rfc(5280, "4.1"), .strictness),
    refused("5.4", .apple, .rfc(5652, "5.3"), .strictness),
    refused("5.5", words: signedByApple, .apple, .rfc(5652, "5.3"), .strictness),
    refused("5.5", .holder, .standard("x690-8"), .strictness),
    // Attributes that Apple has never sent: a verifier may be more careful with them.
    accepted("5.3 5.4 5.5", .apple, .project, .choice),
    refused("5.6", .holder, .rfc(5652, "3"), .strictness),
    refused("5.7", words: ["of-the-attacker", "of-another-token"], .anyone, .apple, .critical),
    // The value of the signature is whole, and something stands after it.
    refused(
      "5.7", words: ["that-ends-in-a-tag", "that-ends-in-a-length", "that-ends-in-half-a-length"],
      without: ["for-a-value", "of-signer-infos"], .holder, .rfc(5652, "5.3"), .strictness),
    // No signature is left that could be verified, or no certificate to verify it with.
    refused(
      "5.7 5.9",
      words: [
        "that-ends-", "no-signer-info", "signer-infos-missing", "signer-info-empty", "signature-value-missing",
        "signed-attributes-missing", "certificates-primitive",
      ], .anyone, .apple, .critical),
    // RFC 5652 5.1: any number of digest algorithms, including zero.
    refused(
      "5.7", words: ["no-digest-algorithm", "digest-algorithm-sha-"], without: ["signer-"], .holder,
      .rfc(5652, "5.1"), .choice),
    // Section 5.2 of RFC 5652 allows the content: Apple's signatures are detached.
    refused("5.7", words: ["content-inside"], .holder, .apple, .strictness),
    refused(
      "5.7",
      words: [
        "revocation-lists", "two-signer-infos", "two-equal-signer-infos", "two-digest-algorithms", "beside-sha-256",
      ],
      .holder, .project, .choice),
    refused("5.7", .holder, .rfc(5652, "5.1"), .strictness),
    refused("5.8", .holder, .project, .choice),
    accepted("5.8", .apple, .project, .choice),
    refused("5.9", words: ["unsigned-attributes"], .holder, .project, .choice),
    refused("5.9", .holder, .rfc(5652, "5.3"), .strictness),
    accepted("5.9", .apple, .project, .choice),
    refused("5.10", words: ["with-null"], without: ["unknown", "rsa"], .holder, .rfc(5758, "3.2"), .strictness),
    refused("5.10", words: ["with-the-signature-of"], .anyone, .apple, .critical),
    refused("5.10", words: ["whose-signature-is"], .apple, .apple, .strictness),
    refused("5.10", words: ["repeated-in-its-protection"], .apple, .apple, .strictness),
    refused("5.10", words: ["ec-public-key"], .holder, .rfc(5753, "2.1.1"), .strictness),
    refused("5.10", words: ["without-protection"], .holder, .apple, .strictness),
    refused("5.10", words: ["unknown"], .holder, .rfc(6211, "3"), .strictness),
    refused("5.10", .holder, .rfc(5652, "10.1"), .strictness),
    // RFC 3370 3.2 and RFC 4055 5 differ about a missing NULL.
    accepted("5.10", words: ["rsa-encryption-without-null"], .apple, .project, .choice),
    accepted("5.11", words: ["protecting"], .apple, .project, .choice),
    accepted("5.10", .apple, .rfc(5754, "2")),
    refused("5.11", words: ["no-attributes-although"], .anyone, .apple, .critical),
    refused("5.11", words: ["protection"], .apple, .rfc(6211, "2"), .strictness),
    refused("5.11", words: ["protecting"], .apple, .rfc(6211, "3"), .strictness),
    refused("5.11", words: ["signing-time-attribute-missing"], .apple, .apple, .strictness),
    // Without a whole digest the signature says nothing of the token.
    refused(
      "5.11",
      words: [
        "no-attributes", "digest-attribute-missing", "digest-attribute-without-", "digest-attribute-of-null",
        "digest-of-0-", "digest-of-20-", "digest-of-31-",
      ], .apple, .rfc(5652, "11"), .high),
    refused("5.11", .apple, .rfc(5652, "11"), .strictness),
    accepted(
      "5.11",
      words: [
        "without-a-value", "three-values", "two-values", "twice", "countersignature", "unlike-the-signer-info",
        "hundred",
      ], .apple, .project, .choice),
    // After those that DER sorts before it.
    accepted("5.11", words: ["an-unknown-attribute"], without: ["first"], .apple, .project, .choice),
    accepted("5.11", .apple, .rfc(5652, "5.3")),
    refused("5.12", words: ["leaf", "intermediate"], .apple, .rfc(5280, "4.1.2.5"), .strictness),
    refused("5.12", .apple, .rfc(5652, "11.3"), .strictness),
    // At their signing time no root of today is valid.
    accepted("5.12", words: ["2049-in-2049", "1950-in-1950"], .apple, .project, .choice),
    accepted("5.12", words: ["generalized", "year-0", "century"], .apple, .project, .choice),
    accepted("5.12", words: ["leaf", "intermediate"], .apple, .rfc(5280, "4.1.2.5")),
    accepted("5.12", .apple, .rfc(5652, "11.3")),
  ]

  /// 5.13 to 5.19.
  static let certificateShapes: [StandingRule] = [
    refused("5.13", words: ["leaf-without-a-signature"], .anyone, .rfc(5280, "4.1"), .critical),
    refused("5.13", words: ["unique-id"], .apple, .project, .choice),
    // The certificate's own signature does not cover what stands around it.
    refused(
      "5.13",
      words: [
        "leaf-without-an-outer-algorithm", "leaf-with-another-outer-algorithm", "leaf-with-a-fourth-value",
        "leaf-as-a-set", "leaf-with-its-signature-as-an-octet-string",
      ], .holder, .rfc(5280, "4.1"), .strictness),
    refused("5.13", .apple, .rfc(5280, "4.1"), .strictness),
    accepted("5.13", .apple, .project, .choice),
    refused("5.14", .apple, .rfc(5280, "4.1.2.4"), .strictness),
    accepted("5.14", words: ["empty", "another-type"], .apple, .project, .choice),
    accepted("5.14", .apple, .rfc(5280, "4.1.2.4")),
    refused("5.15", words: ["leaf-with-an-empty-"], .anyone, .apple, .critical),
    refused("5.15", .apple, .rfc(5280, "4.2"), .strictness),
    accepted("5.15", words: ["explicit", "not-critical"], .apple, .project, .choice),
    accepted("5.15", .apple, .rfc(5280, "4.2")),
    refused("5.16", words: ["explicit-parameters"], .apple, .rfc(5480, "2.1.1"), .strictness),
    refused("5.16", words: ["exponent", "bits", "p521-compressed"], .apple, .project, .strictness),
    refused("5.16", words: ["compressed", "hybrid"], without: ["wrong-hybrid"], .apple, .project, .choice),
    refused("5.16", words: ["rsa"], .apple, .rfc(3279, "2.3.1"), .strictness),
    refused("5.16", words: ["above-the-prime"], .apple, .standard("sec1-2.3.4"), .strictness),
    refused("5.16", .apple, .rfc(5480, "2"), .strictness),
    refused("5.17", .apple, .rfc(5280, "4.2.1"), .strictness),
    accepted("5.17", .apple, .project, .choice),
    accepted("5.18", .apple, .project, .choice),
    refused(
      "5.19", words: ["half-its-length", "empty", "of-one-byte", "cut-by-", "too-short"], .anyone, .rfc(8017, "8.2.2"),
      .critical),
    refused("5.19", .holder, .rfc(8017, "8.2.2"), .strictness),
  ]

  /// 6 and 7.
  static let chains: [StandingRule] = [
    // RFC 5652 5.1 allows more certificates than necessary.
    refused("6.1", words: ["the-leaf-twice", "another-leaf-beside"], .holder, .rfc(5652, "5.1"), .choice),
    refused("6.1", words: ["both-markers"], .apple, .project, .strictness),
    refused("6.1", words: ["both-leaves"], without: ["too-short"], .holder, .project, .strictness),
    refused("6.1", .anyone, .apple, .critical),
    refused("6.2", words: ["of-the-attacker"], .anyone, .apple, .critical),
    refused("6.2", words: ["twice", "another-intermediate"], .holder, .project, .choice),
    // With the issuer from elsewhere the chain holds.
    refused("6.2", words: ["the-leaf-alone", "the-root-for-the-intermediate"], .holder, .apple, .strictness),
    refused("6.2", words: ["leaf-with-both-markers"], without: ["-alone", "-with-none"], .apple, .project, .choice),
    refused("6.2", .apple, .apple, .high),
    accepted("6.2", .apple, .project, .choice),
    refused("6.3", words: ["that-is-not-pinned"], .anyone, .apple, .critical),
    refused("6.3", .holder, .project, .choice),
    accepted("6.3", .holder, .rfc(5652, "10.2.3")),
    refused("6.4", words: ["string-type", "another-case", "space-more"], .holder, .rfc(5280, "7.1"), .choice),
    refused("6.4", words: ["with-an-rsa-leaf"], .anyone, .apple, .critical),
    refused("6.4", words: ["signer-that-is-the-intermediate"], .apple, .apple, .high),
    refused("6.4", .holder, .rfc(5652, "5.3"), .strictness),
    accepted("6.4", words: ["empty"], .apple, .project, .choice),
    accepted("6.4", .apple, .rfc(5652, "5.3")),
    refused("7.1", words: ["pinned-as-root"], .holder, .project, .choice),
    refused("7.1", .anyone, .apple, .critical),
    accepted(
      "7.1", words: ["sign-itself", "own-signature", "expired", "not-yet-valid", "no-authority", "bytes"], .apple,
      .project,
      .choice),
    accepted("7.1", .apple, .rfc(5280, "6.1.1")),
    refused("7.2", words: ["another-case", "string-type", "space-more"], .apple, .rfc(5280, "7.1"), .choice),
    // Signed with the right key: only the issuer's name is wrong.
    refused(
      "7.2", words: ["issued-under", "issued-by-itself", "of-another-issuer"], .apple, .rfc(5280, "6.1.3"),
      .strictness),
    refused(
      "7.2",
      words: [
        "key-on-", "secp", "sha-1", "sha-224", "sha-512", "sha224", "sha512", "rsa-pss", "unknown-algorithm", "rsa-of-",
        "rsa-encryption", "empty-sequence", "and-null",
      ], without: ["over-sha"], .apple, .project, .choice),
    refused(
      "7.2",
      words: [
        "long-length", "as-a-set", "byte-after", "indefinite", "redundant", "negated", "order-added",
        "padded", "third-number", "byte-of-the-sign", "zero-before-it", "octet-string", "plain",
      ], without: ["signed-by", "signed-with", "after-a-sound-token"], .holder, .rfc(3279, "2.2.3"), .strictness),
    refused("7.2", words: ["leaf-signed-by-the-root"], .apple, .rfc(5280, "6.1.3"), .high),
    // The value verifies with the right key: what is wrong is what the certificate says of it.
    refused(
      "7.2", words: ["over-sha-", "rsa-as-ecdsa", "under-an-ec-key"], without: ["rsa-signature-"], .apple,
      .rfc(5280, "4.1.1.2"), .strictness),
    refused("7.2", .anyone, .rfc(5280, "6.1.3"), .critical),
    accepted(
      "7.2", words: ["rsa", "p384", "p521", "sha-384", "sha-512"], without: ["rsa-leaf-under"], .apple, .project,
      .choice),
    accepted("7.2", .apple, .rfc(5280, "6.1.3")),
    refused("7.3", words: ["root-"], .holder, .project, .choice),
    // Signed by the root, with the marker of the intermediate certificate.
    refused("7.3", .apple, .rfc(5280, "6.1.4"), .high),
    accepted(
      "7.3", words: ["nine-bytes", "not-critical", "root-", "all-bits", "without-key-usage"], .apple, .project, .choice),
    accepted("7.3", words: ["key-usage", "may-sign"], .apple, .rfc(5280, "4.2.1.3")),
    accepted("7.3", .apple, .rfc(5280, "4.2.1.9")),
    // The value is no signature with the leaf's key.
    refused("7.4", words: ["under-the-rsa-leaf", "with-an-rsa-leaf", "ec-leaf"], .anyone, .apple, .critical),
    refused(
      "7.4", words: ["p384", "p521", "secp", "rsa-leaf-key-of-1", "authority"], .apple, .project, .choice),
    // RFC 8550 4.4.2: either bit suffices for signatures of content.
    refused("7.4", words: ["with-bit-1-of", "that-may-commit-to-contents"], .apple, .project, .choice),
    refused("7.4", words: ["key-usage", "that-may", "encipherment"], .apple, .rfc(5280, "4.2.1.3"), .strictness),
    refused("7.4", .apple, .project, .strictness),
    accepted(
      "7.4", words: ["servers", "without-key-usage", "without-basic", "all-bits-of-key-usage-but"], .apple, .project,
      .choice),
    accepted("7.4", .apple, .rfc(5280, "4.2.1.3")),
    refused("7.5", words: ["root-"], .holder, .project, .choice),
    refused("7.5", words: ["key-usage", "name-constraints", "policies", "key-identifier"], .apple, .project, .choice),
    refused("7.5", .apple, .rfc(5280, "4.2"), .strictness),
    accepted("7.5", words: ["of-another", "root-"], .apple, .project, .choice),
    accepted("7.5", .apple, .rfc(5280, "4.2")),
    refused("7.6", words: ["untrusted-chain"], .anyone, .apple, .critical),
    refused("7.6", .apple, .rfc(5280, "6.1.3"), .high),
    accepted("7.6", .apple, .project),
    refused("7.7", .apple, .rfc(5280, "6.1.3"), .high),
    // The last second belongs to the validity; OpenSSL and what builds on it end a second earlier.
    accepted(
      "7.7", words: ["up-to-this-second", "this-second-alone", "usual-leaf-in-the-last-second"], .apple,
      .rfc(5280, "4.1.2.5"), .choice),
    accepted("7.7", .apple, .rfc(5280, "4.1.2.5")),
  ]

  /// 8 and 9.
  static let signatures: [StandingRule] = [
    // Signed with the leaf's key, so that only the digest or the encoding is wrong.
    refused(
      "8.1", words: ["digest-in", "digest-without", "digest-with-the", "digest-with-its", "digest-of", "and-signed"],
      .apple, .apple, .high),
    refused("8.2", words: ["key-of-the-intermediate"], .apple, .apple, .high),
    refused(
      "8.2", words: ["over-sha", "-tag", "without-a-tag", "content-signed-instead"], without: ["key"], .apple,
      .rfc(5652, "5.4"), .strictness),
    // RFC 5652 5.4: a verifier encodes the attributes again, in DER order.
    refused("8.2", words: ["attributes-reordered-after-signing"], .holder, .rfc(5652, "5.3"), .choice),
    refused("8.1 8.2", .anyone, .apple, .critical),
    accepted("8.1 8.2", words: ["in-the-order-received"], .apple, .project, .choice),
    accepted("8.1 8.2", .apple, .rfc(5652, "5.4")),
    refused(
      "8.3",
      words: [
        "redundant", "long-length", "as-an-octet-string", "as-a-set", "indefinite", "third-integer", "byte-after",
        "octet-string-again", "plain-bytes", "without-the-byte-of-the-sign", "order-added",
      ],
      .holder, .rfc(3279, "2.2.3"), .strictness),
    // Another writing of a genuine signature, which verifies once it is reduced, negated or cut.
    refused(
      "8.3", words: ["ecdsa-s-negated", "ecdsa-r-negated", "of-33-bytes", "ecdsa-r-above-the-order-as-x-is"], .holder,
      .standard("fips186-5-6.4.2"), .strictness),
    // Made with the leaf's key.
    refused(
      "8.3", words: ["both-halves-of-the-sum-cancel", "sum-with-the-order-is-x-modulo-p"], .apple,
      .standard("fips186-5-6.4.2"), .high),
    refused("8.3", .anyone, .standard("fips186-5-6.4.2"), .critical),
    accepted("8.3", .apple, .standard("fips186-5-6.4.2")),
    refused(
      "8.4", words: ["encoding-without-null", "encoding-over-sha"], .apple, .rfc(8017, "8.2.2"), .strictness),
    refused("8.4", words: ["encoding"], .apple, .rfc(8017, "8.2.2"), .high),
    refused("8.4", .anyone, .rfc(8017, "8.2.2"), .critical),
    refused("9.1", words: ["-301-", "window-of-0", "and-a-second", "unknown-key"], .holder, .project, .choice),
    // Whoever holds a token can wait, but not change its time.
    refused("9.1", words: ["signed-in-"], .apple, .apple, .high),
    refused("9.1", .holder, .apple, .high),
    accepted("9.1", .apple, .project, .choice),
  ]
}
