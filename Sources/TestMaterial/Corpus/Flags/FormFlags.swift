/// Flags of envelopes, JSON, shape and encodings: stages 0 to 4.
extension VectorFlag {
  static let forms: [VectorFlag] = [
    VectorFlag(
      "MustAccept", .tooStrict, where: { $0.test.expected?.isAccepted == true },
      "A genuine token that is unusual in some way, and valid.",
      "A payment that the customer has authorised is refused."),
    VectorFlag(
      "RSAv1", .functionality, where: { $0.version == .rsaV1 && !$0.traits.contains(.otherVersion) },
      "A token of version RSA_v1: the AES key is wrapped under the merchant's RSA key.",
      "Payments from mainland China cannot be decrypted, or are decrypted under the rules of EC_v1."),
    VectorFlag(
      "Envelope", .parser,
      clauses: [
        "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.10", "0.11",
      ],
      "The token is in a gateway's request that differs from the gateway's format, or that fits several gateways.",
      "The decryptor opens another token than the gateway does."),
    VectorFlag(
      "EnvelopeTransaction", .missingStep, clauses: ["14.0"],
      "A transactionIdentifier next to the token, right or wrong.",
      "A token is booked under another token's transaction."),
    VectorFlag(
      "Unsigned", .functionality, where: { $0.test.context.policy.isUnsigned },
      "The policy allows parts without a signature; some requests have one.",
      "Requests that the caller allows cannot be decrypted, or are decrypted under the wrong rules."),
    VectorFlag(
      "SignatureDemanded", .authBypass, trait: .signatureDemanded, where: { $0.test.expected?.isAccepted == false },
      "A required signature is missing, or a signature that is present is invalid.",
      "Whoever knows the merchant's public key can make payments that look signed.",
      cves: ["CVE-2015-9235"], links: [rfc(8725, "2.1")]),
    VectorFlag(
      "LargeInput", .denialOfService, clauses: ["1.1"],
      "The token has the largest size that is allowed, or more.",
      "Anybody can make the decryptor spend memory and time without limit.",
      links: [cwe(770)]),
    VectorFlag(
      "JSONSyntax", .parser, clauses: ["2.1"],
      "Text that is almost JSON: comments, trailing commas, text before or after it, invalid numbers.",
      "Two programs read different tokens from the same bytes: one is verified, the other is used.",
      links: ["https://bishopfox.com/blog/json-interoperability-vulnerabilities", rfc(8259)]),
    VectorFlag(
      "UTF8", .parser, clauses: ["2.2"],
      "Strings with overlong forms, surrogates, raw control characters, or rare characters that are valid.",
      "The names and values that were compared are not the ones that the next program sees.",
      cves: ["CVE-2000-0884"], links: [rfc(3629, "10")]),
    VectorFlag(
      "JSONEscapes", .parser, clauses: ["2.3"],
      "Invalid escapes, lone surrogates, and every escape that is valid.",
      "Genuine tokens are refused for an escaped solidus, or an escape hides a member.",
      links: ["https://bishopfox.com/blog/json-interoperability-vulnerabilities", rfc(8259, "7")]),
    VectorFlag(
      "JSONNesting", .denialOfService, clauses: ["2.4"],
      "Values nested to the allowed depth, and deeper.",
      "A recursive parser overflows the stack and crashes the process.",
      cves: ["CVE-2020-36518"], links: [cwe(674)]),
    VectorFlag(
      "MemberCount", .denialOfService, clauses: ["2.5"],
      "Objects with the allowed number of members, and with more.",
      "Comparing all names with each other takes unbounded time.",
      links: [cwe(407)]),
    VectorFlag(
      "DuplicateMember", .authBypass, clauses: ["2.6"],
      "An object has a name twice, sometimes hidden by an escape.",
      "One value is verified, the other is used.",
      cves: ["CVE-2017-12635"],
      links: ["https://bishopfox.com/blog/json-interoperability-vulnerabilities", rfc(8259, "4")]),
    VectorFlag(
      "TokenShape", .missingStep, clauses: ["3.1", "3.4"],
      "A member of the token is missing, null or of another type.",
      "The process crashes, or skips a check because there is nothing to check."),
    VectorFlag(
      "UnknownVersion", .missingStep, clauses: ["3.2"],
      "The version is neither EC_v1 nor RSA_v1, if only by a space.",
      "A token is decrypted under the rules of another version."),
    VectorFlag(
      "VersionConfusion", .authBypass, clauses: ["3.3"],
      "The key member of the other version is present, with or without the right one.",
      "The signature covers one member, and decryption uses another.",
      cves: ["CVE-2015-9235"], links: [rfc(8725, "2.1")]),
    VectorFlag(
      "FaultOrder", .functionality, clauses: ["4"],
      "A token with several faults: the first in the order of the rules is reported.",
      "Two decryptors refuse the same token for different reasons, and comparing them shows nothing."),
    VectorFlag(
      "LenientBase64", .malleability, clauses: ["4.1"],
      "Base64 without padding, with white space, with nonzero trailing bits, or in the URL alphabet.",
      "A token can be written in many ways, so a list of texts already seen does not recognise it.",
      links: ["https://eprint.iacr.org/2022/361", rfc(4648, "3.5")]),
    VectorFlag(
      "LenientHex", .malleability, clauses: ["4.2"],
      "Hexadecimal of odd length, with a prefix, or with invalid digits.",
      "A transactionId can be written in many ways, so a replay is not detected."),
    VectorFlag(
      "WrongLength", .missingStep, clauses: ["4.3"],
      "A member decodes to a byte too few or too many, or to nothing.",
      "The process reads out of bounds, or bytes move between members under one signature.",
      links: [cwe(130)]),
  ]
}
