/// Flags of envelopes, JSON, shape and encodings: stages 0 to 4.
extension VectorFlag {
  static let forms: [VectorFlag] = [
    VectorFlag(
      "MustAccept", .tooStrict, accepted: true,
      "The token is genuine, whatever is unusual about it.",
      "A payment that the customer has authorised is refused."),
    VectorFlag(
      "RSAv1", .functionality, without: ["token-called-ec-v1"], version: .rsaV1,
      "The token is of version RSA_v1: the AES key comes wrapped under the merchant's RSA key.",
      "Payments from mainland China cannot be opened, or are opened by rules that are not theirs."),
    VectorFlag(
      "Envelope", .parser,
      clauses: [
        "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.10", "0.11",
      ],
      "The token comes in a gateway's request that is not as its gateway has it, or that fits several.",
      "Another token than the one that the gateway sees is opened."),
    VectorFlag(
      "EnvelopeTransaction", .missingStep, clauses: ["14.0"],
      "A transactionIdentifier stands beside the token.",
      "A token is booked under the transaction of another."),
    VectorFlag(
      "Unsigned", .functionality, unsigned: true,
      "The policy allows parts without a signature; some have one.",
      "Requests that the caller has agreed to cannot be opened, or are opened by rules that are not theirs."),
    VectorFlag(
      "SignatureDemanded", .authBypass,
      words: [
        "unsigned-under-the-ordinary-policy", "unsigned-parts-under-the-ordinary-policy", "under-the-unsigned-policy-",
      ], accepted: false,
      "A signature is missing where one is demanded, or one that is there does not hold, whatever the policy allows.",
      "Whoever knows the merchant's public key makes payments, where a signature was demanded."),
    VectorFlag(
      "LargeInput", .denialOfService, clauses: ["1.1"],
      "The token is as large as may be, or larger.",
      "Memory and time are spent on whatever anybody sends."),
    VectorFlag(
      "JSONSyntax", .parser, clauses: ["2.1"],
      "The text is almost JSON: comments, trailing commas, something before or after it, numbers JSON does not have.",
      "Two programs read different tokens out of the same bytes: one is checked, the other is used."),
    VectorFlag(
      "UTF8", .parser, clauses: ["2.2"],
      "Strings with overlong forms, surrogates, raw control characters, or characters that are rare and allowed.",
      "Names and values that were compared are not those that the next program sees."),
    VectorFlag(
      "JSONEscapes", .parser, clauses: ["2.3"],
      "Escapes that JSON does not have, lone surrogates, and every escape that is allowed.",
      "Genuine tokens are refused for an escaped solidus, or a member hides behind an escape."),
    VectorFlag(
      "JSONNesting", .denialOfService, clauses: ["2.4"],
      "Values nested as deep as may be, and deeper.",
      "A recursive reader runs out of stack and takes the process with it."),
    VectorFlag(
      "MemberCount", .denialOfService, clauses: ["2.5"],
      "Objects of as many members as may be, and of more.",
      "Comparing names with each other takes time without bound."),
    VectorFlag(
      "DuplicateMember", .authBypass, clauses: ["2.6"],
      "A name stands twice in an object, perhaps hidden by an escape.",
      "One value is verified, the other is used."),
    VectorFlag(
      "TokenShape", .missingStep, clauses: ["3.1", "3.4"],
      "A member of the token is missing, null or of another type.",
      "A crash, or a check that is skipped because there is nothing to check."),
    VectorFlag(
      "UnknownVersion", .missingStep, clauses: ["3.2"],
      "The version is neither EC_v1 nor RSA_v1, if only by a space.",
      "A token is opened by rules that are not its own."),
    VectorFlag(
      "VersionConfusion", .authBypass, clauses: ["3.3"],
      "The key field of the other version is there, beside or instead of its own.",
      "What is signed and what is used for decryption are different members."),
    VectorFlag(
      "FaultOrder", .functionality, clauses: ["4"],
      "Several things are wrong: the first in the order of the rules is reported.",
      "Two decryptors refuse the same token for different reasons, and neither can be trusted to be right."),
    VectorFlag(
      "LenientBase64", .malleability, clauses: ["4.1"],
      "Base64 without padding, with white space, with bits that no byte has, of the URL alphabet.",
      "One token has many texts, so that a list of those seen does not know it again."),
    VectorFlag(
      "LenientHex", .malleability, clauses: ["4.2"],
      "Hexadecimal of odd length, with a prefix, with digits that are none.",
      "One transactionId has many texts, so that a replay is not seen."),
    VectorFlag(
      "WrongLength", .missingStep, clauses: ["4.3"],
      "A member decodes to a byte too few or too many, or to nothing.",
      "Reading beyond the end of memory, or members that run into each other under one signature."),
  ]
}
