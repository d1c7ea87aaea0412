import TestCases

/// Standings of what is decided after the signature: stages 10 to 14.
extension StandingRule {
  /// 10 to 12.
  static let keys: [StandingRule] = [
    refused("10.1", words: ["another-merchant-named"], .holder, .apple, .high),
    refused(
      "10.1", words: ["without-any-key", "before-the-change", "after-the-change"], .holder,
      .standard("sp800-38d-7.2"), .high),
    // The hash is not signed: a decryptor may as well try the keys that it has.
    refused("10.1", .holder, .project, .choice),
    accepted("10.1", .apple, .apple),
    refused("11.1", words: ["algorithm-ec-dh"], .apple, .rfc(5480, "2.1.2"), .choice),
    refused(
      "11.1",
      words: [
        "long-length", "compressed", "hybrid", "unused-bit", "flipped-in-byte", "of-form",
        "in-16-bytes", "prime239v1", "at-infinity", "point-at-the-start",
      ], .apple, .apple, .strictness),
    refused("11.1", unsigned: true, .anyone, .standard("sp800-56a-5.6.2.3"), .high),
    refused("11.1", .apple, .standard("sp800-56a-5.6.2.3"), .high),
    accepted("11.1", .apple, .standard("sp800-56a-5.6.2.3")),
    refused("11.2", words: ["another-key-of-the-merchant"], .apple, .project, .choice),
    refused("11.2", words: ["key-derived-with"], .apple, .apple, .strictness),
    refused("11.2", .apple, .apple, .high),
    accepted("11.2", .apple, .standard("sp800-56a-5.7.1.2")),
    refused("11.3", words: ["without-an-answer"], .apple, .project, .strictness, spelled: true),
    refused("11.3", words: ["tag-with-a-bit-flipped"], .apple, .standard("sp800-38d-7.2"), .high),
    refused("11.3", words: ["a-bit-flipped-in-the-tag"], .anyone, .apple, .critical),
    refused("11.3", .apple, .apple, .strictness),
    accepted("11.3", .apple, .apple),
    accepted("11.4", .apple, .rfc(8017, "7.1.2")),
    // What Apple's "OAEPWithSHA256AndMGF1Padding" says of the mask, readers take differently.
    refused("11.5", words: ["for-the-mask"], .apple, .project, .choice),
    refused("11.5", words: ["public-key-hash-of-the-key-of-"], .holder, .project, .choice),
    // A lenient reader gets the right key from them, and the tag fits.
    refused(
      "11.5",
      words: [
        "modulus-added", "zero-byte-before-it", "zero-bytes-before-it", "without-its-first-byte-zero",
        "zero-byte-after-it", "followed-by-itself", "too-long-after-a-token",
      ], .apple, .rfc(8017, "7.1.2"), .strictness),
    refused(
      "11.5", words: ["oaep-with", "padded-by", "without-padding", "unmasked", "key-of-", "key-in-hexadecimal"],
      .apple, .rfc(8017, "7.1.2"),
      .strictness),
    refused("11.5", .apple, .standard("sp800-38d-7.2"), .high),
    refused("12.1", unsigned: true, .anyone, .standard("sp800-38d-7.2"), .critical),
    // Tried with the right one of the loaded keys, they open.
    refused("12.1", words: ["public-key-hash"], .holder, .project, .choice),
    refused("12.1", words: ["additional-data"], .apple, .apple, .high),
    refused("12.1", words: ["iv-of", "iv-ending", "padded-to-aes"], .apple, .apple, .strictness),
    refused("12.1", .apple, .standard("sp800-38d-7.2"), .high),
    accepted("12.1", words: ["20000-bytes"], .apple, .project, .choice),
    accepted("12.1", .apple, .apple),
  ]

  /// 13.
  static let payloads: [StandingRule] = [
    // RFC 8259 4: names SHOULD be unique.
    refused("13.1 13.2 13.3 13.4 13.5", words: ["-twice"], .apple, .rfc(8259, "4"), .choice),
    accepted("13.1 13.2 13.3 13.4 13.5", words: ["-twice"], .apple, .rfc(8259, "4"), .choice),
    refused("13.1", words: ["-empty-object", "of-null", "of-a-string"], .apple, .apple, .strictness),
    refused("13.1", words: ["members"], .apple, .project, .choice),
    refused("13.1", .apple, .rfc(8259, "2"), .strictness),
    accepted("13.1", words: ["members"], .apple, .project, .choice),
    accepted("13.1", .apple, .rfc(8259, "2")),
    refused(
      "13.4", words: ["trailing-bit", "and-one-padding", "and-two-paddings"], .apple, .rfc(4648, "3.5"), .choice),
    refused("13.4", words: ["group-of-paddings"], .apple, .rfc(4648, "3.3"), .choice),
    refused(
      "13.3",
      words: [
        "amount-refused-00", "amount-refused-01", "amount-refused-plus1", "amount-refused-point5",
        "amount-refused-0x64",
        "amount-refused-nan", "amount-refused-1e1point5",
      ], .apple, .rfc(8259, "6"), .strictness),
    // Apple gives no limit, and no form.
    refused(
      "13.3",
      words: [
        "amount-refused-1000000000000", "amount-refused-4294967296", "amount-refused-9999999999999",
        "amount-refused-9007199254740993", "amount-refused-1e12", "amount-refused-1e13", "amount-refused-10e11",
        "amount-refused-18446744073709551", "amount-refused-0e13", "amount-refused-0eminus1",
        "amount-refused-100eminus2",
        "amount-refused-0point0000000000001e13", "amount-refused-1e012",
      ], .apple, .project, .choice),
    refused("13.3", words: ["minus0"], .apple, .project, .choice),
    refused("13.3", .apple, .project, .strictness),
    accepted("13.3", words: ["amount-long-"], .apple, .project, .choice),
    accepted("13.3", words: ["e", "point"], .apple, .project, .choice),
    // Apple gives neither lengths nor characters.
    refused(
      "13.2 13.4",
      words: [
        "device-manufacturer-identifier-empty", "identifier-of-33-bytes", "account-number-of-11-",
        "account-number-of-20-",
        "eci-indicator-empty", "eci-indicator-of-",
      ], .apple, .project, .choice),
    accepted("13.2", words: ["currency-code-of-zeros", "currency-code-unassigned"], .apple, .project, .choice),
    refused("13.2 13.4 13.5", .apple, .apple, .strictness),
    accepted("13.4", words: ["3dsecure-with-", "emv-with-a-cryptogram"], .apple, .project, .choice),
    accepted("13.2 13.3 13.4 13.5", .apple, .apple),
  ]

  /// 14.
  static let expectations: [StandingRule] = [
    refused("14.0", words: ["before-all-expectations", "before-a-replay"], .holder, .apple, .high),
    refused("14.0", unsigned: true, .anyone, .project, .choice),
    // No identifier at all.
    refused(
      "14.0", words: ["identifier-is-", "an-empty-", "no-text"], without: ["is-zeros", "is-no-hex"], .holder, .project,
      .choice),
    refused("14.0", .holder, .project, .strictness),
    accepted("14.0", words: ["without-a-transaction-identifier"], .holder, .project, .choice),
    accepted("14.0", .holder, .project),
    // Nothing protects the application data of unsigned tokens.
    refused("14.1", words: ["expected-and-there"], unsigned: true, .anyone, .project, .choice),
    refused("14.1", unsigned: true, .anyone, .project, .strictness),
    refused("14.2 14.3", unsigned: true, .anyone, .apple, .high),
    refused("14.2", words: ["an-empty-currency"], .holder, .project, .choice),
    refused("14.1 14.2 14.3", .holder, .apple, .high),
    accepted("14.1 14.2 14.3", unsigned: true, .anyone, .project, .choice),
    accepted("14.1 14.2 14.3", .apple, .apple),
    refused("14.4", words: ["store"], .holder, .project, .choice),
    refused("14.4", words: ["unsigned-"], .anyone, .project, .strictness),
    // Another token, which Apple alone can make.
    refused("14.4", words: ["same-transaction"], .apple, .apple, .high),
    refused("14.4", .holder, .apple, .high),
    accepted("14.4", .apple, .apple),
  ]
}
