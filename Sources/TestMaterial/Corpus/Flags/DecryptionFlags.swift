/// Flags of keys, decryption, payload and expectations: stages 10 to 14.
extension VectorFlag {
  /// Cases of a key that is loaded and not the token's.
  private static let keyMixUps = [
    "public-key-hash-of-another-key-of-the-merchant", "public-key-hash-of-a-key-of-another-merchant",
    "public-key-hash-of-the-key-of-", "with-another-devices-key",
  ]

  static let decryptions: [VectorFlag] = [
    VectorFlag(
      "MerchantKey", .functionality, clauses: ["10.1"],
      "Tokens for several keys at once, and for keys that are not there.",
      "A change of certificates loses payments, or a token is opened with a key that it is not for."),
    VectorFlag(
      "InvalidCurve", .confidentiality, clauses: ["11.1"],
      "Ephemeral keys off the curve, at infinity, of other curves and forms.",
      "Each such token reveals a part of the merchant's private key."),
    VectorFlag(
      "KeyDerivation", .functionality, clauses: ["11.2"],
      "Keys derived with another counter, algorithm, party or secret.",
      "None; a decryptor that accepts one derives keys in a way of its own."),
    VectorFlag(
      "LeadingZero", .edgeCase, clauses: ["4.3", "10.1", "11.1", "11.2", "11.4"],
      words: [
        "begins-with-a-zero-byte", "leading-zeros", "of-x-0", "begins-with-zero", "of-32-zeros", "key-of-zeros",
      ], accepted: true,
      "Secrets, keys and identifiers that begin with zero bytes.",
      "One payment in 256 is lost, for no reason that anybody finds."),
    VectorFlag(
      "OAEP", .confidentiality, clauses: ["11.4", "11.5"],
      "Wrapped keys padded otherwise, of other lengths, at and beyond the modulus; all that fail end in one code.",
      "Who learns which check failed can open recorded tokens, as by Manger in 2001."),
    VectorFlag(
      "GCMTag", .authBypass, clauses: ["12.1"], without: keyMixUps, accepted: false,
      "The ciphertext or any byte of the tag altered, the tag cut, moved or missing, another IV, additional data.",
      "Amounts and account numbers can be altered, since counter mode flips the bits it is told to."),
    VectorFlag(
      "KeyMixUp", .missingStep, words: keyMixUps,
      "The token is for another key than the one that is named, which nobody has signed.",
      "Without the tag, what the wrong key makes of the data passes for a payment."),
    VectorFlag(
      "PayloadSyntax", .parser, clauses: ["13.1"],
      "A plaintext that is not quite JSON, or repeats names.",
      "The amount that was shown is not the amount that is booked."),
    VectorFlag(
      "PayloadMember", .missingStep, clauses: ["13.2", "13.5"],
      "Every member of the payload missing, wrong and at its limits; merchant tokens and several merchants.",
      "What the next system gets is not what it expects."),
    VectorFlag(
      "Amount", .parser, clauses: ["13.3"],
      "Amounts with fractions and exponents, beyond 64 bits, negative, and as doubles would round them.",
      "The wrong amount is booked."),
    VectorFlag(
      "PaymentData", .missingStep, clauses: ["13.4"],
      "Cryptograms, indicators and EMV data missing, wrong and at their limits.",
      "The issuer refuses the payment, or liability stays with the merchant."),
    VectorFlag(
      "Expectation", .missingStep, clauses: ["14.1", "14.2", "14.3"],
      "Application data, currency or amount are not those of the order.",
      "A genuine token for a small order pays for a large one."),
    VectorFlag(
      "Replay", .missingStep, clauses: ["14.4"],
      "The transaction was seen before, perhaps in another token, or in one that was refused.",
      "One authorisation pays twice; or a refused token keeps the genuine one out."),
  ]
}
