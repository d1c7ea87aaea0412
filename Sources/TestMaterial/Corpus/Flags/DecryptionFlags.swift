/// Flags of keys, decryption, payload and expectations: stages 10 to 14.
extension VectorFlag {
  static let decryptions: [VectorFlag] = [
    VectorFlag(
      "MerchantKey", .functionality, clauses: ["10.1"],
      "Tokens for several loaded keys, and for keys that are not loaded.",
      "A change of certificates loses payments, or a token is decrypted with the wrong key."),
    VectorFlag(
      "ExternalKey", .functionality, clauses: ["11.3"],
      "The private key is in an HSM or a KMS, alone or beside keys in memory, and may give no answer.",
      "Payments are lost with an external key (HSM or KMS), or a token is blamed for a key that did not answer."),
    VectorFlag(
      "InvalidCurve", .confidentiality, clauses: ["11.1"],
      "Ephemeral keys off the curve, at infinity, on other curves and in other forms.",
      "Each such token reveals part of the merchant's private key.",
      cves: ["CVE-2015-7940"], links: [doi("10.1007/3-540-44598-6_8"), doi("10.1007/978-3-319-24174-6_21")]),
    VectorFlag(
      "KeyDerivation", .functionality, clauses: ["11.2"],
      "Keys derived with another counter, algorithm, party or secret.",
      "No direct harm; a decryptor that accepts one does not follow the key derivation of the specification.",
      links: [doi("10.6028/NIST.SP.800-56Ar3")]),
    VectorFlag(
      "LeadingZero", .edgeCase, trait: .leadingZero,
      "Secrets, keys and identifiers that begin with zero bytes.",
      "One payment in 256 fails, and the reason is hard to find.",
      links: [doi("10.6028/NIST.SP.800-56Ar3")]),
    VectorFlag(
      "OAEP", .confidentiality, clauses: ["11.4", "11.5"],
      "Wrapped keys with other padding, of other lengths, and not below the modulus; all fail with one code.",
      "An attacker who learns which check failed can decrypt recorded tokens (Manger 2001).",
      links: [doi("10.1007/3-540-44647-8_14"), doi("10.1007/BFb0055716"), "https://robotattack.org/"]),
    VectorFlag(
      "GCMTag", .authBypass, clauses: ["12.1"],
      where: { $0.test.expected?.isAccepted == false && !$0.traits.contains(.keyMixUp) },
      "The ciphertext or any byte of the tag is altered; the tag is cut, moved or missing; another IV; additional data.",
      "Amounts and account numbers can be altered: flipping a ciphertext bit of counter mode flips the plaintext bit.",
      links: [doi("10.6028/NIST.SP.800-38D"), weaknessesOfGCM]),
    VectorFlag(
      "KeyMixUp", .missingStep, trait: .keyMixUp,
      "The token is for another key than the one that publicKeyHash names, and publicKeyHash is not signed.",
      "Without a check of the tag, the output of the wrong key is taken for a payment."),
    VectorFlag(
      "PayloadSyntax", .parser, clauses: ["13.1"],
      "A plaintext that is not quite JSON, or that repeats names.",
      "The amount that was shown is not the amount that is booked.",
      links: ["https://bishopfox.com/blog/json-interoperability-vulnerabilities", rfc(8259)]),
    VectorFlag(
      "PayloadMember", .missingStep, clauses: ["13.2", "13.5"],
      "Every member of the payload missing, wrong and at its limits; merchant tokens and several merchants.",
      "The next system receives values that it does not expect."),
    VectorFlag(
      "Amount", .parser, clauses: ["13.3"],
      "Amounts with fractions and exponents, beyond 64 bits, negative, and rounded as a double would be.",
      "The wrong amount is booked.",
      links: [cwe(681)]),
    VectorFlag(
      "PaymentData", .missingStep, clauses: ["13.4"],
      "Cryptograms, indicators and EMV data missing, wrong and at their limits.",
      "The issuer refuses the payment, or liability stays with the merchant."),
    VectorFlag(
      "Expectation", .missingStep, clauses: ["14.1", "14.2", "14.3"],
      "Application data, currency or amount differ from those of the order.",
      "A genuine token for a small order pays for a large one."),
    VectorFlag(
      "Replay", .missingStep, clauses: ["14.4"],
      "The transaction was seen before, possibly in another token, or in a token that was refused.",
      "One authorisation pays twice, or a refused token blocks the genuine one.",
      links: [cwe(294)]),
  ]
}
